// SPDX-License-Identifier: Apache-2.0
// Datasheet of liveness: the same sets as equations solved until nothing changes.
#include "frontend/compiler/machine_liveness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/frontend/compiler/random_block.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::RandomBlock;
using compiler::testing::SmallMachine;
using Registers = std::set<VirtualRegister>;

Registers registers_in(const LiveSet& live) {
  Registers result;
  live.for_each([&](VirtualRegister one) { result.insert(one); });
  return result;
}

/// Before a block, from what is live behind it.
Registers live_before(const MachineBlock& block, Registers live) {
  if (block.end.guard != no_register) live.insert(block.end.guard);
  for (auto at = block.code.rbegin(); at != block.code.rend(); ++at) {
    for_each_write(*at, [&](VirtualRegister one) {
      if (at->keeps_result()) {
        live.insert(one);
      } else {
        live.erase(one);
      }
    });
    for_each_read(*at, [&](VirtualRegister one) { live.insert(one); });
  }
  return live;
}

/// Aho, Lam, Sethi, Ullman 2006, algorithm 9.14.
std::vector<Registers> solved(const MachineFunction& function) {
  std::vector<Registers> ends(function.blocks.size()), starts = ends;
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
      for (const BlockIndex next : function.successors(block))
        ends[block].insert(starts[next].begin(), starts[next].end());
      const Registers start = live_before(function.blocks[block], ends[block]);
      changed = changed || start != starts[block];
      starts[block] = start;
    }
  }
  return ends;
}

/// The code of a random block in pieces that jump and branch anywhere.
MachineFunction any_flow() {
  const RandomBlock random(6, 40);
  MachineFunction function = random.function();
  const std::vector<MachineInstruction> code = function.blocks[RandomBlock::place].code;
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 8));
  const VirtualRegister guard = function.blocks[RandomBlock::place].end.guard;
  function.blocks.assign(count, {});
  for (const MachineInstruction& one : code)
    function.blocks[*rc::gen::inRange<std::size_t>(0, count)].code.push_back(one);
  const auto any = [&] { return static_cast<BlockIndex>(*rc::gen::inRange<std::size_t>(0, count)); };
  for (MachineBlock& block : function.blocks) {
    block.end.kind = *rc::gen::element(MachineEnd::Kind::jump, MachineEnd::Kind::branch, MachineEnd::Kind::exit);
    block.end.target = {any(), any()};
    if (block.end.kind == MachineEnd::Kind::branch) block.end.guard = guard;
  }
  return function;
}

RC_GTEST_PROP(MachineLiveness, IsTheSmallestSolution, ()) {
  const MachineFunction function = any_flow();
  const std::vector<LiveSet> found = live_at_ends(function);
  const std::vector<Registers> wanted = solved(function);
  RC_ASSERT(found.size() == wanted.size());
  for (std::size_t block = 0; block < found.size(); ++block) RC_ASSERT(registers_in(found[block]) == wanted[block]);
}

TEST(LiveSet, IsSortedAndHasEachOnce) {
  LiveSet live;
  for (const VirtualRegister one : {7U, 3U, 9U, 3U}) live.insert(one);
  live.remove(7);
  live.remove(8);
  std::vector<VirtualRegister> order;
  live.for_each([&](VirtualRegister one) { order.push_back(one); });
  EXPECT_EQ(order, (std::vector<VirtualRegister>{3, 9}));
  EXPECT_TRUE(live.contains(9));
  EXPECT_FALSE(live.contains(7));
}

}  // namespace
}  // namespace teslasim::compiler
