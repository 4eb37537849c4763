// SPDX-License-Identifier: Apache-2.0
// Selects a part of a trace: launches, blocks, warps, SMs, addresses of device memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/instruction_record.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

/// Numbers as the user lists them: "0-3,7". An empty list means all.
struct NumberRanges {
  struct Range {
    std::uint64_t first = 0, last = 0;
  };
  std::vector<Range> ranges;

  [[nodiscard]] bool all() const { return ranges.empty(); }
  [[nodiscard]] bool contains(std::uint64_t value) const {
    return all() || std::any_of(ranges.begin(), ranges.end(),
                                [value](const Range& range) { return value >= range.first && value <= range.last; });
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Range& range : ranges) {
      text += (text.empty() ? "" : ",") + std::to_string(range.first);
      if (range.last != range.first) text += "-" + std::to_string(range.last);
    }
    return text;
  }
};

struct TraceSelection {
  NumberRanges launches, blocks, warps, sms;
  NumberRanges addresses;  ///< of global memory and textures

  [[nodiscard]] bool contains(const SegmentInfo& segment) const {
    return launches.contains(segment.launch) && blocks.contains(segment.block) && warps.contains(segment.warp) &&
           (sms.all() || (segment.sm != no_sm && sms.contains(segment.sm)));
  }
  /// True when `record` accesses one of the addresses, or any may be accessed.
  [[nodiscard]] bool touches(const InstructionRecord& record) const {
    if (addresses.all()) return true;
    constexpr std::uint8_t global = 0;
    if (record.memory.lanes == 0 || (record.memory_space != global && record.memory_space != texture_space))
      return false;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((record.memory.lanes >> lane & 1U) == 0) continue;
      const std::uint64_t first = record.memory.address[lane], last = first + record.memory.bytes - 1;
      for (const NumberRanges::Range& range : addresses.ranges) {
        if (first <= range.last && last >= range.first) return true;
      }
    }
    return false;
  }
  /// What makes the result less than the launches; "blocks 0-3", one per restriction.
  [[nodiscard]] std::vector<std::string> labels() const {
    std::vector<std::string> labels;
    const auto add = [&labels](const char* what, const NumberRanges& ranges) {
      if (!ranges.all()) labels.push_back(std::string(what) + " " + ranges.text());
    };
    add("blocks", blocks);
    add("warps", warps);
    add("SMs", sms);
    add("blocks that touch the addresses", addresses);
    return labels;
  }
};

}  // namespace teslasim
