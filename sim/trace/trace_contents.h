// SPDX-License-Identifier: Apache-2.0
// Going through the instructions of a trace, segment by segment.
#pragma once

#include <algorithm>
#include <string>

#include "isa/program.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

/// The kernel whose instructions a segment holds; damage when the trace names a launch or kernel that it does not have.
[[nodiscard]] inline const Kernel& kernel_of_segment(const TraceReader& reader, const Module& module,
                                                     const SegmentInfo& segment) {
  const auto& launches = reader.header().launches;
  if (segment.launch < launches.size()) {
    for (const Kernel& kernel : module.kernels) {
      if (kernel.name == launches[segment.launch].kernel) return kernel;
    }
  }
  reader.damaged("chunk " + std::to_string(segment.chunk) + ": a segment belongs to launch " +
                     std::to_string(segment.launch) + ", which the trace does not describe",
                 reader.chunks().at(segment.chunk).offset);
}

/// Calls `visit` for every instruction of the segment and returns how many there were.
template <typename Visit>
std::uint64_t for_each_instruction(TraceReader& reader, const Module& module, const SegmentInfo& segment, Visit visit) {
  SegmentDecoder decoder(kernel_of_segment(reader, module, segment));
  InstructionRecord record;
  try {
    decoder.open(reader.bytes_of_segment(segment), segment.instructions);
    while (!decoder.at_end()) {
      decoder.next(record);
      visit(record);
    }
  } catch (const TraceDamage& damage) {
    reader.damaged("chunk " + std::to_string(segment.chunk) + ": " + damage.what(),
                   reader.chunks().at(segment.chunk).offset);
  }
  return segment.instructions;
}

}  // namespace teslasim
