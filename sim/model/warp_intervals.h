// SPDX-License-Identifier: Apache-2.0
// Divides the path of one warp into intervals, by a replay in which the warp is alone and every result takes its
// unloaded latency.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"
#include "sim/model/kernel_profile.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// A run of instructions issued at the full rate, and the stall after it, in SP cycles.
struct WarpInterval {
  std::uint64_t instructions = 0;
  std::uint64_t stall = 0;
  bool memory = false;  ///< a global, local or texture load ended the stall
  std::uint64_t count = 1;
};

/// Equal intervals are merged, in the order of their first occurrence; there are never more than a few hundred kinds.
/// Not modelled: barriers (the warp is alone), queues, the divergence of other warps.
[[nodiscard]] std::vector<WarpInterval> warp_intervals(const Kernel& kernel, const std::vector<WarpStep>& path,
                                                       const SmSpec& spec, double load_latency);

}  // namespace teslasim
