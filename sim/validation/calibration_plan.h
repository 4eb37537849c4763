// SPDX-License-Identifier: Apache-2.0
// The measurements from which `teslasim calibrate` makes the inputs of the analytical models: constants (unloaded
// latency, departure delays, the rates of Konstantinidis 2017), rates against warps and bandwidth against the shape of
// a launch (Zhang & Owens 2011, section 4).
#pragma once

#include <string>
#include <vector>

#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

struct CalibrationTask {
  std::string name;        ///< of an input of the models
  std::vector<double> at;  ///< nothing: a constant; one number: warps per SM; three: blocks, threads, words per thread
  std::string measure;     ///< see measure.h
};

/// What can be measured on this machine, in a fixed order.
[[nodiscard]] std::vector<CalibrationTask> calibration_plan(const MachineSpec& spec);

}  // namespace teslasim
