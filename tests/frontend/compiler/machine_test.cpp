// SPDX-License-Identifier: Apache-2.0
// Datasheet of instructions before registers have numbers: where one names a register.
#include "frontend/compiler/machine.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallMachine;

/// Any fields may be there; an address that grows is read and written.
MachineInstruction any_instruction() {
  MachineInstruction one;
  const auto name = [] { return *rc::gen::inRange<VirtualRegister>(0, 100); };
  const auto row = [&name](RegisterTuple& tuple) {
    const auto size = *rc::gen::inRange(0, 5);
    for (int k = 0; k < size; ++k) tuple.add(name());
  };
  row(one.result);
  for (RegisterTuple& tuple : one.source) row(tuple);
  for (VirtualRegister* field : {&one.memory, &one.flag_result, &one.guard}) {
    if (*rc::gen::arbitrary<bool>()) *field = name();
  }
  one.steps_memory = one.memory != no_register && *rc::gen::arbitrary<bool>();
  return one;
}

RC_GTEST_PROP(MachineInstructionLaw, EachFieldWithANameIsVisitedOnce, ()) {
  MachineInstruction one = any_instruction();
  std::set<const VirtualRegister*> fields;
  const auto note = [&](VirtualRegister& field) { fields.insert(&field); };
  for_each_read(one, note);
  for_each_write(one, note);
  std::map<const VirtualRegister*, int> visits;
  for_each_name(one, [&](VirtualRegister& field) { ++visits[&field]; });
  RC_ASSERT(visits.size() == fields.size());
  for (const auto& [field, times] : visits) {
    RC_ASSERT(fields.contains(field));
    RC_ASSERT(times == 1);
  }
}

TEST(MachineInstruction, AnAddressThatGrowsIsRenamedOnce) {
  MachineInstruction one = SmallMachine::with_result(Opcode::load_shared, 7);
  one.memory = 3;
  one.steps_memory = true;
  for_each_name(one, [](VirtualRegister& name) { name += 100; });
  EXPECT_EQ(one.memory, 103U);
  EXPECT_EQ(one.result[0], 107U);
}

}  // namespace
}  // namespace teslasim::compiler
