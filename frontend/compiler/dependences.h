// SPDX-License-Identifier: Apache-2.0
// What in a block must come before what: registers, flags, memory.
//
// Stands for every order of the instructions of a block that computes the same. Edges go forward in the order in which
// the block was given, so that order is always one of them. Memory as memory_access.h says.
//
// Flags and address registers are few: each gets one of the chip's here, the one that was free longest, and an order
// that would need another one more is not among those allowed. Source: Gibbons and Muchnick 1986, "Efficient
// instruction scheduling for a pipelined architecture".
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/compiler/instruction_latency.h"
#include "frontend/compiler/machine.h"
#include "frontend/compiler/machine_liveness.h"
#include "frontend/compiler/memory_access.h"

namespace teslasim::compiler {

using InstructionIndex = std::uint32_t;

struct Dependence {
  InstructionIndex to = 0;
  LatencyCycles latency = 0;
};

class Dependences {
 public:
  /// `live_out`: registers that are wanted behind the block.
  Dependences(const MachineFunction& function, BlockIndex block, const LiveSet& live_out);

  [[nodiscard]] std::size_t size() const { return successors_.size(); }
  [[nodiscard]] const std::vector<Dependence>& successors(InstructionIndex one) const { return successors_[one]; }
  [[nodiscard]] const std::vector<InstructionIndex>& predecessors(InstructionIndex one) const {
    return predecessors_[one];
  }
  /// Cycles from the issue of an instruction to the end of the block, on the longest way.
  [[nodiscard]] LatencyCycles height(InstructionIndex one) const { return heights_[one]; }

 private:
  friend class DependenceFinder;
  void add(InstructionIndex from, InstructionIndex to, LatencyCycles latency);
  void find_heights(const MachineBlock& block);

  std::vector<std::vector<Dependence>> successors_;
  std::vector<std::vector<InstructionIndex>> predecessors_;
  std::vector<LatencyCycles> heights_;
};

}  // namespace teslasim::compiler
