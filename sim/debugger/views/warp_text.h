// SPDX-License-Identifier: Apache-2.0
// Warps of an SM as text: their table, registers, divergence stacks, and where they stand in the code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/program.h"
#include "sim/debugger/commands/command.h"
#include "sim/exec/launch.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/warp_view.h"

namespace teslasim {

/// Lanes of a warp that its block has threads for. `number`: of the warp in its block.
[[nodiscard]] LaneMask launched_lanes(const Launch& launch, unsigned number);
/// A line for each warp; `current` is marked. Cycles are SP cycles.
[[nodiscard]] std::string warp_table(const std::vector<WarpView>& warps, const Kernel& kernel, WarpSlot current);
/// "3 mem.global, 5 dep.alu", in the order of the table of states.
[[nodiscard]] std::string state_counts(const std::vector<WarpView>& warps);
/// The registers and flags that the kernel names, of the lanes or of one of them.
[[nodiscard]] std::string register_text(const Kernel& kernel, const WarpValues& values, LaneMask lanes,
                                        std::optional<unsigned> lane);
/// The lanes that run, and each entry of the stack, the top first.
[[nodiscard]] std::string stack_text(const Kernel& kernel, const WarpView& warp, std::span<const StackEntry> entries);
/// Instructions from `first` up to `end`, with the warps that issue them next.
[[nodiscard]] std::string code_text(const Kernel& kernel, const std::vector<WarpView>& warps, std::size_t first,
                                    std::size_t end, std::optional<std::uint32_t> marked);

}  // namespace teslasim
