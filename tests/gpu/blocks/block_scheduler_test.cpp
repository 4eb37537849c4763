// SPDX-License-Identifier: Apache-2.0
// Block distribution as measured by Collange 2010, section 7.
#include "sim/gpu/blocks/block_scheduler.h"

#include <gtest/gtest.h>

#include <array>

namespace teslasim {
namespace {

struct Dealt {
  unsigned sm;
  Femtoseconds when;
  std::uint64_t block;
  SmCycle clock_stopped = 0;
};

class Recorder final : public BlockReceiver {
 public:
  void receive_block(SmIndex sm, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) override {
    dealt.push_back({sm, when, block, clock_stopped});
  }
  void receive_end_of_grid(SmIndex sm) override { end_of_grid.push_back(sm); }
  std::vector<Dealt> dealt;
  std::vector<SmIndex> end_of_grid;
};

GpuLayoutSpec layout(unsigned tpcs, unsigned sms_per_tpc, const std::string& order, const std::string& replacement) {
  GpuLayoutSpec spec;
  spec.tpcs = tpcs;
  spec.sms_per_tpc = sms_per_tpc;
  spec.cta_scheduler = order;
  spec.cta_replacement = replacement;
  spec.cta_dispatch_interval_cycles = 0;
  spec.cta_replacement_cycles = 0;
  return spec;
}

constexpr Femtoseconds edge = 1000;
constexpr Femtoseconds sm_cycle = 2000;          ///< two SP cycles
constexpr Femtoseconds link_delay = 20'000'000;  ///< cta_dispatch_ns and cta_completion_ns, 20 ns

void run(BlockScheduler& scheduler, Femtoseconds& now) {
  while (true) {
    const Femtoseconds wanted = scheduler.advance(now);
    if (wanted == never) return;
    now = std::max((wanted + edge - 1) / edge * edge, now + edge);
  }
}

TEST(BlockOrder, depth_first_fills_a_tpc_before_the_next) {
  EXPECT_EQ(block_order(layout(3, 2, "depth_first", "wave")), (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
}

TEST(BlockOrder, breadth_first_takes_one_sm_of_each_tpc) {
  EXPECT_EQ(block_order(layout(3, 2, "breadth_first", "wave")), (std::vector<unsigned>{0, 2, 4, 1, 3, 5}));
}

TEST(BlockScheduler, wakes_for_a_completion_announced_ahead_while_the_next_deal_is_still_far) {
  GpuLayoutSpec spec = layout(1, 1, "depth_first", "per_cta");
  spec.cta_dispatch_interval_cycles = 16;
  Recorder sms;
  BlockScheduler scheduler(spec, sm_cycle, sms);
  scheduler.begin({0, 3}, 2);
  scheduler.completed(0, 0, 5 * edge);
  EXPECT_EQ(scheduler.advance(0), 5 * edge) << "the second block is due at " << 16 * edge;
  EXPECT_EQ(scheduler.advance(5 * edge), 16 * edge);
}

TEST(BlockScheduler, deals_one_block_per_cycle_round_robin) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 2, "depth_first", "wave"), sm_cycle, sms);
  scheduler.begin({0, 6}, 2);
  Femtoseconds now = 0;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 6U);
  const std::vector<unsigned> expected = {0, 1, 2, 3, 0, 1};
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(sms.dealt[i].sm, expected[i]);
    EXPECT_EQ(sms.dealt[i].block, i);
    EXPECT_EQ(sms.dealt[i].when, i * edge + 20'000'000);
  }
}

TEST(BlockScheduler, deals_a_range_of_the_grid_and_says_when_each_block_ended) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "depth_first", "per_cta"), sm_cycle, sms);
  std::vector<Femtoseconds> ends;
  scheduler.begin({5, 8}, 2, &ends);
  Femtoseconds now = 0;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(sms.dealt[i].block, 5 + i);
  EXPECT_EQ(scheduler.dispatched(), 3U);
  scheduler.completed(1, 6, 70 * edge);
  scheduler.completed(0, 5, 60 * edge);
  run(scheduler, now);
  EXPECT_FALSE(scheduler.done());
  scheduler.completed(0, 7, 90 * edge);
  run(scheduler, now);
  EXPECT_TRUE(scheduler.done());
  EXPECT_EQ(ends, (std::vector<Femtoseconds>{60 * edge, 70 * edge, 90 * edge}));
}

