// SPDX-License-Identifier: Apache-2.0
// What a trace holds, for people: launches, buffers, sizes, and what of it depends on the order of warps.
#pragma once

#include <string>

#include "isa/program.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

/// `module` is the code in the trace.
[[nodiscard]] std::string trace_info_text(const TraceReader& reader, const Module& module);

}  // namespace teslasim
