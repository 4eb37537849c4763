// SPDX-License-Identifier: Apache-2.0
// How many registers a block needs while its instructions are put in some order.
//
// A register that is written anew holds another value from there on: a value lives from its definition, or the start of
// the block, to its last access, or the end. Counts general registers only, and not where they must stand: pairs and
// values that cannot share a register may need more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "frontend/compiler/dependences.h"

namespace teslasim::compiler {

using BlockValue = std::uint32_t;

class BlockValues {
 public:
  BlockValues(const MachineFunction& function, BlockIndex block, const LiveSet& live_out);

  struct Value {
    std::uint32_t accesses = 0;         ///< instructions that need it, its definition not counted
    std::uint64_t sum_of_accesses = 0;  ///< of their indices: with one left, it is that one
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
  /// Of each register, while the block is gone through.
  using CurrentValues = std::unordered_map<VirtualRegister, BlockValue>;
  void visit(const MachineFunction& function, const MachineInstruction& one, InstructionIndex at,
             CurrentValues& current);

  std::vector<Value> values_{};
  std::vector<std::vector<BlockValue>> accessed_{}, made_{};
  unsigned untouched_ = 0;
};

/// Registers that are live, step by step through an order from the front.
class ForwardPressure {
 public:
  explicit ForwardPressure(const BlockValues& values);
  /// What issuing an instruction now would add; negative when registers become free.
  [[nodiscard]] int change(InstructionIndex one) const;
  void issue(InstructionIndex one) {
    issue(one, [](InstructionIndex) {});
  }
  /// Calls `eased` with each instruction that adds less from now on, as only it is left to need some value.
  template <typename Function>
  void issue(InstructionIndex one, const Function& eased);
  [[nodiscard]] unsigned live() const { return live_; }
  /// The most so far.
  [[nodiscard]] unsigned most() const { return most_; }

 private:
  const BlockValues& values_;
  /// Instructions not yet issued that need a value: how many, and the sum of their indices.
  struct Waiting {
    std::uint32_t count = 0;
    std::uint64_t sum = 0;
  };
  std::vector<Waiting> waiting_{};
  unsigned live_ = 0, most_ = 0;
};

template <typename Function>
void ForwardPressure::issue(InstructionIndex one, const Function& eased) {
  live_ = static_cast<unsigned>(static_cast<int>(live_) + change(one));
  most_ = std::max(most_, live_);
  for (const BlockValue value : values_.accessed(one)) {
    Waiting& left = waiting_[value];
    --left.count;
    left.sum -= one;
    if (left.count == 1 && !values_.values()[value].live_out) eased(static_cast<InstructionIndex>(left.sum));
  }
}

}  // namespace teslasim::compiler