TEST(BlockScheduler, tells_all_sms_when_the_last_block_has_been_dealt) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 2, "depth_first", "per_cta"), sm_cycle, sms);
  scheduler.begin({0, 5}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 4U);
  EXPECT_TRUE(sms.end_of_grid.empty());
  scheduler.completed(2, 2, now + edge);
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 5U);
  EXPECT_EQ(sms.end_of_grid, (std::vector<SmIndex>{0, 1, 2, 3}));
}

TEST(BlockScheduler, says_how_soon_a_block_follows_another_at_the_least) {
  GpuLayoutSpec spec = layout(2, 2, "depth_first", "in_order");
  spec.cta_dispatch_interval_cycles = 16;
  spec.cta_replacement_cycles = 100;
  Recorder sms;
  const auto replacement = [&] { return BlockScheduler(spec, sm_cycle, sms).shortest_replacement(); };
  const auto spacing = [&] { return BlockScheduler(spec, sm_cycle, sms).shortest_spacing(edge); };
  EXPECT_EQ(replacement(), 2 * link_delay + 50 * sm_cycle);
  EXPECT_EQ(spacing(), 4 * 8 * sm_cycle - edge) << "the other SMs come first; one block may be an edge late";
  spec.cta_replacement = "per_cta";
  EXPECT_EQ(replacement(), 2 * link_delay + 50 * sm_cycle);
  EXPECT_EQ(spacing(), 8 * sm_cycle - edge);
  spec.cta_replacement = "wave";
  EXPECT_EQ(replacement(), 2 * link_delay) << "after the last block of a wave";
  spec.cta_dispatch_interval_cycles = 0;
  EXPECT_EQ(spacing(), 0U);
}

TEST(BlockScheduler, in_waves_the_next_group_waits_for_all_running_blocks) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "wave"), sm_cycle, sms);
  scheduler.begin({0, 5}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 2U);
  scheduler.completed(0, 0, now + edge);
  now += edge;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 2U) << "SM 1 is still running";
  scheduler.completed(1, 1, now + edge);
  now += edge;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 4U);
  EXPECT_EQ(sms.dealt[2].sm, 0U);
}

TEST(BlockScheduler, a_slot_gets_one_block_in_each_wave_however_soon_it_is_free) {
  Recorder sms;
  GpuLayoutSpec spec = layout(2, 1, "breadth_first", "wave");
  spec.cta_dispatch_interval_cycles = 1000;
  BlockScheduler scheduler(spec, sm_cycle, sms);
  scheduler.begin({0, 4}, 1);
  scheduler.advance(0);
  scheduler.completed(0, 0, edge);
  Femtoseconds now = edge;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 2U) << "SM 0 is free, but its next block belongs to the next wave";
  EXPECT_EQ(sms.dealt[1].sm, 1U);
}

TEST(BlockScheduler, per_cta_a_free_slot_is_filled_at_once) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "per_cta"), sm_cycle, sms);
  scheduler.begin({0, 4}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  scheduler.completed(1, 1, now + edge);
  now += edge;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 3U);
  EXPECT_EQ(sms.dealt[2].sm, 1U);
}

// Collange 2010, section 7: round robin, and nothing more is dealt while a block of the group before is running. His
// blocks had different lengths; here the first one is long.
TEST(BlockScheduler, in_order_a_long_first_block_holds_back_all_others) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "in_order"), sm_cycle, sms);
  scheduler.begin({0, 8}, 2);
  Femtoseconds now = 0;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 4U);
  for (const unsigned block : {3U, 1U, 2U}) scheduler.completed(block % 2, block, now += edge);
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 4U) << "SM 1 is empty and SM 0 half so, but it is the turn of block 0's slot";
  scheduler.completed(0, 0, now += edge);
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 8U);
  for (unsigned block = 4; block < 8; ++block) EXPECT_EQ(sms.dealt[block].sm, block % 2);
}

TEST(BlockScheduler, early_a_slot_that_was_given_back_is_not_given_back_again) {
  Recorder sms;
  BlockScheduler scheduler(layout(1, 1, "breadth_first", "early"), sm_cycle, sms);
  scheduler.begin({0, 3}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 1U);
  scheduler.released(0, now += link_delay);
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 2U);
  EXPECT_EQ(scheduler.finished(), 0U) << "it still runs";
  scheduler.completed(0, 0, now += link_delay);
  run(scheduler, now);
  EXPECT_EQ(scheduler.finished(), 1U);
  EXPECT_EQ(sms.dealt.size(), 2U) << "its slot has another block already";
  scheduler.completed(0, 1, now += link_delay);
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 3U);
}

