// SPDX-License-Identifier: Apache-2.0
// Datasheet of addresses that grow in address registers, as NVIDIA's compiler of 2007 had them.
#include "frontend/compiler/address_growth.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallMachine;

/// B0: pointer = start; B1: do { ...; pointer = pointer + step } while (flags); B2.
struct PointerLoop : SmallMachine {
  VirtualRegister flags = function.add_register(RegisterClass::flags);
  VirtualRegister pointer = general(), next = general();

  PointerLoop() {
    function.blocks.resize(3);
    function.blocks[0].code.push_back(constant_move(pointer, 64));
    function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
    function.blocks[1].end = {MachineEnd::Kind::branch, flags, 5, {1, 2}};
    function.blocks[1].depth = 1;
  }
  VirtualRegister address(std::uint32_t shift = 0) {
    MachineInstruction one = with_result(Opcode::shift_to_address, function.add_register(RegisterClass::address));
    one.instruction.destination[0] = operand(Operand::Kind::address);
    read(one, 0, pointer);
    one.instruction.source[1].kind = Operand::Kind::immediate;
    one.instruction.source[1].immediate = shift;
    code(1).push_back(one);
    return one.result[0];
  }
  VirtualRegister add_to(VirtualRegister of, std::uint32_t window) {
    MachineInstruction one = with_result(Opcode::add_address, function.add_register(RegisterClass::address));
    one.instruction.destination[0] = operand(Operand::Kind::address);
    one.instruction.source[0] = operand(Operand::Kind::address);
    one.source[0] = RegisterTuple(of);
    one.instruction.source[1].kind = Operand::Kind::immediate;
    one.instruction.source[1].immediate = window;
    code(1).push_back(one);
    return one.result[0];
  }
  MachineInstruction& load(VirtualRegister of, std::int32_t offset = 0) {
    MachineInstruction one = with_result(Opcode::mov, general());
    one.instruction.source[0] = operand(Operand::Kind::shared, offset);
    one.memory = of;
    code(1).push_back(one);
    return code(1).back();
  }
  void step(std::uint32_t by) {
    MachineInstruction sum = with_result(Opcode::add, next);
    sum.instruction.form = Form::immediate_form;
    sum.instruction.type = ValueType::u32;
    read(sum, 0, pointer);
    sum.instruction.source[1].kind = Operand::Kind::immediate;
    sum.instruction.source[1].immediate = by;
    code(1).push_back(sum);
    code(1).push_back(copy_of(pointer, next));
  }
  [[nodiscard]] std::ptrdiff_t number_of(Opcode opcode, BlockIndex block) {
    return std::count_if(code(block).begin(), code(block).end(),
                         [&](const MachineInstruction& one) { return one.instruction.opcode == opcode; });
  }
  /// What is left of the loop: accesses, and what moves addresses on.
  void expect_in_loop(std::ptrdiff_t settings, std::ptrdiff_t sums_of_addresses, std::ptrdiff_t sums) {
    EXPECT_EQ(settings, number_of(Opcode::shift_to_address, 1));
    EXPECT_EQ(sums_of_addresses, number_of(Opcode::add_address, 1));
    EXPECT_EQ(sums, number_of(Opcode::add, 1));
  }
};

/// Tests 35 and 36 of decuda's corpus: movsh before the loop, s[$ofs1+=...] in it.
TEST(AddressGrowth, TheOnlyAccessMovesItsAddressOn) {
  PointerLoop loop;
  loop.load(loop.address());
  loop.step(4);
  grow_addresses(loop.function, false);
  loop.expect_in_loop(0, 0, 0);
  EXPECT_EQ(1, loop.number_of(Opcode::shift_to_address, 0));
  ASSERT_EQ(1U, loop.code(1).size());
  const MachineInstruction& access = loop.code(1)[0];
  EXPECT_TRUE(access.steps_memory);
  EXPECT_TRUE(access.instruction.source[0].post_increment);
  EXPECT_EQ(4, access.instruction.source[0].offset);
}

