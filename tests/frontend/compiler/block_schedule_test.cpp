// SPDX-License-Identifier: Apache-2.0
// Datasheet of orders within a block: what comes first, what never changes places, how many registers it takes.
#include "frontend/compiler/block_schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "frontend/compiler/block_ends.h"
#include "frontend/compiler/occupancy_steps.h"
#include "frontend/compiler/register_limits.h"
#include "tests/frontend/compiler/random_block.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::RandomBlock;
using compiler::testing::SmallMachine;
using compiler::testing::SymbolicRun;

struct Known {
  explicit Known(const MachineFunction& function, BlockIndex block = 0)
      : live(live_at_ends(function)), dependences(function, block, live[block]), values(function, block, live[block]) {}
  std::vector<LiveSet> live;
  Dependences dependences;
  BlockValues values;
};

std::vector<Opcode> opcodes(const SmallMachine& machine, const BlockOrder& order) {
  std::vector<Opcode> result;
  for (const InstructionIndex one : order) result.push_back(machine.function.blocks[0].code[one].instruction.opcode);
  return result;
}

/// load a; load b after a was used: the second load need not wait for the first.
SmallMachine two_loads_each_with_its_use() {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  const VirtualRegister first = machine.load(thread);
  const VirtualRegister doubled = machine.add(first, first);
  const VirtualRegister second = machine.load(thread);
  machine.store(thread, machine.add(second, doubled));
  return machine;
}

TEST(LatencyOrder, LoadsGoBeforeTheirUses) {
  const SmallMachine machine = two_loads_each_with_its_use();
  const Known known(machine.function);
  EXPECT_EQ(
      opcodes(machine, latency_order(known.dependences, known.values, 8)),
      (std::vector<Opcode>{Opcode::load_global, Opcode::load_global, Opcode::add, Opcode::add, Opcode::store_global}));
}

TEST(LatencyOrder, WaitsLessThanTheGivenOrder) {
  const SmallMachine machine = two_loads_each_with_its_use();
  const Known known(machine.function);
  const BlockOrder order = latency_order(known.dependences, known.values, 8);
  EXPECT_LT(waiting_cycles(known.dependences, order, issue_interval),
            waiting_cycles(known.dependences, given_order(5), issue_interval) - 400);
}

TEST(LatencyOrder, StaysWithinItsRegisters) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  VirtualRegister sum = machine.load(thread);
  for (unsigned k = 1; k < 10; ++k) sum = machine.add(sum, machine.load(thread));
  machine.store(thread, sum);
  const Known known(machine.function);
  for (const unsigned registers : {3U, 5U, 8U, 20U}) {
    const BlockOrder order = latency_order(known.dependences, known.values, registers);
    EXPECT_LE(known.values.pressure(order), registers);
  }
  EXPECT_GT(known.values.pressure(latency_order(known.dependences, known.values, 20)), 8U);
}

TEST(PressureOrder, ValuesAreMadeWhereTheyAreRead) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  std::vector<VirtualRegister> constants;
  for (unsigned k = 0; k < 10; ++k) constants.push_back(machine.constant(1000 + k));
  VirtualRegister sum = machine.load(thread);
  for (const VirtualRegister one : constants) sum = machine.add(sum, one);
  machine.store(thread, sum);
  const Known known(machine.function);
  EXPECT_EQ(known.values.pressure(given_order(machine.code().size())), 12U);
  EXPECT_EQ(known.values.pressure(pressure_order(known.dependences, known.values)), 3U);
}

/// The best of all that may come next, looked at one by one: what the schedulers find without looking at each.
template <typename Rank>
BlockOrder order_by_rank(std::size_t size, const Rank& rank_of_ready) {
  BlockOrder order;
  std::vector<bool> placed(size);
  while (order.size() < size) {
    std::optional<InstructionIndex> best;
    for (InstructionIndex one = 0; one < size; ++one) {
      if (placed[one] || !rank_of_ready(one, placed)) continue;
      if (!best || *rank_of_ready(one, placed) < *rank_of_ready(*best, placed)) best = one;
    }
    placed[*best] = true;
    order.push_back(*best);
  }
  return order;
}

