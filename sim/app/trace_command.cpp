// SPDX-License-Identifier: Apache-2.0
// `teslasim trace record|info|cat|verify`: warp traces.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "frontend/cubin/text_cubin.h"
#include "isa/disassembler.h"
#include "sim/app/command_functions.h"
#include "sim/app/console.h"
#include "sim/app/run_settings.h"
#include "sim/app/signals.h"
#include "sim/app/watched_run.h"
#include "sim/app/workload_run.h"
#include "sim/report/format.h"
#include "sim/trace/trace_contents.h"
#include "sim/trace/trace_file.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 5> own_table{{
    {"output", 'o', Arity::value, "FILE.wtrace", "record: the trace to write, which must not exist"},
    {"mode", 0, Arity::value, "functional|timing", "record: from which model (default functional)"},
    {"launch-number", 0, Arity::value, "N", "cat: only this launch (from 0)"},
    {"blocks", 0, Arity::value, "A[-B]", "cat: only these blocks"},
    {"warps", 0, Arity::value, "A[-B]", "cat: only these warps of each block"},
}};

std::vector<Option> trace_options() {
  std::vector<Option> options(own_table.begin(), own_table.end());
  options.insert(options.end(), workload_options().begin(), workload_options().end());
  return options;
}

/// The input behind the action.
std::string input_of(const ParsedOptions& options) {
  if (options.inputs().size() != 2)
    usage_error("CLI-INPUT", "trace takes an action and one file", "teslasim trace info FILE.wtrace");
  return options.inputs()[1];
}

void refuse_existing(const std::string& path) {
  if (path.empty()) usage_error("CLI-VALUE", "record needs a file to write", "add -o FILE.wtrace");
  std::error_code error;
  if (std::filesystem::exists(path, error))
    usage_error("CLI-VALUE", "'" + path + "' exists: traces are never overwritten", "choose another name");
}

int record(const ParsedOptions& options) {
  constexpr std::array<std::string_view, 2> modes{"functional", "timing"};
  const std::string output = options.text("output");
  refuse_existing(output);
  RunSettings settings;
  settings.workload = workload_request_for(options, input_of(options));
  settings.configs = options.all("config");
  settings.sets = machine_sets(options);
  settings.mode = options.choice("mode", modes) == "timing" ? Mode::timing : Mode::functional;
  const ConsoleOptions console = console_options(options);
  const PreparedRun prepared = prepare(std::move(settings));
  if (!console.quiet) print_diagnostics(prepared.workload.warnings, console.errors);
  WorkloadRun simulation(prepared);
  simulation.record_to(output);
  const RunOutcome outcome = run_watched(prepared, simulation, console.progress);
  print_diagnostics(outcome.errors, console.errors);
  if (outcome.result.status == RunStatus::interrupted) return 128 + caught_signal();
  if (outcome.result.status == RunStatus::kernel_error) return static_cast<int>(ExitCode::kernel);
  if (outcome.result.status == RunStatus::stuck) return static_cast<int>(ExitCode::stuck);
  const TraceWriter& writer = *simulation.trace();
  if (!console.quiet) {
    const double per_instruction = writer.instructions() == 0 ? 0.0
                                                              : static_cast<double>(writer.file_bytes()) /
                                                                    static_cast<double>(writer.instructions());
    print_result(fmt::format("{}: {} warp instructions, {} bytes, {:.2f} bytes per instruction, {:.1f} s\n", output,
                             grouped(writer.instructions()), grouped(writer.file_bytes()), per_instruction,
                             outcome.result.host.seconds));
  }
  return 0;
}

std::uint64_t instructions_of(const TraceReader& reader, std::uint32_t launch) {
  std::uint64_t count = 0;
  for (const SegmentInfo& segment : reader.segments()) count += segment.launch == launch ? segment.instructions : 0;
  return count;
}

int info(const ParsedOptions& options) {
  const TraceReader reader(input_of(options));
  const TraceHeader& header = reader.header();
  std::string text = fmt::format("{}: trace of {}, recorded by {} on {} ({})\n", reader.path(), header.name,
                                 header.generator, header.machine, header.timed ? "timing" : "functional");
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < header.launches.size(); ++i) {
    const TracedLaunch& launch = header.launches[i];
    const std::uint64_t count = instructions_of(reader, static_cast<std::uint32_t>(i));
    all += count;
    text +=
        fmt::format("  launch {}: {}  {}x{} CTAs x {}x{}x{} threads  {} warp instructions\n", i, launch.kernel,
                    launch.grid[0], launch.grid[1], launch.block[0], launch.block[1], launch.block[2], grouped(count));
  }
  for (const TracedBuffer& buffer : header.buffers)
    text += fmt::format("  buffer {}: {}[{}] at {:#010x}\n", buffer.name, buffer.type, buffer.count, buffer.address);
  text += fmt::format("  {} bytes in {} chunks, {:.2f} bytes per warp instruction\n", grouped(reader.file_bytes()),
                      reader.chunks().size(),
                      all == 0 ? 0.0 : static_cast<double>(reader.file_bytes()) / static_cast<double>(all));
  if (reader.truncated()) text += "  TRUNCATED: the writer did not finish; this is what the complete chunks hold\n";
  print_result(text);
  return 0;
}

