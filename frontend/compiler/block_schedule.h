// SPDX-License-Identifier: Apache-2.0
// Orders of the instructions of one block.
//
// Sources: Gibbons and Muchnick 1986 (list scheduling); Goodman and Hsu 1988, "Code scheduling and register allocation
// in large basic blocks" (two aims, and the number of free registers decides which counts); Sethi and Ullman 1970 (what
// needs more registers first).
#pragma once

#include <vector>

#include "frontend/compiler/block_values.h"

namespace teslasim::compiler {

using BlockOrder = std::vector<InstructionIndex>;

/// As given.
[[nodiscard]] BlockOrder given_order(std::size_t instructions);

/// From the front: what has the longest way to the end goes first, and loads thereby early, as long as no more than
/// `registers` are live; beyond, what frees registers, then the order as given. Where that is not enough the limit that
/// counts is lowered until it is, or the order is the given one.
[[nodiscard]] BlockOrder latency_order(const Dependences& dependences, const BlockValues& values, unsigned registers);

/// From the end: each instruction as near to its readers as it can, what is needed for one result before the next.
[[nodiscard]] BlockOrder pressure_order(const Dependences& dependences, const BlockValues& values);

/// Cycles that a warp waits for results in this order when it issues once in `interval` cycles.
[[nodiscard]] double waiting_cycles(const Dependences& dependences, const BlockOrder& order, LatencyCycles interval);

/// Does the order have each instruction once, and behind all that it depends on?
[[nodiscard]] bool is_allowed(const Dependences& dependences, const BlockOrder& order);

}  // namespace teslasim::compiler
