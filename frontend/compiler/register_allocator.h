// SPDX-License-Identifier: Apache-2.0
// Numbers for registers, by colouring.
//
// Sources: Chaitin 1982, "Register allocation and spilling via graph coloring"; Briggs, Cooper, Torczon 1994,
// "Improvements to graph coloring register allocation" (optimistic colouring); Matula and Beck 1983, "Smallest-last
// ordering" (the order, which keeps the number of registers small: it decides how many warps an SM holds).
#pragma once

#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// A thread has $r0 to $r123; $r124 reads as zero in NVIDIA's code and $o127 is the bit bucket.
inline constexpr unsigned most_general_registers = 124;
/// $c0 to $c3, and $a1 to $a7.
inline constexpr unsigned most_flag_registers = 4, most_address_registers = 7;

struct RegisterAllocation {
  std::vector<std::uint8_t> number{};  ///< of each virtual register in its class; $a registers count from 1
  unsigned general_registers = 0;      ///< used
};

/// Keeps values in local memory while there are more than `limit`; uses more, up to all that a thread may have, where
/// that is not enough. Changes the code: copies, loads and stores. Precondition: flags and address registers are never
/// more than the chip has.
[[nodiscard]] RegisterAllocation allocate_registers(MachineFunction& function, unsigned limit);

}  // namespace teslasim::compiler
