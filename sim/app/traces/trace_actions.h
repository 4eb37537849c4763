// SPDX-License-Identifier: Apache-2.0
// The actions of `teslasim trace`, one function each, and what they share.
#pragma once

#include <cstdint>
#include <string>

#include "isa/program.h"
#include "sim/app/cli/command_line.h"
#include "sim/run/console.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_selection.h"

namespace teslasim::trace_actions {

[[nodiscard]] int record(const ParsedOptions& options);
[[nodiscard]] int info(const ParsedOptions& options);
[[nodiscard]] int cat(const ParsedOptions& options);
[[nodiscard]] int verify(const ParsedOptions& options);
[[nodiscard]] int cut(const ParsedOptions& options);
[[nodiscard]] int convert(const ParsedOptions& options);

/// The input behind the action; a usage error when there is none or more.
[[nodiscard]] std::string input_of(const ParsedOptions& options);
/// The file that --output names; a usage error when it exists.
[[nodiscard]] std::string output_of(const ParsedOptions& options);
/// --launches, --blocks, --warps, --sms, --addresses. Names of buffers of `header` are addresses too.
[[nodiscard]] TraceSelection selection_of(const ParsedOptions& options, const TraceHeader* header);
/// The code in a trace.
[[nodiscard]] Module code_of(const TraceReader& reader);

}  // namespace teslasim::trace_actions