/// From the end: what ends most lives, then what was wanted last, then the order as given.
BlockOrder plain_pressure_order(const Known& known) {
  using Rank = std::tuple<int, std::size_t, std::size_t>;
  const auto& dependences = known.dependences;
  std::vector<std::size_t> position(dependences.size());
  std::size_t count = 0;
  std::vector<bool> seen(dependences.size());
  const auto rank = [&](InstructionIndex one, const std::vector<bool>& placed) -> std::optional<Rank> {
    for (InstructionIndex k = 0; k < placed.size(); ++k) {
      if (placed[k] && !seen[k]) position[k] = ++count;
      seen[k] = placed[k];
    }
    std::size_t wanted = 0;
    for (const Dependence& next : dependences.successors(one)) {
      if (!placed[next.to]) return std::nullopt;
      wanted = std::max(wanted, position[next.to]);
    }
    std::vector<bool> live;
    for (const BlockValues::Value& value : known.values.values()) live.push_back(value.live_out);
    for (InstructionIndex k = 0; k < placed.size(); ++k) {
      if (!placed[k]) continue;
      for (const BlockValue value : known.values.accessed(k)) live[value] = true;
    }
    int change = 0;
    for (const BlockValue value : known.values.accessed(one)) change += live[value] ? 0 : 1;
    for (const BlockValue value : known.values.made(one)) change -= live[value] ? 1 : 0;
    return Rank{change, ~wanted, ~std::size_t{one}};
  };
  BlockOrder order = order_by_rank(dependences.size(), rank);
  std::reverse(order.begin(), order.end());
  return order;
}

/// From the front, without its second tries: what fits, frees when nothing is to spare, waits least, has the longest
/// way.
BlockOrder plain_latency_order(const Known& known, unsigned registers) {
  using Rank = std::tuple<bool, int, LatencyCycles, LatencyCycles, int, InstructionIndex>;
  const auto& dependences = known.dependences;
  ForwardPressure pressure(known.values);
  std::vector<LatencyCycles> earliest(dependences.size());
  LatencyCycles now = 0;
  BlockOrder order;
  std::vector<bool> placed(dependences.size());
  const auto rank = [&](InstructionIndex one) -> Rank {
    const int change = pressure.change(one);
    if (change > 0 && pressure.live() + static_cast<unsigned>(change) > registers) return {true, 0, 0, 0, 0, one};
    const LatencyCycles wait = earliest[one] > now ? earliest[one] - now : 0;
    return {false, pressure.live() >= registers ? change : 0, wait, ~dependences.height(one), change, one};
  };
  while (order.size() < dependences.size()) {
    std::optional<Rank> best;
    for (InstructionIndex one = 0; one < placed.size(); ++one) {
      const auto& before = dependences.predecessors(one);
      const bool ready = !placed[one] && std::all_of(before.begin(), before.end(), [&](auto k) { return placed[k]; });
      if (ready && (!best || rank(one) < *best)) best = rank(one);
    }
    const InstructionIndex one = std::get<5>(*best);
    now = std::max(now, earliest[one]);
    for (const Dependence& next : dependences.successors(one))
      earliest[next.to] = std::max(earliest[next.to], now + next.latency);
    now += issue_interval;
    pressure.issue(one);
    placed[one] = true;
    order.push_back(one);
  }
  return order;
}

RC_GTEST_PROP(PressureOrder, IsThatOfLookingAtEachInstruction, ()) {
  const RandomBlock random(8, 40);
  const Known known(random.function(), RandomBlock::place);
  RC_ASSERT(pressure_order(known.dependences, known.values) == plain_pressure_order(known));
}

RC_GTEST_PROP(LatencyOrder, IsThatOfLookingAtEachInstruction, ()) {
  const RandomBlock random(8, 60);
  const Known known(random.function(), RandomBlock::place);
  const auto registers = static_cast<unsigned>(*rc::gen::inRange(2, 24));
  const BlockOrder plain = plain_latency_order(known, registers);
  if (known.values.pressure(plain) > registers) return;
  RC_ASSERT(latency_order(known.dependences, known.values, registers) == plain);
}

TEST(Dependences, NothingIsAssumedOfPointers) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  const VirtualRegister other = machine.add_constant(thread, 400);
  machine.store(thread, thread);
  const VirtualRegister loaded = machine.load(other);
  machine.store(other, loaded);
  const Known known(machine.function);
  EXPECT_FALSE(is_allowed(known.dependences, {0, 2, 1, 3}));
  EXPECT_TRUE(is_allowed(known.dependences, {1, 0, 2, 3}));
}

