// SPDX-License-Identifier: Apache-2.0
#include "sim/run/watched_run.h"

#include <utility>

#include "sim/run/signals.h"

namespace teslasim {
namespace {

WatchOptions with_kernels(WatchOptions options, const Workload& workload) {
  for (const LaunchSpec& launch : workload.launches) options.kernels.push_back(launch.kernel);
  return options;
}

}  // namespace

WatchedRun::WatchedRun(const PreparedRun& prepared, WatchOptions options)
    : watch_(with_kernels(std::move(options), prepared.workload)) {}

RunOutcome WatchedRun::run(WorkloadRun& simulation) {
  catch_signals();
  try {
    RunOutcome outcome =
        simulation.run([this](std::size_t launch, const Progress& progress) { return watch_.look(launch, progress); });
    watch_.finish(name_of(status_of(outcome)));
    return outcome;
  } catch (const std::exception&) {
    watch_.finish("failed");
    throw;
  }
}

RunStatus WatchedRun::status_of(RunStatus status) const {
  const bool limited = stop_reason() == Watch::StopReason::wall_time || stop_reason() == Watch::StopReason::memory;
  return limited && status == RunStatus::interrupted ? RunStatus::limit : status;
}

RunOutcome run_watched(const PreparedRun& prepared, WorkloadRun& simulation, ProgressStyle style) {
  WatchOptions options;
  options.style = style;
  return WatchedRun(prepared, options).run(simulation);
}

}  // namespace teslasim
