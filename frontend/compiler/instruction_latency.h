// SPDX-License-Identifier: Apache-2.0
// How long results take, as far as a scheduler needs to know.
//
// One row for a kind of instruction, in SP cycles from issue to the first instruction that can read the result. They
// are a heuristic: a wrong one makes slower code, never wrong code. They are measurements of boards, not the
// simulator's configuration, so that code is the same for every machine it is simulated on. Sources: Volkov and Demmel
// 2008 (arithmetic and shared memory of GeForce 8800 and GTX 280), Collange 2010 (special functions, double precision,
// constants, comparison to guard), CUDA Programming Guide 2.3 (device memory: 400 to 600).
#pragma once

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

using LatencyCycles = unsigned;

/// One warp alone issues at most this often (Collange 2010).
inline constexpr LatencyCycles issue_interval = 8;
/// And this often where six warps take turns, which is what hides arithmetic (Volkov and Demmel 2008).
inline constexpr LatencyCycles shared_issue_interval = 24;

/// What takes as long is a load from device memory, or a call.
inline constexpr LatencyCycles least_far_latency = 500;

/// Of the results in general registers.
[[nodiscard]] LatencyCycles result_latency(const Instruction& instruction);
/// From an instruction that sets flags to one that is guarded by them.
[[nodiscard]] LatencyCycles flags_latency(const Instruction& instruction);
/// Is it a load that takes hundreds of cycles?
[[nodiscard]] bool is_far_load(const Instruction& instruction);

}  // namespace teslasim::compiler
