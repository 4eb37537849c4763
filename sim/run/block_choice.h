// SPDX-License-Identifier: Apache-2.0
// Sampled runs: some of a launch's blocks instead of all, chosen by the user or by what a trace holds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "frontend/workload.h"
#include "sim/exec/warp_stream.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_selection.h"

namespace teslasim {

/// "0-3,7" as ranges; a usage error that names `option` otherwise. Empty text: all numbers.
[[nodiscard]] NumberRanges parse_ranges(std::string_view option, const std::string& text);

/// The options that choose: --blocks and --sms.
struct BlockRequest {
  std::string blocks, sms;
};

/// The blocks of one launch that run, ascending; empty: the whole grid.
using ChosenBlocks = std::vector<std::uint64_t>;

/// One entry per launch. Throws InputError: usage when the request leaves nothing or names what does not exist; input
/// (TRACE-TRUNCATED, TRACE-WARPS) when the trace's blocks are incomplete. `trace` may be nullptr.
[[nodiscard]] std::vector<ChosenBlocks> choose_blocks(const BlockRequest& request, const Workload& workload,
                                                      const TraceReader* trace);

/// Hands blocks 0, 1, 2... to `inner` as `chosen`[0], [1], [2]...; `chosen` must outlive it.
[[nodiscard]] std::unique_ptr<WarpStream> stream_of_chosen(std::unique_ptr<WarpStream> inner,
                                                           const ChosenBlocks& chosen);

}  // namespace teslasim
