// SPDX-License-Identifier: Apache-2.0
// A launch under way as text: what each warp of each SM does and what stands in the queues, for somebody who wonders
// what a long run is at.
#pragma once

#include <string>

namespace teslasim {

class Gpu;
struct Launch;

/// Between two quanta: an SM may be some cycles ahead of the units behind it. Idle SMs and empty queues are left out.
/// Cycles are SP cycles.
[[nodiscard]] std::string machine_snapshot(const Gpu& gpu, const Launch& launch);

}  // namespace teslasim
