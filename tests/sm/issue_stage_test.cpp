// SPDX-License-Identifier: Apache-2.0
// The issue stage alone: what an instruction waits for, and which of the ready ones issues.
#include "sim/sm/issue/issue_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace teslasim::testing {
namespace {

/// The guards of the warps whose bit is set fail.
class GuardStream final : public WarpStream {
 public:
  void start_block(unsigned, BlockIndex, WarpSlot) override {}
  void finish_block(unsigned) override {}
  const Instruction* next(WarpSlot) override { return nullptr; }
  [[nodiscard]] bool passes_guard(WarpSlot warp) const override { return (failing >> warp & 1U) == 0; }
  [[nodiscard]] LaneMask active(WarpSlot /*warp*/) const override { return all_lanes; }
  void issue(WarpSlot, std::uint64_t, WarpInst&) override {}
  void complete(WarpSlot, MemoryAccess&) override {}
  void release(MemoryAccess&) override {}

  LaneMask failing = 0;
};

/// An issue stage with 32 warps, two loads per warp, oldest first; accounting beside it. `share`: of the
/// multiplications, for the SFU.
struct Bench {
  explicit Bench(double share = 0.5)
      : stage{32, 2, make_warp_scheduler("oldest", {}), accounting, MultiplierChoice(share)} {
    accounting.begin(statistics, pcs);
    accounting.arrive(0, 8, 0, 0);
    stage.begin(stream);
    stage.arrive(0, 8);
  }
  /// The unit of every pipe but `busy` is free.
  InFlightInstruction* select(std::initializer_list<Pipe> busy = {}) {
    return stage.select([&](Pipe pipe) { return std::find(busy.begin(), busy.end(), pipe) == busy.end(); });
  }

