// SPDX-License-Identifier: Apache-2.0
// Datasheet of the usual order of a block: that of the source, but for the shortest waits.
#include "frontend/compiler/source_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/frontend/compiler/random_block.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::RandomBlock;
using compiler::testing::SmallMachine;
using compiler::testing::SymbolicRun;

BlockOrder order_of(const MachineFunction& function, BlockIndex block = 0) {
  const Dependences dependences(function, block, live_at_ends(function)[block]);
  return source_order(function, block, dependences, copy_targets(function));
}

/// Each word is read from shared memory and added, then something else is computed.
SmallMachine words_and_sums(unsigned words) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  VirtualRegister sum = thread;
  for (unsigned k = 0; k < words; ++k) {
    sum = machine.add(sum, machine.load_shared(thread).result[0]);
    machine.add(thread, thread);
  }
  machine.store(thread, sum);
  return machine;
}

TEST(SourceOrder, OneInstructionStandsBetweenAResultAndItsReaderAndNoMore) {
  const SmallMachine machine = words_and_sums(4);
  EXPECT_EQ(order_of(machine.function), (BlockOrder{0, 2, 1, 3, 5, 4, 6, 8, 7, 9, 11, 10, 12}));
}

TEST(SourceOrder, TwoInstructionsStandBetweenALoadAndItsReader) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  const VirtualRegister first = machine.load(thread);
  const VirtualRegister doubled = machine.add(first, first);
  for (unsigned k = 0; k < 4; ++k) machine.load(thread);
  machine.store(thread, doubled);
  EXPECT_EQ(order_of(machine.function), (BlockOrder{0, 2, 3, 1, 4, 5, 6}));
}

TEST(SourceOrder, TheInstructionsOfAProductFollowEachOther) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  const VirtualRegister half = machine.add(thread, thread);
  machine.code().back().instruction.opcode = Opcode::mul;
  machine.add(half, half);
  machine.add(thread, thread);
  EXPECT_EQ(order_of(machine.function), given_order(3));
}

TEST(SourceOrder, ARoutineStaysAsItIsWritten) {
  SmallMachine machine = words_and_sums(4);
  machine.function.routines.push_back({0, 0, {}});
  EXPECT_EQ(order_of(machine.function), given_order(machine.code().size()));
}

TEST(SourceOrder, LoadsDoNotPassStoresThatMayBeOfTheSameWord) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  for (unsigned k = 0; k < 3; ++k) machine.store(thread, machine.load(thread));
  EXPECT_EQ(order_of(machine.function), given_order(6));
}

TEST(SourceOrder, ACounterGrowsBehindTheLastReaderOfItsOldValue) {
  SmallMachine machine;
  MachineFunction& function = machine.function;
  const VirtualRegister counter = machine.general();
  const VirtualRegister next = machine.add_constant(counter, 1);
  const VirtualRegister twice = machine.add(counter, counter);
  machine.store(function.thread_index, twice);
  function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
  function.blocks.emplace_back();
  function.blocks[1].code.push_back(copy_of(counter, next));
  function.blocks[1].end = {MachineEnd::Kind::jump, no_register, 5, {0, no_block}};
  EXPECT_EQ(order_of(function), (BlockOrder{1, 0, 2}));
}

TEST(SourceOrder, ACounterThatItsReaderNeedsGrowsWhereItStands) {
  SmallMachine machine;
  MachineFunction& function = machine.function;
  const VirtualRegister counter = machine.general();
  const VirtualRegister next = machine.add_constant(counter, 1);
  machine.store(function.thread_index, machine.add(counter, next));
  function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
  function.blocks.emplace_back();
  function.blocks[1].code.push_back(copy_of(counter, next));
  function.blocks[1].end = {MachineEnd::Kind::jump, no_register, 5, {0, no_block}};
  EXPECT_EQ(order_of(function), (BlockOrder{0, 1, 2}));
}

RC_GTEST_PROP(SourceOrder, ComputesWhatTheSourceDoes, ()) {
  const RandomBlock block;
  MachineFunction function = block.function();
  const Dependences dependences(function, RandomBlock::place, live_at_ends(function)[RandomBlock::place]);
  const BlockOrder order = order_of(function, RandomBlock::place);
  RC_ASSERT(is_allowed(dependences, order));
  std::vector<MachineInstruction> code;
  for (const InstructionIndex one : order) code.push_back(function.blocks[RandomBlock::place].code[one]);
  function.blocks[RandomBlock::place].code = std::move(code);
  RC_ASSERT(SymbolicRun(block.function()).memory() == SymbolicRun(function).memory());
}

}  // namespace
}  // namespace teslasim::compiler
