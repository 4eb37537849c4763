// SPDX-License-Identifier: Apache-2.0
#include "sim/run/trace_blocks.h"

#include <span>

#include "sim/run/action_progress.h"
#include "sim/trace/trace_contents.h"

namespace teslasim {

std::set<BlockName> blocks_that_touch(TraceReader& reader, const Module& module, const TraceSelection& selection,
                                      ProgressStyle style) {
  std::set<BlockName> blocks;
  ActionProgress progress("look for the addresses", style, reader.file_bytes());
  for (const SegmentInfo& segment : reader.segments()) {
    const BlockName name{segment.launch, segment.block};
    if (!selection.contains(segment) || blocks.contains(name)) continue;
    bool touched = false;
    (void)for_each_instruction(reader, module, segment, [&](const InstructionRecord& record) {
      touched = touched || selection.touches(record);
    });
    if (touched) blocks.insert(name);
    progress.look(reader.chunks()[segment.chunk].offset);
  }
  return blocks;
}

std::set<BlockName> complete_blocks(TraceReader& reader, const Module& module) {
  std::set<BlockName> blocks;
  for (std::uint32_t launch = 0; launch < reader.header().launches.size(); ++launch) {
    const auto& block = reader.header().launches[launch].block;
    const std::size_t warps = (std::size_t{block[0]} * block[1] * block[2] + warp_size - 1) / warp_size;
    const std::span<const std::uint32_t> positions = reader.in_warp_order(launch);
    std::size_t complete = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const SegmentInfo& segment = reader.segments()[positions[i]];
      const SegmentInfo* const next = i + 1 < positions.size() ? &reader.segments()[positions[i + 1]] : nullptr;
      const bool last_of_warp = next == nullptr || next->block != segment.block || next->warp != segment.warp;
      if (!last_of_warp) continue;
      bool finished = false;
      (void)for_each_instruction(reader, module, segment,
                                 [&](const InstructionRecord& record) { finished = record.finished; });
      complete += finished ? 1 : 0;
      const bool last_of_block = next == nullptr || next->block != segment.block;
      if (last_of_block && complete == warps) blocks.insert({launch, segment.block});
      if (last_of_block) complete = 0;
    }
  }
  return blocks;
}

}  // namespace teslasim
