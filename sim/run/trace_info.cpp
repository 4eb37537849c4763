// SPDX-License-Identifier: Apache-2.0
#include "sim/run/trace_info.h"

#include <fmt/format.h>

#include "isa/disassembler.h"
#include "sim/report/text/format.h"
#include "sim/trace/launch_order.h"

namespace teslasim {
namespace {

struct TracedContent {
  std::uint64_t instructions = 0, blocks = 0;
};

TracedContent traced_content_of(const TraceReader& reader, std::uint32_t launch) {
  TracedContent content;
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint32_t position : reader.in_warp_order(launch)) {
    const SegmentInfo& segment = reader.segments()[position];
    content.instructions += segment.instructions;
    content.blocks += segment.block != last ? 1 : 0;
    last = segment.block;
  }
  return content;
}

const Kernel* traced_kernel(const Module& module, const std::string& name) {
  for (const Kernel& kernel : module.kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

/// Which loads saw values of the same launch, and what hangs on them.
std::string traced_order_text(const TraceReader& reader, const Module& module, std::uint32_t launch) {
  const Kernel* const kernel = traced_kernel(module, reader.header().launches[launch].kernel);
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

std::string traced_launch_text(const TraceReader& reader, const Module& module, std::uint32_t number) {
  const TracedLaunch& launch = reader.header().launches[number];
  const TracedContent content = traced_content_of(reader, number);
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  std::string text = fmt::format("  launch {}: {}  {}x{} blocks x {}x{}x{} threads  {} warp instructions\n", number,
                                 launch.kernel, launch.grid[0], launch.grid[1], launch.block[0], launch.block[1],
                                 launch.block[2], grouped(content.instructions));
  if (content.blocks != blocks) text += fmt::format("    {} of {} blocks\n", grouped(content.blocks), grouped(blocks));
  return text + traced_order_text(reader, module, number);
}

std::string trace_size_line(const TraceReader& reader, std::uint64_t instructions) {
  return fmt::format(
      "  {} bytes in {} chunks, {:.2f} bytes per warp instruction\n", grouped(reader.file_bytes()),
      reader.chunks().size(),
      instructions == 0 ? 0.0 : static_cast<double>(reader.file_bytes()) / static_cast<double>(instructions));
}

}  // namespace

std::string trace_info_text(const TraceReader& reader, const Module& module) {
  const TraceHeader& header = reader.header();
  std::string text = fmt::format("{}: trace of {}, recorded by {} on {} ({})\n", reader.path(), header.name,
                                 header.generator, header.machine, header.timed ? "timing" : "functional");
  if (header.approximate) {
    text += "  APPROXIMATE: made from another program's trace; instructions are stand-ins of the same class\n";
    for (const std::string& opcode : header.unmapped) text += fmt::format("    no counterpart: {}\n", opcode);
  }
  for (const std::string& label : header.sampled) text += fmt::format("  SAMPLED: {}\n", label);
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < header.launches.size(); ++i) text += traced_launch_text(reader, module, i);
  for (const SegmentInfo& segment : reader.segments()) instructions += segment.instructions;
  for (const TracedBuffer& buffer : header.buffers)
    text += fmt::format("  buffer {}: {}[{}] at {:#010x}\n", buffer.name, buffer.type, buffer.count, buffer.address);
  text += trace_size_line(reader, instructions);
  if (reader.truncated()) text += "  TRUNCATED: the writer did not finish; this is what the complete chunks hold\n";
  return text;
}

}  // namespace teslasim
