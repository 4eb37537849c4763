// SPDX-License-Identifier: Apache-2.0
// Datasheet of registers that cannot share one.
#include "frontend/compiler/interference.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>

#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallMachine;

RC_GTEST_PROP(RegisterPairs, IsASetWithoutOrder, (const std::vector<std::pair<std::uint16_t, std::uint8_t>>& pairs)) {
  RegisterPairs found;
  std::set<std::pair<VirtualRegister, VirtualRegister>> wanted;
  for (const auto& [left, right] : pairs) {
    const std::pair<VirtualRegister, VirtualRegister> sorted = std::minmax<VirtualRegister>(left, right);
    RC_ASSERT(found.contains(left, right) == wanted.contains(sorted));
    RC_ASSERT(found.insert(right, left) == wanted.insert(sorted).second);
    RC_ASSERT(found.contains(left, right) && found.contains(right, left));
  }
}

TEST(RegisterPairs, ManyAreKept) {
  RegisterPairs pairs;
  for (VirtualRegister k = 0; k < 5000; ++k) EXPECT_TRUE(pairs.insert(k, 2 * k + 1));
  for (VirtualRegister k = 0; k < 5000; ++k) EXPECT_TRUE(pairs.contains(2 * k + 1, k)) << k;
  EXPECT_FALSE(pairs.contains(5000, 10001));
}

TEST(Interference, WhatIsLiveAtOnceMeetsAndACopyDoesNotMeetItsSource) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  const VirtualRegister first = machine.load(thread), second = machine.load(thread);
  const VirtualRegister copy = machine.append(copy_of(machine.general(), first)).result[0];
  machine.store(second, machine.add(copy, first));
  const Interference interference(machine.function);
  EXPECT_TRUE(interference.between(first, second));
  EXPECT_TRUE(interference.between(copy, second));
  EXPECT_FALSE(interference.between(copy, first));
  EXPECT_EQ(interference.of(copy), std::vector<VirtualRegister>{second});
}

}  // namespace
}  // namespace teslasim::compiler
