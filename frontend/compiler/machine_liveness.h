// SPDX-License-Identifier: Apache-2.0
// Which registers hold something that is still wanted, at the ends of blocks.
//
// One register after the other, from its readers upwards (Appel 1998, Modern Compiler Implementation in ML, section
// 10.1): the work is in proportion to what is found, not to the number of registers times that of blocks.
#pragma once

#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// A set of registers: sorted, as few of thousands are live at once.
class LiveSet {
 public:
  void insert(VirtualRegister one);
  void remove(VirtualRegister one);
  [[nodiscard]] bool contains(VirtualRegister one) const;
  /// In ascending order.
  template <typename Function>
  void for_each(const Function& function) const {
    for (const VirtualRegister one : registers_) function(one);
  }

 private:
  std::vector<VirtualRegister> registers_{};
};

/// Registers that are live at the end of each block.
[[nodiscard]] std::vector<LiveSet> live_at_ends(const MachineFunction& function);

/// Goes from what is live behind an instruction to what is live before it.
void step_back(LiveSet& live, const MachineInstruction& instruction);

}  // namespace teslasim::compiler
