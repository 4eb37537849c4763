// SPDX-License-Identifier: Apache-2.0
// Values leave their registers: to local memory, or they are made again where they are read.
//
// A value in memory is stored behind each definition and loaded before a reader, unless the reader stands so near to
// the last access that the register is thought to last. A constant, a word of the launch or of constant memory is
// cheaper to make again than to load, and needs no memory (Briggs, Cooper, Torczon 1992, "Rematerialization").
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// A loop is thought to run ten times.
inline constexpr double runs_of_a_loop = 10;
/// An access to local memory counts as so many arithmetic instructions: 32 lanes move 128 bytes through the TPC.
inline constexpr double local_access_cost = 8;

class SpillRewriter {
 public:
  explicit SpillRewriter(const MachineFunction& function);

  /// Registers that stand for a spilled value around one access, which cannot be spilled again.
  [[nodiscard]] bool is_temporary(VirtualRegister one) const { return temporaries_.contains(one); }
  void move_out(MachineFunction& function, const std::vector<VirtualRegister>& spilled);

 private:
  VirtualRegister thread_index_;
  std::unordered_set<VirtualRegister> temporaries_{};
};

/// Registers that one instruction defines which reads nothing that changes, with that instruction.
[[nodiscard]] std::unordered_map<VirtualRegister, MachineInstruction> cheap_definitions(
    const MachineFunction& function);

/// What each register costs when it moves out, in issues of an instruction; a loop is thought to run ten times.
[[nodiscard]] std::vector<double> spill_costs(const MachineFunction& function);

}  // namespace teslasim::compiler