/// The address that is used is the old one: what an access adds is in the register from the start.
TEST(AddressGrowth, TheOffsetOfTheAccessIsAddedBefore) {
  PointerLoop loop;
  loop.load(loop.address(2), 0x30);
  loop.step(0U - 1);
  grow_addresses(loop.function, false);
  ASSERT_EQ(1, loop.number_of(Opcode::add_address, 0));
  EXPECT_EQ(0x30U, loop.code(0).back().instruction.source[1].immediate);
  EXPECT_EQ(-4, loop.code(1)[0].instruction.source[0].offset);
}

TEST(AddressGrowth, SeveralAccessesShareAnAdditionBehindTheTurn) {
  PointerLoop loop;
  const VirtualRegister address = loop.address(2);
  loop.load(address, 0);
  loop.load(address, 4);
  loop.step(3);
  grow_addresses(loop.function, false);
  loop.expect_in_loop(0, 1, 0);
  EXPECT_EQ(12U, loop.code(1).back().instruction.source[1].immediate);
  EXPECT_EQ(loop.code(1)[0].memory, loop.code(1)[1].memory);
  EXPECT_FALSE(loop.code(1)[0].steps_memory);
}

/// Operands step by 16 words at most; the load of compute capability 1.1 by any constant.
TEST(AddressGrowth, LongStepsAreAddedOrLoaded) {
  for (const bool far_loads : {false, true}) {
    PointerLoop loop;
    loop.load(loop.address());
    loop.step(64);
    grow_addresses(loop.function, far_loads);
    loop.expect_in_loop(0, far_loads ? 0 : 1, 0);
    EXPECT_EQ(far_loads ? Opcode::load_shared : Opcode::mov, loop.code(1)[0].instruction.opcode);
  }
}

/// Windows are address registers a constant away from another.
TEST(AddressGrowth, WindowsGrowByThemselves) {
  PointerLoop loop;
  const VirtualRegister near = loop.address();
  loop.load(near);
  loop.load(loop.add_to(near, 0x400));
  loop.step(8);
  grow_addresses(loop.function, false);
  loop.expect_in_loop(0, 0, 0);
  EXPECT_EQ(2, loop.number_of(Opcode::shift_to_address, 0));
  EXPECT_EQ(1, loop.number_of(Opcode::add_address, 0));
  EXPECT_NE(loop.code(1)[0].memory, loop.code(1)[1].memory);
}

TEST(AddressGrowth, AGuardedAccessMovesNothing) {
  PointerLoop loop;
  loop.load(loop.address()).guard = loop.flags;
  loop.step(4);
  grow_addresses(loop.function, false);
  loop.expect_in_loop(0, 1, 0);
  EXPECT_FALSE(loop.code(1)[0].steps_memory);
}

TEST(AddressGrowth, APointerThatIsReadOtherwiseStays) {
  PointerLoop in_loop;
  in_loop.load(in_loop.address());
  in_loop.code(1).push_back(SmallMachine::stored(in_loop.pointer, in_loop.pointer));
  in_loop.step(4);
  grow_addresses(in_loop.function, false);
  in_loop.expect_in_loop(1, 0, 1);
  PointerLoop behind;
  behind.load(behind.address());
  behind.step(4);
  behind.code(2).push_back(SmallMachine::stored(behind.pointer, behind.next));
  grow_addresses(behind.function, false);
  behind.expect_in_loop(1, 0, 1);
}

TEST(AddressGrowth, NoMoreThanAreLeftForPointers) {
  PointerLoop loop;
  for (std::uint32_t shift = 0; shift <= growing_addresses; ++shift) loop.load(loop.address(shift));
  loop.step(4);
  grow_addresses(loop.function, false);
  loop.expect_in_loop(growing_addresses + 1, 0, 1);
}

TEST(AddressGrowth, ALoopThatIsEnteredFromABranchIsLeftAlone) {
  PointerLoop loop;
  loop.function.blocks[0].end = {MachineEnd::Kind::branch, loop.flags, 5, {1, 2}};
  loop.load(loop.address());
  loop.step(4);
  grow_addresses(loop.function, false);
  loop.expect_in_loop(1, 0, 1);
}

}  // namespace
}  // namespace teslasim::compiler
