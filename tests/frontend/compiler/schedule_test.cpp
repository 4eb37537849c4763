// SPDX-License-Identifier: Apache-2.0
// Datasheet of what order and registers make of each other.
#include "frontend/compiler/schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/frontend/compiler/random_block.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::count;
using compiler::testing::many_loaded_values;
using compiler::testing::RandomBlock;
using compiler::testing::SmallMachine;
using compiler::testing::SymbolicRun;

/// Each of `values` is loaded and added before the next one is loaded.
SmallMachine loads_and_sums(unsigned values) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  VirtualRegister sum = thread;
  for (unsigned k = 0; k < values; ++k) sum = machine.add(sum, machine.load(thread));
  machine.store(thread, sum);
  return machine;
}

/// Loads that stand before the first sum.
std::ptrdiff_t loads_in_front(const MachineFunction& function) {
  const std::vector<MachineInstruction>& code = function.blocks[0].code;
  return std::find_if(code.begin(), code.end(),
                      [](const MachineInstruction& one) { return one.instruction.opcode == Opcode::add; }) -
         code.begin();
}

TEST(Schedule, NothingIsSpilledWhereAnOrderAvoidsIt) {
  SmallMachine machine = many_loaded_values(40);
  EXPECT_LE(schedule_and_allocate(machine.function, 8).general_registers, 8U);
  EXPECT_EQ(count(machine.function, Opcode::store_local), 0);
  SmallMachine in_given_order = many_loaded_values(40);
  (void)allocate_registers(in_given_order.function, 8);
  EXPECT_GT(count(in_given_order.function, Opcode::store_local), 20);
}

TEST(Schedule, TheOrderOfTheSourceStaysWhateverRegistersItTakes) {
  SmallMachine machine = many_loaded_values(40);
  const auto in_front = loads_in_front(machine.function);
  EXPECT_GT(schedule_and_allocate(machine.function, 124).general_registers, 40U);
  EXPECT_EQ(loads_in_front(machine.function), in_front);
}

TEST(Schedule, LoadsStayWithTheirUsesButForTheShortestWaits) {
  SmallMachine machine = loads_and_sums(30);
  EXPECT_LE(schedule_and_allocate(machine.function, 124).general_registers, 5U);
  EXPECT_EQ(loads_in_front(machine.function), 3) << "what the first sum reads is two loads behind it";
}

TEST(Schedule, MoreRegistersAreOnlyTakenForAGain) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  VirtualRegister sum = machine.load(thread);
  for (unsigned k = 0; k < 20; ++k) sum = machine.add_constant(sum, k);
  machine.store(thread, sum);
  EXPECT_EQ(schedule_and_allocate(machine.function, 124).general_registers, 2U);
}

TEST(Schedule, FencesKeepTheirPlaceAndVanish) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  machine.store(thread, machine.add(machine.load(thread), thread));
  MachineInstruction fence;
  fence.instruction.opcode = Opcode::nop;
  fence.ordered = fence.order_only = true;
  machine.append(fence);
  machine.store(thread, machine.load(thread));
  (void)schedule_and_allocate(machine.function, 124);
  EXPECT_EQ(machine.code().size(), 5U);
  EXPECT_EQ(count(machine.function, Opcode::nop), 0);
  EXPECT_EQ(machine.code()[2].instruction.opcode, Opcode::store_global);
}

RC_GTEST_PROP(Schedule, RegistersOfTheChipComputeTheSame, ()) {
  const RandomBlock block(static_cast<std::size_t>(*rc::gen::inRange(2, 14)), 100);
  MachineFunction function = block.function();
  const auto limit = static_cast<unsigned>(*rc::gen::inRange(6, 30));
  const RegisterAllocation allocation = schedule_and_allocate(function, limit);
  RC_ASSERT(allocation.general_registers <= limit);
  RC_ASSERT(SymbolicRun(block.function()).memory() ==
            SymbolicRun(function, &allocation, block.function().local_bytes).memory());
}

}  // namespace
}  // namespace teslasim::compiler
