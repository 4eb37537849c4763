// SPDX-License-Identifier: Apache-2.0
// Writes down what a warp stream does, without changing it.
//
// Stands for nothing on the chip. Each issued instruction is encoded for its warp; the segments of a block are written
// when the block ends, or earlier when they grow large. Not recorded: values.
#pragma once

#include <memory>

#include "sim/exec/execution_stream.h"
#include "sim/trace/launch_order.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_selection.h"

namespace teslasim {

/// A segment ends when it reaches this size.
inline constexpr std::size_t trace_segment_bytes = 16U << 10U;

/// Device addresses of local memory depend on where a warp runs; traces hold them relative to the warp's own window.
[[nodiscard]] std::uint32_t local_base_of(const Launch& launch, const ExecutionStreamOptions& options, WarpSlot warp);

/// Where instructions go and which of them.
struct TraceRecording {
  TraceWriter* writer = nullptr;
  LaunchOrder* order = nullptr;  ///< begun for this launch; nullptr: what loads saw is not tracked
  std::uint32_t launch = 0;      ///< number in the trace
  bool timed = false;            ///< streams are SMs
  TraceSelection selection;      ///< blocks and SMs
};

/// A stream that hands everything to `inner` and records it. `launch` and what `recording` points to must outlive it.
[[nodiscard]] std::unique_ptr<WarpStream> record_stream(std::unique_ptr<WarpStream> inner, const Launch& launch,
                                                        const ExecutionStreamOptions& options,
                                                        const TraceRecording& recording);

}  // namespace teslasim
