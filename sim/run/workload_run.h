// SPDX-License-Identifier: Apache-2.0
// From settings to a result: loads machine and workload, fills device memory, runs the launches one after the other on
// a LaunchModel, checks outputs and conservation laws.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend/workload.h"
#include "memory/image/device_memory.h"
#include "sim/base/diagnostic.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/launch.h"
#include "sim/exec/run_control.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/calibration.h"
#include "sim/report/result/digest.h"
#include "sim/report/result/result.h"
#include "sim/run/launch_details.h"
#include "sim/run/launch_model.h"
#include "sim/run/run_settings.h"
#include "sim/run/standing_model.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_recorder.h"

namespace teslasim {

class PipelineRecorder;

/// Settings whose inputs were read and checked. Nothing has been written yet.
struct PreparedRun {
  RunSettings settings;
  LoadedMachine machine;
  Workload workload;
  std::shared_ptr<TraceReader> trace;        ///< set when the input is a trace: launches are replayed
  std::string machine_word;                  ///< short name for the run directory, e.g. "gtx280"
  std::optional<Calibration> calibration{};  ///< for the analytical models
  std::vector<ChosenBlocks> chosen{};        ///< per launch; empty: its whole grid
  LaunchDetails details{};
};

/// Throws InputError with everything that is wrong with machine, code, launch, and how they fit together.
[[nodiscard]] PreparedRun prepare(RunSettings settings);
/// The same for a machine and a workload that are there already; the paths in `settings` are not read.
[[nodiscard]] PreparedRun prepare(RunSettings settings, LoadedMachine machine, Workload workload,
                                  std::optional<Calibration> calibration);

/// Asked a few times per second while a launch runs.
using LaunchWatch = std::function<Verdict(std::size_t launch, const Progress&)>;

/// Told of each launch as it ends; `sample`: null when it ran whole; `digest` is over its counters alone.
using LaunchListener =
    std::function<void(std::uint64_t launch, const LaunchStatistics&, const BlockSample* sample, std::uint64_t digest)>;

struct RunOutcome {
  Result result;
  std::vector<Diagnostic> errors;    ///< kernel errors, stuck reports, broken conservation laws
  std::vector<Diagnostic> warnings;  ///< what kernels did that is not what was meant, in all likelihood

  /// A law of conservation does not hold: a fault of the program, whatever else happened.
  [[nodiscard]] bool breaks_law() const;
};

class WorkloadRun {
 public:
  /// Allocates and fills the buffers. With `profiling` the functional model also counts what analytical models want.
  explicit WorkloadRun(const PreparedRun& prepared, Profiling profiling = Profiling::off);
  /// On a model that outlives it and runs one workload after the other, of the same machine.
  WorkloadRun(const PreparedRun& prepared, StandingModel& model);
  ~WorkloadRun();
  WorkloadRun(const WorkloadRun&) = delete;
  WorkloadRun& operator=(const WorkloadRun&) = delete;

  /// Writes a trace of the run, or of the blocks and SMs of `selection`; before `run`.
  void record_to(const std::string& path, const TraceSelection& selection = {});
  /// Records pipelines (timing mode only); before `run`.
  void record_pipelines(PipelineRecorder& recorder);
  /// How its launches are run.
  [[nodiscard]] LaunchModel& model() { return model_->model(); }
  /// Before `run`.
  void on_launch_end(LaunchListener listener) { listener_ = std::move(listener); }
  /// The trace that was written, nullptr when none was.
  [[nodiscard]] const TraceWriter* trace() const { return writer_.get(); }
  /// Runs all launches, or as many as `watch` and the limits allow. Throws InternalError for bugs only.
  [[nodiscard]] RunOutcome run(const LaunchWatch& watch);
  /// Bytes of Workload::buffers[index].
  [[nodiscard]] std::span<const std::byte> buffer(std::size_t index);
  /// Where they begin in device memory.
  [[nodiscard]] Address address(std::size_t index) const { return addresses_.at(index); }

 private:
  ModelledLaunch run_launch(const LaunchSpec& spec, const RunControl& control);
  [[nodiscard]] RunControl control_of(std::size_t launch, SpCycle used, const LaunchWatch& watch) const;
  void keep(std::size_t launch, ModelledLaunch modelled, Result& result);
  void warn_of(const ModelledLaunch& modelled, RunOutcome& outcome);
  void check_outputs(Result& result);
  void put_digests(Result& result);

  const PreparedRun& prepared_;
  DeviceMemory memory_;
  std::vector<Address> addresses_;
  [[nodiscard]] std::unique_ptr<WarpStream> stream_for(const Launch& scheduled, const ExecutionStreamOptions& options);
  void serve_model();

  std::unique_ptr<StandingModel> own_model_;
  StandingModel* model_;
  std::unique_ptr<TraceWriter> writer_;
  std::unique_ptr<LaunchOrder> order_;
  TraceRecording recording_;
  std::uint32_t launch_number_ = 0;
  std::deque<PartialBarriers> partial_barriers_;  ///< of the launch that runs, by stream: those of SMs run at once
  Launch launch_;                                 ///< the one that runs
  LaunchListener listener_;
  Digest counters_;                              ///< of the launches that ended
  std::map<const Kernel*, std::size_t> sums_{};  ///< places in the result
};

}  // namespace teslasim
