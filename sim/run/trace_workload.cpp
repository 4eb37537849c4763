// SPDX-License-Identifier: Apache-2.0
#include "sim/run/trace_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "frontend/cubin/text_cubin.h"
#include "isa/disassembler.h"
#include "isa/names.h"
#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"
#include "sim/run/version.h"
#include "sim/trace/launch_order.h"
#include "sim/trace/trace_text.h"

namespace teslasim {
namespace {

constexpr std::uint32_t bytes_of_a_word = 4;

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
  for (std::uint32_t i = 0; i < traced.parameter_bytes / bytes_of_a_word; ++i)
    spec.parameters.push_back({fmt::format("p{}", i), ValueType::u32, 0, std::nullopt, {}});
  const std::uint32_t statically = static_shared_bytes(spec);
  spec.dynamic_shared_bytes = traced.shared_bytes > statically ? traced.shared_bytes - statically : 0;
  return spec;
}

/// The first bytes of a file, fewer when it is shorter.
std::string start_of(const std::string& path, std::size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string start(bytes, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  start.erase(0, byte_order_mark_bytes(start));
  return start;
}

}  // namespace

bool is_trace_file(const std::string& path) {
  constexpr std::size_t enough = 24;
  const std::string start = start_of(path, enough);
  if (looks_like_trace(start)) return true;
  // By its name, one that is damaged from its first byte on.
  std::error_code error;
  return path.ends_with(".wtrace") && !looks_like_trace_text(start) && std::filesystem::is_regular_file(path, error);
}

bool is_foreign_trace(const std::string& path) {
  return path.ends_with(".g") || path.ends_with(".traceg");
}

void refuse_unconverted_trace(const std::string& path) {
  constexpr std::size_t enough = 24;
  if (!is_foreign_trace(path) && !looks_like_trace_text(start_of(path, enough))) return;
  Diagnostic problem;
  problem.code = "TRACE-TEXT";
  problem.message = "the trace is text, which is converted before it runs";
  problem.where.file = path;
  problem.help = fmt::format("teslasim trace convert {} -o FILE.wtrace", path);
  throw InputError(ExitCode::input, std::move(problem));
}

void refuse_launch_of_trace(const WorkloadRequest& request) {
  const InlineLaunch& launch = request.options;
  const std::array<std::pair<const char*, bool>, 8> options{
      {{"--launch", !request.launch_file.empty()},
       {"--kernel", !launch.kernel.empty()},
       {"--grid", !launch.grid.empty()},
       {"--block", !launch.block.empty()},
       {"--param", !launch.parameters.empty()},
       {"--check", !launch.checks.empty()},
       {"--tol", !launch.tolerance.empty()},
       {"--dynamic-shared", !launch.dynamic_shared_bytes.empty()}}};
  std::vector<std::string> given;
  for (const auto& [name, is_given] : options) {
    if (is_given) given.emplace_back(name);
  }
  if (given.empty()) return;
  Diagnostic problem;
  problem.code = "CLI-TRACE";
  problem.message = fmt::format("{} {} no meaning for a trace: its launches are replayed as they were recorded",
                                fmt::join(given, ", "), given.size() == 1 ? "has" : "have");
  problem.where.file = request.input;
  problem.help = "for another launch, record another trace: teslasim trace record CODE ... -o FILE.wtrace";
  throw InputError(ExitCode::usage, std::move(problem));
}

Workload traced_workload(const TraceReader& reader, const ReadOptions& options) {
  const TraceHeader& header = reader.header();
  auto code = std::make_shared<Module>(read_text_cubin(reader.path(), header.code, options));
  for (Kernel& kernel : code->kernels) kernel.address_slots.clear();  // there are no variables to point to
  const std::shared_ptr<const Module> module = code;
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

std::vector<std::string> listing_lines(const Module& module) {
  std::vector<std::string> lines;
  for (const Kernel& kernel : module.kernels) {
    std::istringstream text(listing(kernel));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

void add_replay_warnings(const TraceReader& reader, const std::string& machine, Workload& workload) {
  const TraceHeader& header = reader.header();
  const auto warn = [&](std::string code, std::string message, std::string note, std::string help) {
    Diagnostic warning;
    warning.severity = Diagnostic::Severity::warning;
    warning.code = std::move(code);
    warning.message = std::move(message);
    warning.where.file = reader.path();
    if (!note.empty()) warning.notes.push_back(std::move(note));
    warning.help = std::move(help);
    workload.warnings.push_back(std::move(warning));
  };
  if (header.approximate)
    warn("TRACE-APPROXIMATE", "the trace was made from one of another program: what comes out is approximate",
         header.unmapped.empty() ? ""
                                 : fmt::format("opcodes without a counterpart: {}", fmt::join(header.unmapped, ", ")),
         "compare it with other replays of the same trace, not with hardware");
  if (!reader.ordered_loads() || (header.timed && header.machine == machine)) return;
  for (std::size_t i = 0; i < workload.launches.size() && i < reader.ordered_loads()->size(); ++i) {
    const std::vector<OrderedLoad>& loads = (*reader.ordered_loads())[i];
    const OrderDependence found = order_dependence(workload.launches[i].kernel_code(), loads);
    if (!found.any()) continue;
    warn("TRACE-ORDER",
         fmt::format("launch {} ('{}'): its {} on the order of warps or on time; the replay repeats that of the "
                     "recording",
                     i, workload.launches[i].kernel,
                     found.path ? found.addresses ? "path and addresses depend" : "path depends" : "addresses depend"),
         header.timed ? "recorded in time on " + header.machine : "recorded in the functional model, block after block",
         "record with --mode timing on this machine: teslasim trace record INPUT -c " + machine + " --mode timing");
  }
}

TraceHeader trace_header(const Workload& workload, const std::vector<Address>& addresses, const std::string& machine,
                         bool timed) {
  TraceHeader header;
  header.name = workload.name;
  header.generator = "teslasim " + std::string(program_version());
  header.machine = machine;
  header.timed = timed;
  const Module& module = *workload.launches.front().module;
  header.code = write_text_cubin(module);
  header.listing = listing_lines(module);
  for (const LaunchSpec& spec : workload.launches)
    header.launches.push_back({spec.kernel, spec.grid, spec.block,
                               static_shared_bytes(spec) + spec.dynamic_shared_bytes,
                               (spec.parameter_bytes() + bytes_of_a_word - 1) / bytes_of_a_word * bytes_of_a_word});
  for (std::size_t i = 0; i < workload.buffers.size(); ++i) {
    const BufferSpec& buffer = workload.buffers[i];
    header.buffers.push_back({buffer.name, std::string(type_name(buffer.type)), buffer.count, addresses.at(i),
                              buffer.count * bytes_of(buffer.type)});
  }
  return header;
}

}  // namespace teslasim
