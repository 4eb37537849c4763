// SPDX-License-Identifier: Apache-2.0
// How many registers a block needs while its instructions are put in some order.
//
// A register that is written anew holds another value from there on: a value lives from its definition, or the start of
// the block, to its last access, or the end. Counts general registers only, and not where they must stand: pairs and
// values that cannot share a register may need more.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/compiler/dependences.h"

namespace teslasim::compiler {

using BlockValue = std::uint32_t;

class BlockValues {
 public:
  BlockValues(const MachineFunction& function, BlockIndex block, const LiveSet& live_out);

  struct Value {
    std::uint32_t accesses = 0;  ///< instructions that need it, its definition not counted
    bool live_in = false, live_out = false;
    [[nodiscard]] bool wanted() const { return accesses != 0 || live_out; }
  };
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  /// Values that an instruction reads, or keeps where its guard says no; those it makes.
  [[nodiscard]] const std::vector<BlockValue>& accessed(InstructionIndex one) const { return accessed_[one]; }
  [[nodiscard]] const std::vector<BlockValue>& made(InstructionIndex one) const { return made_[one]; }
  /// Registers that are live through the block and that it does not touch.
  [[nodiscard]] unsigned untouched() const { return untouched_; }
  /// The most registers that are live at once in this order.
  [[nodiscard]] unsigned pressure(const std::vector<InstructionIndex>& order) const;

 private:
  void visit(const MachineFunction& function, const MachineInstruction& one, InstructionIndex at);

  std::vector<Value> values_{};
  std::vector<std::vector<BlockValue>> accessed_{}, made_{};
  std::vector<BlockValue> current_{};  ///< of each register, while the block is gone through
  unsigned untouched_ = 0;
};

/// Registers that are live, step by step through an order from the front.
class ForwardPressure {
 public:
  explicit ForwardPressure(const BlockValues& values);
  /// What issuing an instruction now would add; negative when registers become free.
  [[nodiscard]] int change(InstructionIndex one) const;
  void issue(InstructionIndex one);
  [[nodiscard]] unsigned live() const { return live_; }
  /// The most so far.
  [[nodiscard]] unsigned most() const { return most_; }

 private:
  const BlockValues& values_;
  std::vector<std::uint32_t> waiting_{};
  unsigned live_ = 0, most_ = 0;
};

}  // namespace teslasim::compiler
