// SPDX-License-Identifier: Apache-2.0
// A model of a machine that stays while workloads come and go: built once, because building it (in time: a SystemC
// hierarchy) takes longer than a small launch. What its warps run is what the workload that it serves says.
#pragma once

#include <functional>
#include <memory>

#include "sim/exec/execution_stream.h"
#include "sim/run/launch_model.h"

namespace teslasim {

class StandingModel {
 public:
  /// `machine` and `calibration` (null: none) outlive it.
  StandingModel(const RunSettings& settings, Profiling profiling, const MachineSpec& machine,
                const Calibration* calibration);
  StandingModel(const StandingModel&) = delete;
  StandingModel& operator=(const StandingModel&) = delete;

  [[nodiscard]] LaunchModel& model() { return *model_; }
  /// From the next launch on: what makes the streams of warps, and whether they only execute (LaunchModelParts). Both
  /// are asked as long as launches run.
  void serve(StreamFactory stream, std::function<bool()> executes);

 private:
  StreamFactory stream_;
  std::function<bool()> executes_;
  std::unique_ptr<LaunchModel> model_;
};

}  // namespace teslasim
