// SPDX-License-Identifier: Apache-2.0
// Which blocks of a trace a cut keeps, where that takes a look at their instructions.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "isa/program.h"
#include "sim/run/console.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_selection.h"

namespace teslasim {

/// Launch and number within it.
using BlockName = std::pair<std::uint32_t, std::uint64_t>;

/// Blocks with an access to the selected addresses.
[[nodiscard]] std::set<BlockName> blocks_that_touch(TraceReader& reader, const Module& module,
                                                    const TraceSelection& selection, ProgressStyle style);

/// Blocks of a truncated trace whose warps have all finished.
[[nodiscard]] std::set<BlockName> complete_blocks(TraceReader& reader, const Module& module);

}  // namespace teslasim
