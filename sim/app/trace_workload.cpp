// SPDX-License-Identifier: Apache-2.0
#include "sim/app/trace_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "frontend/cubin/text_cubin.h"
#include "isa/names.h"
#include "sim/app/version.h"

namespace teslasim {
namespace {

constexpr std::uint32_t launch_header_bytes = 16;
constexpr std::uint32_t word_bytes = 4;

std::uint32_t static_shared_bytes(const LaunchSpec& spec) {
  return std::max(spec.kernel_code().shared_bytes, launch_header_bytes + spec.parameter_bytes());
}

/// Launches of a trace have unnamed parameters without values, as many bytes as there were.
LaunchSpec replayed_launch(const TracedLaunch& traced, const std::shared_ptr<const Module>& module) {
  LaunchSpec spec;
  spec.kernel = traced.kernel;
  spec.module = module;
  spec.grid = traced.grid;
  spec.block = traced.block;
  for (std::uint32_t i = 0; i < traced.parameter_bytes / word_bytes; ++i)
    spec.parameters.push_back({fmt::format("p{}", i), ValueType::u32, 0, std::nullopt, {}});
  const std::uint32_t statically = static_shared_bytes(spec);
  spec.dynamic_shared_bytes = traced.shared_bytes > statically ? traced.shared_bytes - statically : 0;
  return spec;
}

}  // namespace

bool is_trace_file(const std::string& path) {
  constexpr std::size_t enough = 8;
  std::ifstream file(path, std::ios::binary);
  std::string start(enough, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file && looks_like_trace(start);
}

Workload traced_workload(const TraceReader& reader, const ReadOptions& options) {
  const TraceHeader& header = reader.header();
  auto module = std::make_shared<const Module>(read_text_cubin(reader.path(), header.code, options));
  Workload workload;
  workload.name = header.name;
  workload.files.push_back(reader.path());
  for (const TracedLaunch& traced : header.launches) {
    const bool known = std::any_of(module->kernels.begin(), module->kernels.end(),
                                   [&](const Kernel& kernel) { return kernel.name == traced.kernel; });
    if (!known) reader.damaged(fmt::format("the code of the trace has no kernel '{}'", traced.kernel), 0);
    workload.launches.push_back(replayed_launch(traced, module));
  }
  if (workload.launches.empty()) reader.damaged("the trace has no launches", 0);
  return workload;
}

TraceHeader trace_header(const Workload& workload, const std::vector<Address>& addresses, const std::string& machine,
                         bool timed) {
  TraceHeader header;
  header.name = workload.name;
  header.generator = "teslasim " + std::string(program_version());
  header.machine = machine;
  header.timed = timed;
  header.code = write_text_cubin(*workload.launches.front().module);
  for (const LaunchSpec& spec : workload.launches)
    header.launches.push_back({spec.kernel, spec.grid, spec.block,
                               static_shared_bytes(spec) + spec.dynamic_shared_bytes,
                               (spec.parameter_bytes() + word_bytes - 1) / word_bytes * word_bytes});
  for (std::size_t i = 0; i < workload.buffers.size(); ++i) {
    const BufferSpec& buffer = workload.buffers[i];
    header.buffers.push_back({buffer.name, std::string(type_name(buffer.type)), buffer.count, addresses.at(i)});
  }
  return header;
}

}  // namespace teslasim
