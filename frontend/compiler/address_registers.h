// SPDX-License-Identifier: Apache-2.0
// What passes that move address registers out of loops ask: where a loop is entered, how long it is, how many address
// registers it leaves.
#pragma once

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "frontend/compiler/loops.h"
#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Of seven; one is left for what later passes need.
inline constexpr std::size_t most_live_addresses = 6;

/// Precondition: before registers are allocated; blocks and branches stay as they are.
class AddressRegisters {
 public:
  using Set = std::unordered_set<VirtualRegister>;

  explicit AddressRegisters(const MachineFunction& function);

  [[nodiscard]] const FlowGraph& graph() const { return graph_; }
  /// Larger than the cache: instructions of four bytes are worth more there, and those name three address registers
  /// only.
  [[nodiscard]] bool is_large(const NaturalLoop& loop) const;
  /// The most address registers that are live at once in the loop, without these.
  [[nodiscard]] std::size_t most_live(const NaturalLoop& loop, const Set& without) const;

 private:
  [[nodiscard]] std::size_t step_through(BlockIndex block, Set& live, const Set& without) const;

  const MachineFunction& function_;
  FlowGraph graph_;
};

/// The register of an address, set from a general register or another address without a guard.
[[nodiscard]] bool sets_address(const MachineInstruction& one);

}  // namespace teslasim::compiler