int verify(const ParsedOptions& options) {
  TraceReader reader(input_of(options));
  const Module module = read_text_cubin(reader.path(), reader.header().code);
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < reader.chunks().size(); ++i) (void)reader.chunk(i);
  for (const SegmentInfo& segment : reader.segments()) {
    if (segment.launch >= reader.header().launches.size())
      reader.damaged(
          fmt::format("chunk {}: a segment of launch {}, which does not exist", segment.chunk, segment.launch),
          reader.chunks()[segment.chunk].offset);
    instructions += for_each_instruction(reader, module, segment, [](const InstructionRecord&) {});
  }
  print_result(fmt::format("{}: {} chunks and {} warp instructions are as they were written{}\n", reader.path(),
                           reader.chunks().size(), grouped(instructions),
                           reader.truncated() ? "; TRUNCATED: the writer did not finish" : ""));
  return static_cast<int>(reader.truncated() ? ExitCode::check_failed : ExitCode::done);
}

struct Range {
  std::uint64_t first = 0, last = ~std::uint64_t{0};
  [[nodiscard]] bool contains(std::uint64_t value) const { return value >= first && value <= last; }
};

Range range_of(const ParsedOptions& options, std::string_view name) {
  const std::string text = options.text(name);
  if (text.empty()) return {};
  const std::size_t dash = text.find('-');
  const auto number = [&](const std::string& part) -> std::uint64_t {
    const bool digits = !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == std::string::npos;
    if (!digits)
      usage_error("CLI-VALUE", fmt::format("--{} takes a number or two with '-', got '{}'", name, text),
                  fmt::format("for example --{} 0-3", name));
    return std::stoull(part);
  };
  const std::uint64_t first = number(text.substr(0, dash));
  return {first, dash == std::string::npos ? first : number(text.substr(dash + 1))};
}

std::string access_text(std::string_view space, const AddressRecord& access) {
  if (access.lanes == 0) return "";
  std::string text = fmt::format("  {}{}:", space, access.bytes);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((access.lanes >> lane & 1U) != 0) text += fmt::format(" {:x}", access.address[lane]);
  }
  return text;
}

std::string line_of(const SegmentInfo& segment, const Kernel& kernel, const InstructionRecord& record) {
  constexpr std::array<std::string_view, 3> spaces{"g", "l", "t"};
  const Instruction& instruction = kernel.code[record.index];
  return fmt::format("{} {} {} {:06x} {:08x} {:08x} {}{}{}{}{}{}\n", segment.launch, segment.block, segment.warp,
                     instruction.pc, record.active, record.executed, to_text(instruction, &kernel),
                     record.divergent ? "  divergent" : "", record.finished ? "  finished" : "",
                     access_text("s", record.shared), access_text("c", record.constant),
                     access_text(spaces.at(record.memory_space), record.memory));
}

int cat(const ParsedOptions& options) {
  TraceReader reader(input_of(options));
  const Module module = read_text_cubin(reader.path(), reader.header().code);
  const Range launches = range_of(options, "launch-number");
  const Range blocks = range_of(options, "blocks");
  const Range warps = range_of(options, "warps");
  print_result(
      "launch block warp pc active executed text, then what it accesses: space and bytes, addresses by lane\n");
  for (const SegmentInfo& segment : reader.segments()) {
    if (!launches.contains(segment.launch) || !blocks.contains(segment.block) || !warps.contains(segment.warp))
      continue;
    const Kernel& kernel = kernel_of_segment(reader, module, segment);
    std::string text;
    (void)for_each_instruction(reader, module, segment,
                               [&](const InstructionRecord& record) { text += line_of(segment, kernel, record); });
    print_result(text);
  }
  return 0;
}

}  // namespace

int trace_command(const Arguments& arguments) {
  const std::vector<Option> own = trace_options();
  const ParsedOptions options = parse_options(arguments, with_common(own), "trace");
  if (answered_help(options, "trace", own)) return 0;
  const std::string action = options.inputs().empty() ? "" : options.inputs().front();
  if (action == "record") return record(options);
  if (action == "info") return info(options);
  if (action == "cat") return cat(options);
  if (action == "verify") return verify(options);
  usage_error("CLI-COMMAND", action.empty() ? "trace needs an action" : "there is no action 'trace " + action + "'",
              "the actions are: record, info, cat, verify");
}

}  // namespace teslasim
