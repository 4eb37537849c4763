// SPDX-License-Identifier: Apache-2.0
// `teslasim trace info|cat|verify`: what a trace holds.
#include <fmt/format.h>

#include "isa/disassembler.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/traces/trace_actions.h"
#include "sim/base/diagnostic.h"
#include "sim/report/text/format.h"
#include "sim/run/action_progress.h"
#include "sim/trace/launch_order.h"
#include "sim/trace/record_check.h"
#include "sim/trace/trace_contents.h"
#include "sim/trace/trace_text.h"

namespace teslasim::trace_actions {
namespace {

struct LaunchContent {
  std::uint64_t instructions = 0, blocks = 0;
};

LaunchContent content_of(const TraceReader& reader, std::uint32_t launch) {
  LaunchContent content;
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint32_t position : reader.in_warp_order(launch)) {
    const SegmentInfo& segment = reader.segments()[position];
    content.instructions += segment.instructions;
    content.blocks += segment.block != last ? 1 : 0;
    last = segment.block;
  }
  return content;
}

const Kernel* kernel_named(const Module& module, const std::string& name) {
  for (const Kernel& kernel : module.kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

/// Which loads saw values of the same launch, and what hangs on them.
std::string order_text(const TraceReader& reader, const Module& module, std::uint32_t launch) {
  const Kernel* const kernel = kernel_named(module, reader.header().launches[launch].kernel);
  if (!reader.ordered_loads() || launch >= reader.ordered_loads()->size() || kernel == nullptr)
    return "    order of warps: not known\n";
  const std::vector<OrderedLoad>& loads = (*reader.ordered_loads())[launch];
  const OrderDependence found = order_dependence(*kernel, loads);
  std::string text;
  for (const OrderedLoad& load : loads) {
    if (load.index >= kernel->code.size()) continue;
    const Instruction& instruction = kernel->code[load.index];
    text += fmt::format(
        "    {:06x} {}: saw values written in this launch by another block {} times, by another warp of "
        "its block {} times\n",
        instruction.pc, to_text(instruction, kernel), grouped(load.from_blocks), grouped(load.from_warps));
  }
  if (found.reads_clock) text += "    reads %clock\n";
  if (found.reads_place) text += "    reads %physid\n";
  if (!found.any()) return text + "    order of warps: neither path nor addresses depend on it: valid on any machine\n";
  return text + fmt::format("    order of warps: {} on it; another machine may go another way\n",
                            found.path ? found.addresses ? "path and addresses depend" : "the path depends"
                                       : "addresses depend");
}

std::string launch_text(const TraceReader& reader, const Module& module, std::uint32_t number) {
  const TracedLaunch& launch = reader.header().launches[number];
  const LaunchContent content = content_of(reader, number);
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  std::string text = fmt::format("  launch {}: {}  {}x{} blocks x {}x{}x{} threads  {} warp instructions\n", number,
                                 launch.kernel, launch.grid[0], launch.grid[1], launch.block[0], launch.block[1],
                                 launch.block[2], grouped(content.instructions));
  if (content.blocks != blocks) text += fmt::format("    {} of {} blocks\n", grouped(content.blocks), grouped(blocks));
  return text + order_text(reader, module, number);
}

void show_progress_line(std::string& text, const TraceReader& reader, std::uint64_t instructions) {
  text += fmt::format(
      "  {} bytes in {} chunks, {:.2f} bytes per warp instruction\n", grouped(reader.file_bytes()),
      reader.chunks().size(),
      instructions == 0 ? 0.0 : static_cast<double>(reader.file_bytes()) / static_cast<double>(instructions));
}

}  // namespace

int info(const ParsedOptions& options) {
  const TraceReader reader(input_of(options));
  const TraceHeader& header = reader.header();
  const Module module = code_of(reader);
  std::string text = fmt::format("{}: trace of {}, recorded by {} on {} ({})\n", reader.path(), header.name,
                                 header.generator, header.machine, header.timed ? "timing" : "functional");
  if (header.approximate) {
    text += "  APPROXIMATE: made from another program's trace; instructions are stand-ins of the same class\n";
    for (const std::string& opcode : header.unmapped) text += fmt::format("    no counterpart: {}\n", opcode);
  }
  for (const std::string& label : header.sampled) text += fmt::format("  SAMPLED: {}\n", label);
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < header.launches.size(); ++i) text += launch_text(reader, module, i);
  for (const SegmentInfo& segment : reader.segments()) instructions += segment.instructions;
  for (const TracedBuffer& buffer : header.buffers)
    text += fmt::format("  buffer {}: {}[{}] at {:#010x}\n", buffer.name, buffer.type, buffer.count, buffer.address);
  show_progress_line(text, reader, instructions);
  if (reader.truncated()) text += "  TRUNCATED: the writer did not finish; this is what the complete chunks hold\n";
  print_result(text);
  return 0;
}

int verify(const ParsedOptions& options) {
  TraceReader reader(input_of(options));
  const Module module = code_of(reader);
  std::uint64_t instructions = 0;
  ActionProgress progress("verify", console_options(options).progress, reader.file_bytes());
  for (std::uint32_t i = 0; i < reader.chunks().size(); ++i) {
    (void)reader.chunk(i);
    progress.look(reader.chunks()[i].offset / 2);
  }
  for (const SegmentInfo& segment : reader.segments()) {
    const Kernel& kernel = kernel_of_segment(reader, module, segment);
    const RecordCheck check(kernel);
    instructions += for_each_instruction(reader, module, segment, [&](const InstructionRecord& record) {
      if (!check.fits(record)) throw TraceDamage(check.problem(record));
    });
    progress.look((reader.file_bytes() + reader.chunks()[segment.chunk].offset) / 2);
  }
  print_result(fmt::format("{}: {} chunks and {} warp instructions are as they were written{}\n", reader.path(),
                           reader.chunks().size(), grouped(instructions),
                           reader.truncated() ? "; TRUNCATED: the writer did not finish" : ""));
  return static_cast<int>(reader.truncated() ? ExitCode::check_failed : ExitCode::done);
}

int cat(const ParsedOptions& options) {
  TraceReader reader(input_of(options));
  const Module module = code_of(reader);
  const TraceSelection selection = selection_of(options, &reader.header());
  std::uint64_t lines = 0;
  for (const SegmentInfo& segment : reader.segments()) {
    if (!selection.contains(segment)) continue;
    const Kernel& kernel = kernel_of_segment(reader, module, segment);
    std::string text;
    (void)for_each_instruction(reader, module, segment, [&](const InstructionRecord& record) {
      if (!selection.touches(record)) return;
      text += trace_text_line(kernel, record, to_text(kernel.code[record.index], &kernel));
      ++lines;
    });
    if (!text.empty()) print_result(trace_text_segment(segment) + text);
  }
  if (lines == 0) print_notice("nothing of the trace is in the ranges\n");
  return 0;
}

}  // namespace teslasim::trace_actions