  GuardStream stream;
  SmStatistics statistics;
  std::vector<PcStatistics> pcs{1};
  CycleAccounting accounting{32, PipeAccounts{}};
  IssueStage stage;
};

/// An instruction of a pipe in the queue slot of a warp; it needs register `needs` and writes register `writes`.
struct Queued {
  Queued(unsigned warp, Pipe pipe, unsigned needs = 1, unsigned writes = 2) {
    timing.pipe = pipe;
    timing.need.add_register(needs);
    timing.register_writes.add_register(writes);
    record.instruction = &instruction;
    record.timing = &timing;
    record.pipe = pipe;
    record.warp = static_cast<std::uint8_t>(warp);
  }
  Instruction instruction;
  InstructionTiming timing;
  InFlightInstruction record;
};

TEST(IssueStage, takes_one_instruction_of_each_warp) {
  Bench sm;
  Queued one(3, Pipe::mad);
  EXPECT_TRUE(sm.stage.can_accept(3));
  sm.stage.accept(one.record, 5);
  EXPECT_FALSE(sm.stage.can_accept(3));
  EXPECT_THROW(sm.stage.accept(one.record, 6), InternalError);
  EXPECT_EQ(sm.select(), &one.record);
  EXPECT_TRUE(sm.stage.can_accept(3));
  EXPECT_EQ(sm.select(), nullptr) << "it has left";
}

// Collange 2010, table 5: dropped instructions cost their slot, whatever their unit does.
TEST(IssueStage, an_instruction_that_its_guard_drops_needs_no_unit) {
  Bench sm;
  sm.stream.failing = LaneMask{1} << 3;
  Queued dropped(3, Pipe::mad), other(4, Pipe::mad), unguarded(5, Pipe::memory);
  dropped.timing.may_be_dropped = other.timing.may_be_dropped = true;
  for (Queued* one : {&other, &dropped, &unguarded}) sm.stage.accept(one->record, 5);
  EXPECT_EQ(sm.select({Pipe::mad, Pipe::memory}), &dropped.record);
  EXPECT_EQ(sm.select({Pipe::mad, Pipe::memory}), nullptr);
  EXPECT_EQ(sm.select({Pipe::memory}), &other.record);
}

TEST(IssueStage, the_guard_counts_when_its_flags_are_written) {
  Bench sm;
  Queued set(3, Pipe::mad, 1, 2), dropped(3, Pipe::mad, 2, 5);
  dropped.timing.may_be_dropped = true;
  sm.stage.accept(set.record, 5);
  EXPECT_EQ(sm.select(), &set.record);
  sm.stage.reserve(set.record);
  sm.stage.accept(dropped.record, 6);
  sm.stream.failing = LaneMask{1} << 3;
  sm.stage.scoreboard().release(3, set.timing.register_writes, SlotReason::dep_alu);
  sm.stage.results_written(3, 20, 0);
  EXPECT_EQ(sm.select({Pipe::mad}), &dropped.record);
}

TEST(IssueStage, an_instruction_waits_for_registers_in_flight) {
  Bench sm;
  Queued producer(3, Pipe::mad, 1, 2), consumer(3, Pipe::mad, 2, 5);
  sm.stage.reserve(producer.record);
  sm.stage.accept(consumer.record, 5);
  EXPECT_EQ(sm.accounting.state(3), SlotReason::dep_alu);
  EXPECT_EQ(sm.select(), nullptr);
  sm.stage.results_written(3, 8, 0);
  EXPECT_EQ(sm.select(), nullptr) << "other results were written";
  sm.stage.scoreboard().release(3, producer.timing.register_writes, SlotReason::dep_alu);
  sm.stage.results_written(3, 9, 0);
  EXPECT_EQ(sm.accounting.state(3), SlotReason::not_selected);
  EXPECT_EQ(sm.select(), &consumer.record);
}

TEST(IssueStage, a_ready_instruction_waits_for_its_unit_while_others_issue) {
  Bench sm;
  Queued special(0, Pipe::sfu), add(1, Pipe::mad);
  sm.stage.accept(special.record, 5);
  sm.stage.accept(add.record, 5);
  EXPECT_EQ(sm.select({Pipe::sfu}), &add.record) << "although the other warp is older";
  EXPECT_EQ(sm.select({Pipe::sfu}), nullptr);
  EXPECT_EQ(sm.stage.next_wanted([](Pipe pipe) { return pipe == Pipe::sfu ? SmCycle{21} : SmCycle{6}; }), 21U);
  EXPECT_EQ(sm.select(), &special.record);
  EXPECT_EQ(sm.stage.next_wanted([](Pipe) { return SmCycle{6}; }), never);
}

TEST(IssueStage, a_lone_multiplication_takes_the_mad_unit) {
  Bench sm;
  for (unsigned count = 0; count < 3; ++count) {
    Queued multiply(0, Pipe::mad_or_sfu);
    sm.stage.accept(multiply.record, 5);
    EXPECT_EQ(multiply.record.pipe, Pipe::mad);
    EXPECT_EQ(sm.select(), &multiply.record);
  }
}

// Decision 0080.
TEST(IssueStage, a_multiplication_among_others_is_given_its_unit_and_waits_for_it) {
  Bench sm(1.0);
  Queued add(0, Pipe::mad), multiply(1, Pipe::mad_or_sfu), second_add(2, Pipe::mad);
  sm.stage.accept(add.record, 5);
  sm.stage.accept(multiply.record, 5);
  sm.stage.accept(second_add.record, 5);
  EXPECT_EQ(multiply.record.pipe, Pipe::sfu_mul);
  EXPECT_EQ(sm.select({Pipe::sfu_mul}), &add.record);
  EXPECT_EQ(sm.select({Pipe::sfu_mul}), &second_add.record);
  EXPECT_EQ(sm.select({Pipe::sfu_mul}), nullptr) << "the MAD unit is free, but the SFU was chosen";
  EXPECT_EQ(sm.select(), &multiply.record);
}

TEST(IssueStage, a_multiplication_of_the_sfu_has_no_priority_over_the_mad_unit) {
  Bench sm(1.0);
  Queued add(0, Pipe::mad), multiply(1, Pipe::mad_or_sfu);
  sm.stage.accept(add.record, 5);
  sm.stage.accept(multiply.record, 5);
  EXPECT_EQ(sm.select(), &add.record) << "the older warp";
  EXPECT_EQ(sm.select(), &multiply.record);
}

TEST(MultiplierChoice, gives_the_sfu_its_share_evenly) {
  MultiplierChoice choice(5.0 / 7.0);
  std::string given;
  for (unsigned i = 0; i < 700; ++i) given += choice.next_to_sfu() ? 's' : 'm';
  EXPECT_NEAR(static_cast<double>(std::count(given.begin(), given.end(), 'm')), 200.0, 1.0);
  EXPECT_EQ(given.find("mm"), std::string::npos) << given;
  choice.reset();
  EXPECT_FALSE(choice.next_to_sfu());
}

TEST(MultiplierChoice, can_give_it_all_or_nothing) {
  MultiplierChoice all(1.0), nothing(0.0);
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_TRUE(all.next_to_sfu());
    EXPECT_FALSE(nothing.next_to_sfu());
  }
}

TEST(IssueStage, loads_in_flight_are_limited_but_stores_are_not) {
  Bench sm;
  sm.stage.load_left(2);
  sm.stage.load_left(2);
  Queued load(2, Pipe::memory), store(3, Pipe::memory);
  load.instruction.opcode = Opcode::load_global;
  store.instruction.opcode = Opcode::store_global;
  sm.stage.load_left(3);
  sm.stage.load_left(3);
  sm.stage.accept(load.record, 5);
  sm.stage.accept(store.record, 5);
  EXPECT_EQ(sm.accounting.state(2), SlotReason::mem_queue);
  EXPECT_EQ(sm.select(), &store.record);
  EXPECT_EQ(sm.select(), nullptr);
  sm.stage.load_returned(2, 40);
  EXPECT_EQ(sm.select(), &load.record);
}

TEST(IssueStage, further_passes_are_not_held_by_the_registers_of_their_own_instruction) {
  Bench sm;
  Queued conflict(4, Pipe::mad, 2, 2);
  sm.stage.reserve(conflict.record);
  conflict.record.replaying = true;
  sm.stage.accept(conflict.record, 5);
  EXPECT_EQ(sm.select(), &conflict.record);
}

TEST(IssueStage, what_memory_returns_sets_no_flags) {
  Bench sm;
  Queued load(4, Pipe::memory);
  load.timing.flag_writes.words[2] = 1;
  sm.stage.reserve(load.record);
  EXPECT_FALSE(sm.stage.scoreboard().hazard(4, load.timing.flag_writes));
  EXPECT_TRUE(sm.stage.scoreboard().hazard(4, load.timing.register_writes));
}

}  // namespace
}  // namespace teslasim::testing
