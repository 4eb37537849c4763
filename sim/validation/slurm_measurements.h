// SPDX-License-Identifier: Apache-2.0
// Measurements as jobs of Slurm. Each is kept in a file whose name its content decides, so none is made twice.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/run/console.h"
#include "sim/run/slurm/slurm_request.h"
#include "sim/validation/validation.h"

namespace teslasim {

class SlurmMeasurements {
 public:
  /// `folder` is where they are kept; `max_cycles` of each.
  SlurmMeasurements(std::string folder, SlurmRequest request, SpCycle max_cycles, ConsoleOptions console);

  /// In the order of `tasks`, which are on presets. Throws InputError (SLURM-*), and Interrupted after Ctrl-C or
  /// SIGTERM.
  [[nodiscard]] std::vector<MeasureOutcome> run(const std::vector<MeasureTask>& tasks);
  /// Measurements without a result, however often they were submitted.
  [[nodiscard]] std::size_t lost() const { return lost_; }

 private:
  [[nodiscard]] std::string place_of(const MeasureTask& task) const;
  [[nodiscard]] std::vector<std::string> command_of(const MeasureTask& task) const;

  std::string folder_;
  SlurmRequest request_;
  SpCycle max_cycles_;
  ConsoleOptions console_;
  std::string program_, program_hash_;
  std::size_t lost_ = 0;
};

}  // namespace teslasim
