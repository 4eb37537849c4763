// SPDX-License-Identifier: Apache-2.0
// Address registers that leave loops.
#include "frontend/compiler/address_motion.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallMachine;

/// 0 -> 1, 1 -> 1 or 2.
struct Loop : SmallMachine {
  VirtualRegister flags = function.add_register(RegisterClass::flags);
  VirtualRegister base = general();

  Loop() {
    function.blocks.resize(3);
    function.blocks[0].code.push_back(constant_move(base, 64));
    function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
    function.blocks[1].end = {MachineEnd::Kind::branch, flags, 5, {1, 2}};
    function.blocks[1].depth = 1;
  }
  VirtualRegister address_in(BlockIndex block, VirtualRegister value, std::uint32_t shift) {
    MachineInstruction one = with_result(Opcode::shift_to_address, function.add_register(RegisterClass::address));
    one.instruction.destination[0] = operand(Operand::Kind::address);
    read(one, 0, value);
    one.instruction.source[1].kind = Operand::Kind::immediate;
    one.instruction.source[1].immediate = shift;
    code(block).push_back(one);
    return one.result[0];
  }
  VirtualRegister load_in(BlockIndex block, VirtualRegister address) {
    MachineInstruction one = with_result(Opcode::load_shared, general());
    one.instruction.source[0] = operand(Operand::Kind::shared);
    one.memory = address;
    code(block).push_back(one);
    return one.result[0];
  }
  [[nodiscard]] std::ptrdiff_t set_in(BlockIndex block) {
    return std::count_if(code(block).begin(), code(block).end(), [](const MachineInstruction& one) {
      return one.instruction.opcode == Opcode::shift_to_address;
    });
  }
};

TEST(AddressMotion, WhatEachTurnSetsToTheSameIsSetBefore) {
  Loop loop;
  loop.load_in(1, loop.address_in(1, loop.base, 2));
  hoist_address_registers(loop.function);
  EXPECT_EQ(1, loop.set_in(0));
  EXPECT_EQ(0, loop.set_in(1));
}

TEST(AddressMotion, EqualOnesBecomeOne) {
  Loop loop;
  loop.load_in(1, loop.address_in(1, loop.base, 2));
  loop.load_in(1, loop.address_in(1, loop.base, 2));
  loop.load_in(1, loop.address_in(1, loop.base, 3));
  hoist_address_registers(loop.function);
  EXPECT_EQ(2, loop.set_in(0));
  EXPECT_EQ(0, loop.set_in(1));
  EXPECT_EQ(loop.code(1)[0].memory, loop.code(1)[1].memory);
  EXPECT_NE(loop.code(1)[1].memory, loop.code(1)[2].memory);
}

TEST(AddressMotion, WhatTheLoopChangesStays) {
  Loop loop;
  const VirtualRegister loaded = loop.load_in(1, loop.address_in(1, loop.base, 2));
  loop.load_in(1, loop.address_in(1, loaded, 2));
  hoist_address_registers(loop.function);
  EXPECT_EQ(1, loop.set_in(0));
  EXPECT_EQ(1, loop.set_in(1));
}

TEST(AddressMotion, AGuardedOneStays) {
  Loop loop;
  const VirtualRegister address = loop.address_in(1, loop.base, 2);
  loop.code(1).back().guard = loop.flags;
  loop.load_in(1, address);
  hoist_address_registers(loop.function);
  EXPECT_EQ(0, loop.set_in(0));
}

TEST(AddressMotion, NoMoreLiveThanTheChipHas) {
  Loop loop;
  for (std::uint32_t shift = 0; shift < 12; ++shift) loop.load_in(1, loop.address_in(1, loop.base, shift));
  hoist_address_registers(loop.function);
  EXPECT_GE(loop.set_in(0), 4);
  EXPECT_LE(loop.set_in(0), 6);
  EXPECT_EQ(12, loop.set_in(0) + loop.set_in(1));
}

TEST(AddressMotion, ALoopThatIsEnteredFromABranchIsLeftAlone) {
  Loop loop;
  loop.function.blocks[0].end = {MachineEnd::Kind::branch, loop.flags, 5, {1, 2}};
  loop.load_in(1, loop.address_in(1, loop.base, 2));
  hoist_address_registers(loop.function);
  EXPECT_EQ(0, loop.set_in(0));
}

}  // namespace
}  // namespace teslasim::compiler
