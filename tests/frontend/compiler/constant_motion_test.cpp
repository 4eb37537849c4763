// SPDX-License-Identifier: Apache-2.0
// Constants that leave loops.
#include "frontend/compiler/constant_motion.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallMachine;

constexpr unsigned plenty = 16;

/// 0 -> 1, 1 -> 1 or 2.
struct LoopWithConstants : SmallMachine {
  VirtualRegister flags = function.add_register(RegisterClass::flags);

  LoopWithConstants() {
    function.blocks.resize(3);
    function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
    function.blocks[1].end = {MachineEnd::Kind::branch, flags, 5, {1, 2}};
    function.blocks[1].depth = 1;
  }
  VirtualRegister constant(std::uint32_t value, BlockIndex block = 1) {
    const VirtualRegister result = general();
    code(block).push_back(constant_move(result, value));
    return result;
  }
  void store_in(BlockIndex block, VirtualRegister address, VirtualRegister value) {
    code(block).push_back(stored(address, value));
  }
  /// Reads two words that stand side by side.
  void store_pair(VirtualRegister address, VirtualRegister low, VirtualRegister high) {
    MachineInstruction one = stored(address, low);
    one.source[0].add(high);
    code(1).push_back(one);
  }
  [[nodiscard]] std::ptrdiff_t moves_in(BlockIndex block) {
    return std::count_if(code(block).begin(), code(block).end(),
                         [](const MachineInstruction& one) { return one.instruction.opcode == Opcode::mov; });
  }
};

TEST(ConstantMotion, EqualOnesBecomeOneBeforeTheLoop) {
  LoopWithConstants loop;
  loop.store_in(1, loop.function.thread_index, loop.constant(7));
  loop.store_in(1, loop.function.thread_index, loop.constant(7));
  EXPECT_TRUE(hoist_constants(loop.function, plenty));
  EXPECT_EQ(1, loop.moves_in(0));
  EXPECT_EQ(0, loop.moves_in(1));
  EXPECT_EQ(loop.code(1)[0].source[0][0], loop.code(0)[0].result[0]);
  EXPECT_EQ(loop.code(1)[1].source[0][0], loop.code(0)[0].result[0]);
}

TEST(ConstantMotion, PairsStayTogether) {
  LoopWithConstants loop;
  for (const std::uint32_t high : {1U, 2U, 1U}) {
    const VirtualRegister low = loop.constant(0);
    loop.store_pair(loop.function.thread_index, low, loop.constant(high));
  }
  EXPECT_TRUE(hoist_constants(loop.function, plenty));
  EXPECT_EQ(4, loop.moves_in(0)) << "0 with 1, and another 0 with 2";
  EXPECT_EQ(0, loop.moves_in(1));
  EXPECT_EQ(loop.code(1)[0].source[0][1], loop.code(1)[2].source[0][1]);
  EXPECT_NE(loop.code(1)[0].source[0][0], loop.code(1)[1].source[0][0]);
}

TEST(ConstantMotion, MovesNoMoreThanRegistersAllow) {
  LoopWithConstants loop;
  for (const std::uint32_t value : {7U, 8U, 9U, 8U}) loop.store_in(1, loop.function.thread_index, loop.constant(value));
  EXPECT_FALSE(hoist_constants(loop.function, 0)) << "the thread's number and one constant are live in the loop";
  EXPECT_TRUE(hoist_constants(loop.function, 1));
  ASSERT_EQ(1, loop.moves_in(0));
  EXPECT_EQ(8U, loop.code(0)[0].instruction.source[0].immediate) << "that of most moves";
  EXPECT_EQ(2, loop.moves_in(1));
}

TEST(ConstantMotion, WhatTheLoopAlsoSetsStays) {
  LoopWithConstants loop;
  const VirtualRegister sum = loop.constant(7);
  loop.code(1).push_back(constant_move(sum, 8));
  loop.store_in(1, loop.function.thread_index, sum);
  EXPECT_FALSE(hoist_constants(loop.function, plenty));
}

TEST(ConstantMotion, AnEntryThatLeadsElsewhereTooTakesNone) {
  LoopWithConstants loop;
  loop.function.blocks[0].end = {MachineEnd::Kind::branch, loop.flags, 5, {1, 2}};
  loop.store_in(1, loop.function.thread_index, loop.constant(7));
  EXPECT_FALSE(hoist_constants(loop.function, plenty));
}

}  // namespace
}  // namespace teslasim::compiler