TEST(Dependences, WhatALoopCountsIsCountedBehindItsReaders) {
  SmallMachine machine;
  machine.function.blocks.resize(2);
  MachineEnd& end = machine.function.blocks[0].end;
  end.kind = MachineEnd::Kind::jump;
  end.target[0] = 0;
  const VirtualRegister counter = machine.general();
  machine.store(counter, machine.function.thread_index);
  const VirtualRegister next = machine.add_constant(counter, 1);
  machine.append(copy_of(counter, next));
  const Known known(machine.function);
  EXPECT_FALSE(is_allowed(known.dependences, {1, 0, 2}));
}

/// The most registers of a class that are live at once, in the order of the code.
unsigned most_live(const MachineFunction& function, BlockIndex index, RegisterClass kind) {
  const MachineBlock& block = function.blocks[index];
  LiveSet live = live_at_ends(function)[index];
  if (block.end.guard != no_register) live.insert(block.end.guard);
  unsigned most = 0;
  for (auto at = block.code.rbegin(); at != block.code.rend(); ++at) {
    // What is written needs a register even when nobody reads it.
    for_each_write(*at, [&](VirtualRegister one) { live.insert(one); });
    unsigned now = 0;
    live.for_each([&](VirtualRegister one) { now += function.registers[one] == kind ? 1U : 0U; });
    most = std::max(most, now);
    step_back(live, *at);
  }
  return most;
}

MachineFunction in_order(MachineFunction function, BlockIndex block, const BlockOrder& order) {
  const std::vector<MachineInstruction> code = function.blocks[block].code;
  for (std::size_t at = 0; at < order.size(); ++at) function.blocks[block].code[at] = code[order[at]];
  return function;
}

TEST(Dependences, AddressRegistersOfOtherBlocksAreCounted) {
  SmallMachine machine;
  MachineFunction& function = machine.function;
  std::vector<MachineInstruction> later;
  for (unsigned k = 0; k < 5; ++k) later.push_back(machine.load_shared(function.add_register(RegisterClass::address)));
  machine.code().clear();
  for (unsigned k = 0; k < 10; ++k) {
    MachineInstruction address =
        SmallMachine::with_result(Opcode::shift_to_address, function.add_register(RegisterClass::address));
    SmallMachine::read(address, 0, function.thread_index);
    machine.append(address);
    machine.store(function.thread_index, machine.load_shared(address.result[0]).result[0]);
  }
  function.blocks.resize(2);
  function.blocks[1].code = later;
  function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
  const Known known(function);
  const MachineFunction ordered = in_order(function, 0, latency_order(known.dependences, known.values, 40));
  EXPECT_EQ(most_live(ordered, 0, RegisterClass::address), most_address_registers);
}

TEST(Dependences, FlagsOfTheBranchAreKept) {
  SmallMachine machine;
  MachineFunction& function = machine.function;
  std::vector<MachineInstruction> later;
  for (unsigned k = 0; k < 10; ++k) {
    MachineInstruction test = SmallMachine::with_result(Opcode::set, machine.general());
    SmallMachine::read(test, 0, function.thread_index);
    test.flag_result = function.add_register(RegisterClass::flags);
    machine.append(test);
    MachineInstruction guarded = copy_of(machine.general(), function.thread_index);
    guarded.guard = k == 0 ? no_register : test.flag_result;
    guarded.instruction.condition = 5;
    machine.append(guarded);
    later.push_back(SmallMachine::stored(function.thread_index, guarded.result[0]));
  }
  function.blocks.resize(2);
  function.blocks[1].code = later;
  function.blocks[0].end = {MachineEnd::Kind::branch, machine.code()[0].flag_result, 5, {1, 1}};
  const Known known(function);
  const MachineFunction ordered = in_order(function, 0, latency_order(known.dependences, known.values, 40));
  EXPECT_EQ(most_live(ordered, 0, RegisterClass::flags), most_flag_registers);
}

TEST(BlockEnds, ALongInstructionCarriesTheJoin) {
  SmallMachine machine;
  machine.function.blocks[0].joins = true;
  const VirtualRegister sum = machine.add_constant(machine.function.thread_index, 5);
  const VirtualRegister loaded = machine.load(machine.function.thread_index);
  machine.store(sum, loaded);
  const Known known(machine.function);
  EXPECT_EQ(with_good_ends(machine.function, 0, known.dependences, {0, 1, 2}), (BlockOrder{1, 0, 2}));
}

