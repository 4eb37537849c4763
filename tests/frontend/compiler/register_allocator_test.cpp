// SPDX-License-Identifier: Apache-2.0
// Datasheet of registers and of what leaves them.
#include "frontend/compiler/register_allocator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "frontend/compiler/pressure_spills.h"
#include "tests/frontend/compiler/random_block.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::count;
using compiler::testing::many_loaded_values;
using compiler::testing::RandomBlock;
using compiler::testing::SmallMachine;
using compiler::testing::SymbolicRun;

TEST(Allocation, UsesNoMoreThanAreLiveAtOnce) {
  SmallMachine machine = many_loaded_values(10);
  EXPECT_EQ(allocate_registers(machine.function, 20).general_registers, 11U);
  EXPECT_EQ(count(machine.function, Opcode::store_local), 0);
}

/// Accesses move $ofs1 to $ofs4 and $ofs7 on, no others.
TEST(Allocation, AddressesThatAccessesMoveOnHaveRegistersThatCan) {
  SmallMachine machine;
  std::vector<VirtualRegister> addresses;
  for (unsigned k = 0; k < 7; ++k) {
    MachineInstruction set =
        SmallMachine::with_result(Opcode::shift_to_address, machine.function.add_register(RegisterClass::address));
    set.instruction.destination[0] = SmallMachine::operand(Operand::Kind::address);
    SmallMachine::read(set, 0, machine.function.thread_index);
    set.instruction.source[1].kind = Operand::Kind::immediate;
    set.instruction.source[1].immediate = k;
    addresses.push_back(machine.append(set).result[0]);
  }
  for (unsigned k = 0; k < 7; ++k) {
    MachineInstruction& access = machine.append(machine.load_shared(addresses[k]));
    access.steps_memory = access.instruction.source[0].post_increment = k >= 3;
  }
  const RegisterAllocation allocation = allocate_registers(machine.function, 16);
  for (unsigned k = 3; k < 7; ++k) {
    EXPECT_NE(allocation.number[addresses[k]], 5) << k;
    EXPECT_NE(allocation.number[addresses[k]], 6) << k;
  }
}

TEST(Spills, OneStoreForEachValueTooManyAndOneLoad) {
  SmallMachine machine = many_loaded_values(20);
  EXPECT_LE(allocate_registers(machine.function, 11).general_registers, 11U);
  // 21 are live with 11 registers; the last sums are made where nothing is crowded.
  EXPECT_LE(count(machine.function, Opcode::store_local), 11);
  EXPECT_EQ(count(machine.function, Opcode::load_local), count(machine.function, Opcode::store_local));
}

TEST(Spills, ConstantsAreMadeAgain) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  std::vector<VirtualRegister> constants;
  for (unsigned k = 0; k < 20; ++k) constants.push_back(machine.constant(1000 + k));
  VirtualRegister sum = thread;
  for (const VirtualRegister one : constants) sum = machine.add(sum, one);
  machine.store(sum, sum);
  EXPECT_LE(allocate_registers(machine.function, 8).general_registers, 8U);
  EXPECT_EQ(count(machine.function, Opcode::store_local), 0);
  EXPECT_EQ(machine.function.local_bytes, 0U);
  EXPECT_EQ(count(machine.function, Opcode::mov), 20);
}

TEST(Spills, AValueThatIsReadTwiceInARowIsLoadedOnce) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  const VirtualRegister value = machine.load(thread);
  for (unsigned k = 0; k < 8; ++k) machine.store(thread, thread);
  machine.store(thread, value);
  machine.store(thread, value);
  SpillRewriter(machine.function).move_out(machine.function, {value});
  EXPECT_EQ(count(machine.function, Opcode::store_local), 1);
  EXPECT_EQ(count(machine.function, Opcode::load_local), 1);
}

RC_GTEST_PROP(Allocation, RegistersOfTheChipComputeTheSame, ()) {
  const RandomBlock block(static_cast<std::size_t>(*rc::gen::inRange(2, 14)), 100);
  MachineFunction function = block.function();
  const auto limit = static_cast<unsigned>(*rc::gen::inRange(6, 20));
  const RegisterAllocation allocation = allocate_registers(function, limit);
  RC_ASSERT(allocation.general_registers <= limit);
  RC_ASSERT(SymbolicRun(block.function()).memory() ==
            SymbolicRun(function, &allocation, block.function().local_bytes).memory());
}

}  // namespace
}  // namespace teslasim::compiler
