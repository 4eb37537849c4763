// SPDX-License-Identifier: Apache-2.0
// The run folder of a program: a row for each launch while it runs; at its end totals by kernel, statistics, timeline
// and report. Its size and the memory for it grow with the number of kernels, not of launches, but for the rows.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/program.h"
#include "sim/base/output_file.h"
#include "sim/cudart/board_loader.h"
#include "sim/cudart/control.h"
#include "sim/cudart/launch_row.h"
#include "sim/cudart/program_sample.h"
#include "sim/cudart/program_timeline.h"
#include "sim/cudart/simulated_device.h"
#include "sim/report/result/digest.h"
#include "sim/report/result/result.h"
#include "sim/run/run_directory.h"
#include "sim/run/write_attempts.h"

namespace teslasim::cudart {

class ProgramRecord {
 public:
  /// Makes the folder, unless there is to be none. Throws InputError (environment).
  ProgramRecord(const Control& control, const SimulatedDevice& device, const LoadedBoard& board);

  void add_launch(LaunchFacts facts, const Kernel& kernel, LaunchStatistics statistics,
                  std::vector<Prediction> predictions);
  void add_copy(std::string_view name, TimeSpan span, std::uint64_t size);
  /// What the host read back: part of the digest.
  void add_result(const void* data, std::uint64_t size);
  void add_wait(TimeSpan span);
  /// Writes what is left and says where. Once. `status`: how the program did; `sample`: what was sampled.
  void finish(Femtoseconds end, const std::string& status, const ProgramSample& sample);

 private:
  struct KernelSum {
    std::uint64_t launches = 0, warp_instructions = 0;
    std::uint64_t extrapolated = 0;  ///< of the launches
    Femtoseconds time = 0;
    std::optional<std::size_t> timed{}, functional{};  ///< places in the result
  };

  /// Its name in the tables: sources may have kernels of the same name each, so the second is "scale (2)".
  [[nodiscard]] std::string shown_name(const Kernel& kernel, const std::string& name);
  void keep(const Kernel& kernel, LaunchResult launch, std::uint64_t number);
  void add_launch_to(std::size_t place, LaunchResult launch, std::uint64_t number);
  void write_row(const LaunchFacts& facts, const LaunchStatistics& statistics);
  void write_kernels();
  void write_program(Femtoseconds end, const std::string& status, const ProgramSample& sample);
  void write_all(Femtoseconds end, const std::string& status, const ProgramSample& sample);
  [[nodiscard]] Result shown_result() const;

  const Control& control_;
  const SimulatedDevice& device_;
  const LoadedBoard& board_;
  std::string program_;
  std::vector<std::string> arguments_;
  std::string started_;
  std::optional<RunDirectory> directory_;
  std::unique_ptr<OutputFile> csv_, json_;
  /// The address alone is not enough: that of an unloaded module may come again.
  struct SeenKernel {
    const Kernel* kernel = nullptr;
    std::size_t instructions = 0;
  };
  std::map<std::string, std::vector<SeenKernel>> seen_;
  std::map<std::string, KernelSum> kernels_;  ///< by shown name
  Result result_;
  Digest digest_;
  ProgramTimeline timeline_;
  WriteAttempts attempts_;
  std::uint64_t launches_ = 0;
  Femtoseconds kernel_time_ = 0, copy_time_ = 0;
  std::uint64_t copied_bytes_ = 0, copies_ = 0;
  bool sampled_ = false;  ///< not every launch ran in time
  bool finished_ = false;
};

}  // namespace teslasim::cudart
