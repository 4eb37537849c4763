// SPDX-License-Identifier: Apache-2.0
// Datasheet of the rule that says which blocks of a sampled launch run in time.
#include "sim/run/block_sample_rule.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

TEST(BlockSampleRule, is_read_and_written) {
  EXPECT_EQ(BlockSampleRule::parse("blocks").waves, BlockSampleRule{}.waves);
  EXPECT_EQ(BlockSampleRule::parse("blocks=5").waves, 5U);
  EXPECT_EQ(BlockSampleRule::parse(BlockSampleRule{77}.text()).waves, 77U);
}

TEST(BlockSampleRule, refuses_what_is_no_rule) {
  for (const char* text : {"", "block", "blocks=", "blocks=4", "blocks=0", "blocks=1001", "blocks=8x", "blocks= 8",
                           "blocks=-8", "blocks=99999999999999999999", "8", "blocks8", "blocks,8"}) {
    EXPECT_THROW((void)BlockSampleRule::parse(text), InputError) << text;
  }
}

TEST(BlockSampleRule, leaves_whole_waves_to_the_others) {
  const BlockSampleRule rule{8};
  EXPECT_EQ(rule.timed_blocks(1600, 10), 80U);
  EXPECT_EQ(rule.timed_blocks(1607, 10), 87U);
  for (std::uint64_t grid = 160; grid < 400; ++grid) EXPECT_EQ((grid - rule.timed_blocks(grid, 10)) % 10, 0U) << grid;
}

TEST(BlockSampleRule, lets_small_grids_run_whole) {
  const BlockSampleRule rule{8};
  EXPECT_EQ(rule.timed_blocks(159, 10), 159U);
  EXPECT_EQ(rule.timed_blocks(160, 10), 80U);
  EXPECT_EQ(rule.timed_blocks(100, 0), 100U) << "no block fits";
}

}  // namespace
}  // namespace teslasim
