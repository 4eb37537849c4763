// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/launch_trace.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/run/run_directory.h"
#include "sim/run/trace_workload.h"

namespace teslasim::cudart {
namespace {

/// A workload of this launch alone, whose parameters are words without a meaning: a replay computes nothing.
Workload workload_of(std::shared_ptr<const Module> module, const Launch& launch) {
  constexpr std::uint32_t word = 4;
  LaunchSpec spec;
  spec.kernel = launch.kernel->name;
  spec.module = std::move(module);
  spec.grid = launch.grid;
  spec.block = launch.block;
  for (std::size_t i = 0; i < launch.parameters.size() / word; ++i)
    spec.parameters.push_back({fmt::format("p{}", i), ValueType::u32, 0, std::nullopt, {}});
  const std::uint32_t header = launch_header_bytes + spec.parameter_bytes();
  spec.dynamic_shared_bytes = launch.shared_bytes - std::max(launch.kernel->shared_bytes, header);
  Workload workload;
  workload.name = launch.kernel->name;
  workload.launches.push_back(std::move(spec));
  return workload;
}

}  // namespace

LaunchTrace::LaunchTrace(const TraceTarget& target, std::shared_ptr<const Module> module, const Launch& launch)
    : launch_(launch) {
  std::error_code error;
  std::filesystem::create_directories(target.folder, error);
  if (error) write_error(target.folder, error.message());
  const std::string path =
      fmt::format("{}/{:04}-{}.wtrace", target.folder, target.number, file_name_from(launch.kernel->name));
  writer_ = std::make_unique<TraceWriter>(
      path, trace_header(workload_of(std::move(module), launch), {}, target.machine, target.timed));
  order_.begin(0, *launch.kernel, launch.warps_per_block());
  recording_ = {writer_.get(), &order_, 0, target.timed, {}};
}

StreamFactory LaunchTrace::stream() {
  return [this](const Launch& /*scheduled*/, const ExecutionStreamOptions& options) {
    return record_stream(make_stream({}, launch_, options), launch_, options, recording_);
  };
}

void LaunchTrace::finish() {
  writer_->set_ordered_loads(order_.ordered_loads());
  writer_->finish();
}

}  // namespace teslasim::cudart
