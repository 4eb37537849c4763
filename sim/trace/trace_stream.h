// SPDX-License-Identifier: Apache-2.0
// The warp stream that replays: the instructions of a recorded launch instead of their execution.
//
// Takes the place of ExecutionStream; the pipeline cannot tell them apart. There are no values: what stores write to
// device memory is meaningless. Errors: InputError (exit code `input`): TRACE-BLOCK when the trace lacks a block of the
// launch, TRACE-DAMAGE.
#pragma once

#include <memory>

#include "sim/exec/execution_stream.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

/// `launch` must be launch number `launch_number` of the trace; its kernel must be the trace's own code.
[[nodiscard]] std::unique_ptr<WarpStream> replay_stream(const Launch& launch, const ExecutionStreamOptions& options,
                                                        TraceReader& reader, std::uint32_t launch_number);

}  // namespace teslasim
