// SPDX-License-Identifier: Apache-2.0
// Block distribution as measured by Collange 2010, section 7.
#include "sim/gpu/block_scheduler.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

struct Dealt {
  unsigned sm;
  Femtoseconds when;
  std::uint64_t block;
};

class Recorder final : public BlockReceiver {
 public:
  void receive_block(unsigned sm, Femtoseconds when, std::uint64_t block) override {
    dealt.push_back({sm, when, block});
  }
  std::vector<Dealt> dealt;
};

GpuLayoutSpec layout(unsigned tpcs, unsigned sms_per_tpc, const std::string& order, const std::string& replacement) {
  GpuLayoutSpec spec;
  spec.tpcs = tpcs;
  spec.sms_per_tpc = sms_per_tpc;
  spec.cta_scheduler = order;
  spec.cta_replacement = replacement;
  return spec;
}

constexpr Femtoseconds edge = 1000;

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

TEST(BlockScheduler, deals_one_block_per_cycle_round_robin) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 2, "depth_first", "wave"), sms);
  scheduler.begin(6, 2);
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

TEST(BlockScheduler, in_waves_the_next_group_waits_for_all_running_blocks) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "wave"), sms);
  scheduler.begin(5, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 2U);
  scheduler.completed(0, now + edge);
  now += edge;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 2U) << "SM 1 is still running";
  scheduler.completed(1, now + edge);
  now += edge;
  run(scheduler, now);
  EXPECT_EQ(sms.dealt.size(), 4U);
  EXPECT_EQ(sms.dealt[2].sm, 0U);
}

TEST(BlockScheduler, per_cta_a_free_slot_is_filled_at_once) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "per_cta"), sms);
  scheduler.begin(4, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  scheduler.completed(1, now + edge);
  now += edge;
  run(scheduler, now);
  ASSERT_EQ(sms.dealt.size(), 3U);
  EXPECT_EQ(sms.dealt[2].sm, 1U);
}

TEST(BlockScheduler, is_done_when_every_block_has_completed) {
  Recorder sms;
  BlockScheduler scheduler(layout(2, 1, "breadth_first", "per_cta"), sms);
  scheduler.begin(2, 1);
  Femtoseconds now = 0;
  run(scheduler, now);
  EXPECT_FALSE(scheduler.done());
  std::vector<std::string> pending;
  scheduler.describe_pending(pending);
  EXPECT_EQ(pending.size(), 1U);
  scheduler.completed(0, now);
  scheduler.completed(1, now + 3 * edge);
  run(scheduler, now);
  EXPECT_TRUE(scheduler.done());
  EXPECT_EQ(scheduler.last_completion(), now);
}

}  // namespace
}  // namespace teslasim
