// SPDX-License-Identifier: Apache-2.0
// The account of single warps against what an observer was told.
#include "sim/sm/accounting/warp_recorder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "tests/sm/random_code.h"

namespace teslasim::testing {
namespace {

/// Adds up the spans of each warp between the arrival of its block and the end of the block.
class WarpObserver final : public SmObserver {
 public:
  struct Account {
    PerReason<> cycles;
    std::uint64_t instructions = 0;
    SmCycle begin = 0, last_issue = 0, end = WarpTimes::unfinished;
  };
  std::vector<Account> accounts;  ///< in the order of arrival

  void warp_state(WarpSlot warp, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t) override {
    at(warp).cycles[state] += (end - begin).count();
    if (state == SlotReason::issuing || state == SlotReason::issuing_replay) at(warp).last_issue = begin;
  }
  void block_started(unsigned slot, BlockIndex, WarpSlot first, unsigned warps, SmCycle now) override {
    for (WarpSlot warp = first; warp < first + warps; ++warp) {
      places_[warp] = accounts.size();
      in_slot_[slot].push_back(accounts.size());
      accounts.emplace_back().begin = now;
    }
  }
  void block_finished(unsigned slot, SmCycle now) override {
    for (const std::size_t place : in_slot_[slot]) accounts[place].end = now;
    in_slot_[slot].clear();
  }
  void issued(WarpSlot warp, const WarpInst&, SmCycle) override { ++at(warp).instructions; }
  void slots(SlotReason, SmCycle, SmCycle) override {}
  void barrier_opened(unsigned, SmCycle) override {}
  void fetched(WarpSlot, SmCycle) override {}
  void sent(WarpSlot, unsigned, SmCycle) override {}
  void replayed(WarpSlot, SmCycle) override {}
  void occupied(WarpSlot, const Occupation&) override {}
  void written(WarpSlot, std::uint32_t, SmCycle) override {}

 private:
  Account& at(WarpSlot warp) { return accounts.at(places_.at(warp)); }
  std::map<WarpSlot, std::size_t> places_;
  std::map<unsigned, std::vector<std::size_t>> in_slot_;
};

RC_GTEST_PROP(WarpRecorder, writes_down_what_an_observer_is_told, ()) {
  SmUnderTest sm({}, *rc::gen::inRange<std::uint64_t>(20, 400));
  sm.credits = *rc::gen::inRange(1U, 12U);
  sm.keep_warps = true;
  sm.shape = some_conflicts;
  WarpObserver told;
  sm.observer = &told;
  const unsigned warps = *rc::gen::inRange(1U, 9U), blocks = *rc::gen::inRange(1U, 5U);
  sm.run(random_code(), warps, blocks);

  const std::vector<WarpTimes>& kept = sm.statistics.warps.first;
  RC_ASSERT(kept.size() == std::size_t{warps} * blocks);
  RC_ASSERT(told.accounts.size() == kept.size());
  PerReason<> all;
  std::uint64_t threads = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const WarpTimes& warp = kept[i];
    const WarpObserver::Account& account = told.accounts[i];
    RC_ASSERT(warp.cycles == account.cycles);
    RC_ASSERT(warp.instructions == account.instructions);
    RC_ASSERT(warp.begin == account.begin);
    RC_ASSERT(warp.finish == account.last_issue + 1);
    RC_ASSERT(warp.end == account.end);
    RC_ASSERT(warp.cycles.sum() == (warp.end - warp.begin).count());
    RC_ASSERT(warp.block == i / warps);
    RC_ASSERT(warp.warp == i % warps);
    all += warp.cycles;
    threads += warp.thread_instructions;
  }
  RC_ASSERT(all == sm.statistics.warp_cycles);
  RC_ASSERT(threads == sm.statistics.thread_instructions);
}

RC_GTEST_PROP(WarpRecorder, changes_no_number, ()) {
  const std::vector<Instruction> code = random_code();
  const unsigned warps = *rc::gen::inRange(1U, 9U), blocks = *rc::gen::inRange(1U, 5U);
  SmUnderTest recorded, plain;
  recorded.keep_warps = true;
  for (SmUnderTest* sm : {&recorded, &plain}) sm->run(code, warps, blocks);
  RC_ASSERT(recorded.end == plain.end);
  RC_ASSERT(recorded.statistics.slots == plain.statistics.slots);
  RC_ASSERT(recorded.statistics.warp_cycles == plain.statistics.warp_cycles);
  RC_ASSERT(!plain.statistics.warps.kept);
}

TEST(WarpRecorder, keeps_whole_blocks_and_adds_up_the_others) {
  constexpr unsigned warps = 5;
  constexpr std::size_t whole = WarpRecords::most / warps;
  SmStatistics sm;
  sm.warps.keep(WarpRecords::most + 100);
  WarpRecorder recorder(2 * warps);
  recorder.begin(sm);
  for (std::size_t block = 0; block < whole + 2; ++block) {
    recorder.arrive(warps, warps, SmCycle(10 * block), {block, 1});
    for (unsigned warp = warps; warp < 2 * warps; ++warp) {
      ++sm.warp_instructions;
      sm.thread_instructions += 30;
      recorder.settle(warp);
      recorder.charge(warp, SlotReason::mem_global, 9);
      ++sm.warp_cycles[SlotReason::issuing];
    }
    recorder.leave(warps, warps, SmCycle(10 * block + 10));
  }
  recorder.settle();
  ASSERT_EQ(sm.warps.first.size(), whole * warps);
  EXPECT_EQ(sm.warps.dropped, 2 * warps);
  EXPECT_EQ(sm.warps.rest.cycles[SlotReason::mem_global], 2 * warps * 9);
  EXPECT_EQ(sm.warps.rest.instructions, 2 * warps);
  const WarpTimes& last = sm.warps.first.back();
  EXPECT_EQ(last.block, whole - 1);
  EXPECT_EQ(last.slot, 1U);
  EXPECT_EQ(last.warp, warps - 1);
  EXPECT_EQ(last.thread_instructions, 30U);
  EXPECT_EQ(last.cycles[SlotReason::issuing], 1U);
  EXPECT_EQ(last.cycles.sum(), (last.end - last.begin).count());
}

TEST(WarpRecorder, a_warp_that_is_cut_off_has_no_end) {
  SmUnderTest sm({}, 200);
  sm.return_credits = false;
  sm.credits = 1;
  sm.keep_warps = true;
  sm.run({global_store(1, 2), global_store(1, 2), global_store(1, 2), last()}, 2);
  ASSERT_EQ(sm.statistics.warps.first.size(), 2U);
  for (const WarpTimes& warp : sm.statistics.warps.first) {
    EXPECT_EQ(warp.end, WarpTimes::unfinished);
    EXPECT_EQ(warp.finish, WarpTimes::unfinished);
    EXPECT_EQ(warp.cycles.sum(), (sm.end - warp.begin).count());
  }
}

}  // namespace
}  // namespace teslasim::testing
