// SPDX-License-Identifier: Apache-2.0
// Values that a guarded move takes: which are computed under the guard instead.
#include "frontend/compiler/guarded_results.h"

#include <gtest/gtest.h>

#include "frontend/compiler/machine_builder.h"
#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::count;
using compiler::testing::SmallMachine;

struct Guarded : SmallMachine {
  VirtualRegister left = general(), right = general(), kept = general();
  VirtualRegister flags = function.add_register(RegisterClass::flags);

  void move(VirtualRegister value) {
    MachineInstruction one = copy_of(kept, value);
    one.guard = flags;
    one.instruction.condition = condition_true;
    append(one);
  }
  /// Did the value's instruction take the place of the move?
  [[nodiscard]] bool takes_its_place(std::size_t instructions_before) {
    const std::size_t before = code().size();
    compute_under_guards(function);
    if (code().size() == before) return false;
    const MachineInstruction& last = code().back();
    EXPECT_EQ(before - 1, code().size());
    EXPECT_EQ(instructions_before, code().size() - 1);
    EXPECT_EQ(kept, last.result[0]);
    EXPECT_EQ(flags, last.guard);
    EXPECT_TRUE(last.keeps_result());
    return true;
  }
};

TEST(GuardedResults, AValueOfOneReaderIsComputedUnderTheGuard) {
  Guarded machine;
  machine.move(machine.add(machine.left, machine.right));
  EXPECT_TRUE(machine.takes_its_place(0));
  EXPECT_EQ(Opcode::add, machine.code().back().instruction.opcode);
}

TEST(GuardedResults, AValueThatOthersReadStays) {
  Guarded machine;
  const VirtualRegister sum = machine.add(machine.left, machine.right);
  machine.move(sum);
  machine.store(machine.left, sum);
  EXPECT_FALSE(machine.takes_its_place(0));
}

TEST(GuardedResults, NothingWaitsWhileItsSourceChanges) {
  Guarded machine;
  const VirtualRegister sum = machine.add(machine.left, machine.right);
  machine.append(constant_move(machine.left, 1));
  machine.move(sum);
  EXPECT_FALSE(machine.takes_its_place(1));
}

TEST(GuardedResults, LoadsDoNotWaitOverStores) {
  Guarded before, over;
  before.move(before.load(before.left));
  EXPECT_TRUE(before.takes_its_place(0));
  const VirtualRegister loaded = over.load(over.left);
  over.store(over.right, over.right);
  over.move(loaded);
  EXPECT_FALSE(over.takes_its_place(1));
}

TEST(GuardedResults, SumsWaitOverStores) {
  Guarded machine;
  const VirtualRegister sum = machine.add(machine.left, machine.right);
  machine.store(machine.right, machine.right);
  machine.move(sum);
  EXPECT_TRUE(machine.takes_its_place(1));
}

TEST(GuardedResults, WhatAlsoSetsFlagsStays) {
  Guarded machine;
  const VirtualRegister sum = machine.add(machine.left, machine.right);
  machine.code().back().flag_result = machine.function.add_register(RegisterClass::flags);
  machine.move(sum);
  EXPECT_FALSE(machine.takes_its_place(0));
}

TEST(GuardedResults, AnAtomicOperationIsNotLeftOutForAnyThread) {
  Guarded machine;
  MachineInstruction atomic = SmallMachine::with_result(Opcode::atom, machine.general());
  atomic.instruction.source[0] = SmallMachine::operand(Operand::Kind::global);
  atomic.memory = machine.left;
  machine.move(machine.append(atomic).result[0]);
  EXPECT_FALSE(machine.takes_its_place(0));
}

/// set flags; address = left + right; value = s[address] under the guard.
struct GuardedReader : SmallMachine {
  VirtualRegister left = general(), right = general();
  VirtualRegister flags = function.add_register(RegisterClass::flags);

  void set_flags() {
    MachineInstruction one;
    one.instruction.opcode = Opcode::set;
    one.instruction.destination[0] = operand(Operand::Kind::discard);
    read(one, 0, left);
    read(one, 1, right);
    one.flag_result = flags;
    one.instruction.flag_destination = 0;
    append(one);
  }
  void store_under_guard(VirtualRegister address, std::uint8_t condition = condition_true) {
    MachineInstruction one = stored(address, left);
    one.guard = flags;
    one.instruction.condition = condition;
    append(one);
  }
  [[nodiscard]] const MachineInstruction& sum() {
    return *std::find_if(code().begin(), code().end(),
                         [](const MachineInstruction& one) { return one.instruction.opcode == Opcode::add; });
  }
};

/// FlexGrip's reduction: the sums of an address under the guard of the access.
TEST(GuardedSources, WhatOnlyGuardedInstructionsReadIsGuarded) {
  GuardedReader machine;
  machine.set_flags();
  machine.store_under_guard(machine.add(machine.left, machine.right));
  guard_sources(machine.function);
  EXPECT_EQ(machine.sum().guard, machine.flags);
  EXPECT_TRUE(machine.sum().fresh_result);
  EXPECT_EQ(machine.sum().instruction.condition, condition_true);
}

TEST(GuardedSources, WaitForTheirFlags) {
  GuardedReader machine;
  const VirtualRegister address = machine.add(machine.left, machine.right);
  machine.set_flags();
  machine.store_under_guard(address);
  guard_sources(machine.function);
  EXPECT_EQ(machine.sum().guard, machine.flags);
  EXPECT_EQ(machine.code()[0].instruction.opcode, Opcode::set);
}

TEST(GuardedSources, WhatOthersReadStays) {
  GuardedReader machine;
  machine.set_flags();
  const VirtualRegister address = machine.add(machine.left, machine.right);
  machine.store_under_guard(address);
  machine.store(machine.left, address);
  guard_sources(machine.function);
  EXPECT_EQ(machine.sum().guard, no_register);
}

TEST(GuardedSources, TwoGuardsAreNone) {
  GuardedReader machine;
  machine.set_flags();
  const VirtualRegister address = machine.add(machine.left, machine.right);
  machine.store_under_guard(address);
  machine.store_under_guard(address, condition_false);
  guard_sources(machine.function);
  EXPECT_EQ(machine.sum().guard, no_register);
}

TEST(GuardedSources, NothingWaitsWhileItsSourceChanges) {
  GuardedReader machine;
  const VirtualRegister address = machine.add(machine.left, machine.right);
  machine.append(constant_move(machine.left, 1));
  machine.set_flags();
  machine.store_under_guard(address);
  guard_sources(machine.function);
  EXPECT_EQ(machine.sum().guard, no_register);
}

}  // namespace
}  // namespace teslasim::compiler
