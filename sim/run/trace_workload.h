// SPDX-License-Identifier: Apache-2.0
// Traces as input of a run, and runs as content of a trace.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/read_options.h"
#include "frontend/workload.h"
#include "frontend/workload/read/load.h"
#include "sim/base/types.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

/// True when the file exists and begins as a trace does.
[[nodiscard]] bool is_trace_file(const std::string& path);
/// True for a `kernelslist.g` or `.traceg` file, by name.
[[nodiscard]] bool is_foreign_trace(const std::string& path);

/// Throws InputError (input, TRACE-TEXT) for a text trace or one of another program: those are converted first.
void refuse_unconverted_trace(const std::string& path);
/// Throws InputError (usage, CLI-TRACE) when a launch is given for a trace, which has its own.
void refuse_launch_of_trace(const WorkloadRequest& request);

/// The launches of a trace. They have no buffers: a replay computes nothing. Throws InputError when the code cannot be
/// read for the machine of `options`.
[[nodiscard]] Workload traced_workload(const TraceReader& reader, const ReadOptions& options);

/// Warns of what may make a replay on `machine` differ from execution there: TRACE-ORDER, TRACE-APPROXIMATE.
void add_replay_warnings(const TraceReader& reader, const std::string& machine, Workload& workload);

/// Address and decuda text of every instruction, for TraceHeader::listing.
[[nodiscard]] std::vector<std::string> listing_lines(const Module& module);

/// What a trace of `workload` begins with; `addresses[i]` is where Workload::buffers[i] lies.
[[nodiscard]] TraceHeader trace_header(const Workload& workload, const std::vector<Address>& addresses,
                                       const std::string& machine, bool timed);

}  // namespace teslasim
