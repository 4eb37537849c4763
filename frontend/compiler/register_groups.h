// SPDX-License-Identifier: Apache-2.0
// Registers that must stand side by side, and registers that may be one.
//
// A group is a row of slots; each slot is a set of virtual registers that share one register of the chip. Pairs begin
// at an even register, rows of four at a multiple of four.
#pragma once

#include <vector>

#include "frontend/compiler/interference.h"
#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

using GroupIndex = std::uint32_t;
inline constexpr GroupIndex no_group = ~GroupIndex{0};

struct RegisterSlot {
  GroupIndex group = no_group;
  std::uint32_t slot = 0;
};

struct RegisterGroup {
  std::vector<std::vector<VirtualRegister>> slots{};
  unsigned alignment = 1;
  bool fixed = false;              ///< begins at $r0
  unsigned reach = all_registers;  ///< numbers below this one
};

struct RegisterGroups {
  std::vector<RegisterGroup> groups{};
  std::vector<RegisterSlot> places{};  ///< of each virtual register
};

/// Below which number each register must lie: 128, 64 where a half is named, half of that in the immediate form.
[[nodiscard]] std::vector<unsigned> register_reaches(const MachineFunction& function);

/// Immediates that the registers around them cannot have in one instruction move to registers of their own.
/// Returns whether there were any.
bool widen_immediates(MachineFunction& function, const RegisterGroups& groups, GroupIndex group);

/// Copies into rows of their own where a register is wanted in two places; after it `group_registers` succeeds.
void separate_tuples(MachineFunction& function);

/// Groups by the tuples of instructions, merged where moves allow it.
[[nodiscard]] RegisterGroups group_registers(const MachineFunction& function, const Interference& interference);

}  // namespace teslasim::compiler