TEST(OccupancySteps, AreThoseOfTheRegisterFile) {
  // 8192 registers: three blocks of 256 threads with 10 registers, two with 16, one with 32.
  EXPECT_EQ(registers_of_same_occupancy(6, 10, 256), 10U);
  EXPECT_EQ(registers_of_same_occupancy(11, 11, 256), 16U);
  EXPECT_EQ(registers_of_same_occupancy(17, 11, 256), 32U);
  // 16384: four with 16, three with 20: blocks get a multiple of 512.
  EXPECT_EQ(registers_of_same_occupancy(10, 13, 256), 16U);
  EXPECT_EQ(registers_of_same_occupancy(17, 13, 256), 20U);
  // Unknown sizes: 128 threads lose a block of six with the 11th register.
  EXPECT_EQ(registers_of_same_occupancy(8, 10, 0), 10U);
  EXPECT_EQ(registers_of_same_occupancy(12, 10, 0), 12U);
}

TEST(OccupancySteps, BlocksThatAreAskedForFit) {
  EXPECT_EQ(registers_for_blocks(2, 10, 256), 16U);
  EXPECT_EQ(registers_for_blocks(3, 10, 256), 10U);
  EXPECT_EQ(registers_for_blocks(8, 10, 256), 10U);  // 768 threads are three blocks
  EXPECT_EQ(registers_for_blocks(1, 13, 64), 124U);
}

TEST(RegisterLimits, AreThoseOfTheKernelElseOfTheUser) {
  ptx::PtxFunction kernel;
  kernel.directives.push_back({{}, "maxntid", {16, 16, 1}});
  kernel.directives.push_back({{}, "minnctapersm", {2}});
  CompileOptions options;
  options.sm = 10;
  EXPECT_EQ(register_limits(kernel, options).threads, 256U);
  EXPECT_EQ(register_limits(kernel, options).most, 16U);
  kernel.directives.push_back({{}, "maxnreg", {12}});
  EXPECT_EQ(register_limits(kernel, options).most, 12U);
  options.maximum_registers = 20;
  EXPECT_EQ(register_limits(kernel, options).most, 12U);
  EXPECT_EQ(register_limits(ptx::PtxFunction{}, options).most, 20U);
}

TEST(RegisterLimits, OneBlockFitsWhenNoNumberIsGiven) {
  ptx::PtxFunction kernel;
  kernel.directives.push_back({{}, "maxntid", {512, 1, 1}});
  CompileOptions options;
  options.sm = 10;
  EXPECT_EQ(register_limits(kernel, options).most, 16U);
  options.sm = 13;
  EXPECT_EQ(register_limits(kernel, options).most, 32U);
}

void computes_the_same(const MachineFunction& function, const BlockOrder& order) {
  const std::vector<MachineInstruction>& code = function.blocks[RandomBlock::place].code;
  RC_ASSERT(std::set<InstructionIndex>(order.begin(), order.end()).size() == code.size());
  RC_ASSERT(order.size() == code.size());
  const MachineFunction ordered = in_order(function, RandomBlock::place, order);
  RC_ASSERT(SymbolicRun(function).memory() == SymbolicRun(ordered).memory());
  RC_ASSERT(most_live(ordered, RandomBlock::place, RegisterClass::flags) <= most_flag_registers);
  RC_ASSERT(most_live(ordered, RandomBlock::place, RegisterClass::address) <= most_address_registers);
}

RC_GTEST_PROP(RandomBlocks, LatencyOrdersComputeTheSame, ()) {
  const RandomBlock block;
  const Known known(block.function(), RandomBlock::place);
  const auto registers = static_cast<unsigned>(*rc::gen::inRange(2, 40));
  const BlockOrder order = latency_order(known.dependences, known.values, registers);
  RC_ASSERT(is_allowed(known.dependences, order));
  computes_the_same(block.function(), with_good_ends(block.function(), RandomBlock::place, known.dependences, order));
}

RC_GTEST_PROP(RandomBlocks, PressureOrdersComputeTheSame, ()) {
  const RandomBlock block;
  const Known known(block.function(), RandomBlock::place);
  const BlockOrder order = pressure_order(known.dependences, known.values);
  RC_ASSERT(is_allowed(known.dependences, order));
  computes_the_same(block.function(), order);
}

}  // namespace
}  // namespace teslasim::compiler