TEST(BlockScheduler, is_done_when_every_block_has_completed) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "per_cta"), sm_cycle, sms);
  scheduler.begin({0, 2}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  EXPECT_FALSE(scheduler.done());
  std::vector<std::string> pending;
  scheduler.describe_pending(pending);
  EXPECT_EQ(pending.size(), 1U);
  scheduler.completed(0, 0, now);
  scheduler.completed(1, 1, now + 3 * edge);
  run(scheduler, now);
  EXPECT_TRUE(scheduler.done());
  EXPECT_EQ(scheduler.last_completion(), now);
}

// Ye 2009, table 4: each block of an empty kernel takes 16 SP cycles, on a chip of 14 SMs.
TEST(BlockScheduler, hands_out_one_block_per_interval_whatever_the_sm) {
  Recorder sms;
  GpuLayoutSpec spec = layout(7, 2, "breadth_first", "wave");
  spec.cta_dispatch_interval_cycles = 16;
  BlockScheduler scheduler(spec, sm_cycle, sms);
  scheduler.begin({0, 20}, 2);
  Femtoseconds now = 0;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 20U);
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(sms.dealt[i].when, i * 8 * sm_cycle + link_delay);
}

// Volkov 2016: 150 to 300 cycles from one block to the next.
TEST(BlockScheduler, one_by_one_a_slot_stays_empty_for_the_replacement_time) {
  for (const char* policy : {"per_cta", "in_order"}) {
    Recorder sms;
    GpuLayoutSpec spec = layout(2, 1, "breadth_first", policy);
    spec.cta_replacement_cycles = 150;
    BlockScheduler scheduler(spec, sm_cycle, sms);
    scheduler.begin({0, 4}, 1);
    Femtoseconds now = 0;
    run(scheduler, now);
    now = 2 * link_delay;
    scheduler.completed(0, 0, now);
    const Femtoseconds known = now;
    run(scheduler, now);
    ASSERT_EQ(sms.dealt.size(), 3U) << policy << ": block 1 is still running";
    EXPECT_EQ(sms.dealt[2].sm, 0U) << policy;
    EXPECT_EQ(sms.dealt[2].when, known + 75 * sm_cycle + link_delay) << policy;
  }
}

// Collange 2010, section 7: the clock counter of a TPC without work stands still.
TEST(BlockScheduler, tells_for_how_long_the_clock_of_a_tpc_has_stood_still) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 2, "breadth_first", "wave"), sm_cycle, sms);
  scheduler.begin({0, 5}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  const SmCycle arrival = link_delay / sm_cycle;
  EXPECT_EQ(sms.dealt[0].clock_stopped, arrival) << "until its first block a TPC has stood still";
  EXPECT_EQ(sms.dealt[2].clock_stopped, sms.dealt[0].clock_stopped) << "second SM of the same TPC: it runs already";
  // The blocks of TPC 0 (SMs 0 and 1) end in cycles 20000 and 30000, those of TPC 1 in cycle 40000.
  for (const Dealt& dealt : std::vector<Dealt>(sms.dealt)) {
    const SmCycle cycle = std::array{20000U, 30000U, 40000U, 40000U}[dealt.sm];
    scheduler.completed(dealt.sm, dealt.block, cycle * sm_cycle + link_delay);
  }
  now = 20000 * sm_cycle + link_delay;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 5U);
  EXPECT_EQ(sms.dealt[4].sm, 0U);
  const SmCycle again = (sms.dealt[4].when + sm_cycle - 1) / sm_cycle;
  EXPECT_EQ(sms.dealt[4].clock_stopped, arrival + again - 30000);
  EXPECT_EQ(scheduler.clock_stopped(1), sms.dealt[1].clock_stopped) << "nothing new for TPC 1";
}

TEST(BlockScheduler, without_clock_gating_the_counters_run_through) {
  Recorder sms;
  GpuLayoutSpec spec = layout(2, 2, "breadth_first", "wave");
  spec.tpc_clock_gating = false;
  BlockScheduler scheduler(spec, sm_cycle, sms);
  scheduler.begin({0, 4}, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  for (const Dealt& dealt : sms.dealt) EXPECT_EQ(dealt.clock_stopped, 0U);
}

}  // namespace
}  // namespace teslasim
