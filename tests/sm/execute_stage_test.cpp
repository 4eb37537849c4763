// SPDX-License-Identifier: Apache-2.0
// The execute stage alone: what a pass takes, and what it leaves in the record.
#include "sim/sm/execute/execute_stage.h"

#include <gtest/gtest.h>

#include <vector>

namespace teslasim::testing {
namespace {

struct Tpc final : TransactionReceiver {
  void receive(unsigned, const MemoryTransaction& transaction) override { sent.push_back(transaction); }
  std::vector<MemoryTransaction> sent;
};

/// An SM as on a GTX 280; its constant cache is ideal.
struct Bench {
  Bench() {
    launch.memory = &tpc;
    launch.banks = &banks;
    stage.begin(launch);
  }
  static SmSpec spec() {
    SmSpec spec;
    spec.const_cache.bytes = 0;
    return spec;
  }
  static MemoryLink link() {
    MemoryLink link;
    link.credits = 64;
    return link;
  }
  Tpc tpc;
  BankAccesses banks{};
  ExecuteLaunch launch;
  ExecuteStage stage{spec(), find_coalescing_rules("cc12"), link(), 32};
};

struct Issued {
  explicit Issued(Pipe pipe) {
    timing.pipe = record.pipe = pipe;
    timing.interval = timing.sfu_interval = 2;
    timing.group_interval = timing.sfu_group_interval = 1;
    timing.register_reads = 2;
    record.timing = &timing;
    record.counts = &counts;
    record.instruction = &instruction;
    record.executed = true;
  }
  Instruction instruction;
  InstructionTiming timing;
  PcStatistics counts;
  InFlightInstruction record;
  WarpInst performed;
};

TEST(ExecuteStage, each_pipe_is_its_own_unit) {
  Bench sm;
  for (const Pipe pipe : {Pipe::mad, Pipe::sfu, Pipe::dp, Pipe::barrier}) {
    Issued one(pipe);
    EXPECT_TRUE(sm.stage.can_accept(pipe, 10));
    sm.stage.accept(one.record, one.performed, 10);
    EXPECT_EQ(sm.stage.free_at(pipe), 12U);
    EXPECT_FALSE(sm.stage.can_accept(pipe, 11));
  }
  EXPECT_TRUE(sm.stage.can_accept(Pipe::none, 10));
  EXPECT_TRUE(sm.stage.can_accept(Pipe::memory, 10));
}

TEST(ExecuteStage, an_instruction_whose_guard_failed_takes_nothing) {
  Bench sm;
  Issued one(Pipe::mad);
  one.record.executed = false;
  sm.stage.accept(one.record, one.performed, 10);
  EXPECT_TRUE(sm.stage.can_accept(Pipe::mad, 11));
  EXPECT_EQ(sm.stage.registers().read_free(0), 0U);
}

TEST(ExecuteStage, where_the_key_says_so_it_takes_its_unit_all_the_same) {
  Bench sm;
  Issued one(Pipe::mad);
  one.record.executed = false;
  one.timing.executes_in_no_lane = true;
  sm.stage.accept(one.record, one.performed, 10);
  EXPECT_EQ(sm.stage.free_at(Pipe::mad), 12U);
  EXPECT_EQ(one.record.results, 0U) << "there is nothing to write";
}

TEST(ExecuteStage, operands_are_read_by_the_first_pass_only) {
  Bench sm;
  Issued one(Pipe::mad);
  one.timing.on_chip = true;
  one.performed.shared.lanes = all_lanes;
  one.performed.shared.uniform = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) one.performed.shared.address[lane] = 64 * (lane % 2);
  sm.stage.accept(one.record, one.performed, 10);
  EXPECT_TRUE(one.record.replaying);
  EXPECT_EQ(one.record.replays.remaining(), 2U) << "two words of one bank, each half-warp";
  const SmCycle read = sm.stage.registers().read_free(0);
  EXPECT_EQ(read, 13U);
  one.record.replays.start_round();
  EXPECT_EQ(sm.stage.pass_cycles(one.record.replays), 8U);
  sm.stage.accept_replay(one.record, 20);
  EXPECT_EQ(sm.stage.free_at(Pipe::mad), 21U) << "for one half-warp";
  EXPECT_EQ(sm.stage.registers().read_free(0), read);
  EXPECT_EQ(one.record.replays.remaining(), 1U);
}

TEST(ExecuteStage, an_access_leaves_for_the_tpc) {
  Bench sm;
  Issued load(Pipe::memory);
  MemoryAccess access;
  access.lanes = 1;
  load.record.access = &access;
  sm.stage.accept(load.record, load.performed, 10);
  ASSERT_EQ(sm.tpc.sent.size(), 1U);
  EXPECT_EQ(sm.tpc.sent[0].access, &access);
  EXPECT_EQ(load.record.results, 1U);
  EXPECT_EQ(load.record.unit, Pipe::memory);
}

TEST(ExecuteStage, every_pipe_with_a_unit_has_its_account) {
  Bench sm;
  const PipeAccounts accounts = sm.stage.accounts();
  for (unsigned pipe = 0; pipe < pipe_count; ++pipe) {
    const bool undecided = static_cast<Pipe>(pipe) == Pipe::none || static_cast<Pipe>(pipe) == Pipe::mad_or_sfu;
    EXPECT_EQ(accounts.starts[pipe] == &PipeAccounts::untaken, undecided) << pipe;
  }
  EXPECT_EQ(accounts.queue, &sm.stage.load_store().hold());
}

}  // namespace
}  // namespace teslasim::testing
