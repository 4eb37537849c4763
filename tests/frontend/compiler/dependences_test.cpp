// SPDX-License-Identifier: Apache-2.0
// Datasheet of what must come before what: the accesses to memory of long blocks, and how many edges say it.
#include "frontend/compiler/dependences.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/frontend/compiler/random_block.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::RandomBlock;
using compiler::testing::SmallMachine;

std::size_t edges_of(const MachineFunction& function) {
  const Dependences dependences(function, 0, live_at_ends(function)[0]);
  std::size_t count = 0;
  for (InstructionIndex one = 0; one < dependences.size(); ++one) count += dependences.successors(one).size();
  return count;
}

/// What each instruction stands behind, through any number of edges.
std::vector<std::vector<bool>> reached_by(const Dependences& dependences) {
  std::vector<std::vector<bool>> before(dependences.size(), std::vector<bool>(dependences.size()));
  for (InstructionIndex one = 0; one < dependences.size(); ++one) {
    for (const InstructionIndex other : dependences.predecessors(one)) {
      before[one][other] = true;
      for (InstructionIndex k = 0; k < other; ++k) before[one][k] = before[one][k] || before[other][k];
    }
  }
  return before;
}

RC_GTEST_PROP(Dependences, ConflictingAccessesKeepTheirOrder, ()) {
  const RandomBlock random;
  const MachineFunction& function = random.function();
  const BlockIndex block = RandomBlock::place;
  const Dependences dependences(function, block, live_at_ends(function)[block]);
  const std::vector<std::vector<bool>> before = reached_by(dependences);
  const std::vector<MachineInstruction>& code = function.blocks[block].code;
  for (InstructionIndex one = 0; one < code.size(); ++one) {
    for (InstructionIndex other = 0; other < one; ++other) {
      if (conflict(memory_access(code[other]), memory_access(code[one]))) RC_ASSERT(before[one][other]);
    }
  }
}

TEST(Dependences, ALongBlockOfLoadsAndStoresHasFewEdges) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  constexpr std::size_t accesses = 2000;
  for (std::size_t k = 0; k < accesses / 2; ++k) machine.store(thread, machine.load(thread));
  EXPECT_LT(edges_of(machine.function), 4 * accesses);
}

TEST(Dependences, ALongBlockOfClocksHasFewEdges) {
  SmallMachine machine;
  constexpr std::size_t clocks = 1000;
  for (std::size_t k = 0; k < clocks; ++k) {
    MachineInstruction clock = SmallMachine::with_result(Opcode::mov_from_special, machine.general());
    clock.instruction.source[0] = SmallMachine::operand(Operand::Kind::special);
    clock.instruction.source[0].index = 1;
    machine.append(clock);
    (void)machine.constant(1000);
  }
  EXPECT_LT(edges_of(machine.function), 8 * clocks);
}

}  // namespace
}  // namespace teslasim::compiler
