// SPDX-License-Identifier: Apache-2.0
// Writes down what a warp stream does, without changing it.
//
// Stands for nothing on the chip. Each issued instruction is encoded for its warp; the segments of a block are written
// when the block ends, or earlier when they grow.
// Not recorded: values. Texture reads are refused, since their texels are not part of the format yet.
#pragma once

#include <memory>

#include "sim/exec/execution_stream.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

/// Device addresses of local memory depend on where a warp runs; traces hold them relative to the warp's own window.
[[nodiscard]] std::uint32_t local_base_of(const Launch& launch, const ExecutionStreamOptions& options, unsigned warp);

/// A stream that hands everything to `inner` and writes it to `writer` as launch number `launch_number`. Both must
/// outlive it, `launch` too.
[[nodiscard]] std::unique_ptr<WarpStream> record_stream(std::unique_ptr<WarpStream> inner, const Launch& launch,
                                                        const ExecutionStreamOptions& options, TraceWriter& writer,
                                                        std::uint32_t launch_number);

}  // namespace teslasim
