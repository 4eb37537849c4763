// SPDX-License-Identifier: Apache-2.0
// Which block of the grid a stream starts when only some are chosen.
#include "sim/run/block_choice.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace teslasim::testing {
namespace {

/// Notes what it is asked to start.
class NotingStream final : public WarpStream {
 public:
  explicit NotingStream(std::vector<BlockIndex>& started) : started_(started) {}
  void start_block(unsigned, BlockIndex block, WarpSlot) override { started_.push_back(block); }
  void finish_block(unsigned) override {}
  const Instruction* next(WarpSlot) override { return nullptr; }
  [[nodiscard]] bool passes_guard(WarpSlot) const override { return true; }
  [[nodiscard]] LaneMask active(WarpSlot) const override { return all_lanes; }
  void issue(WarpSlot, std::uint64_t, WarpInst&) override {}
  void complete(WarpSlot, MemoryAccess&) override {}
  void release(MemoryAccess&) override {}

 private:
  std::vector<BlockIndex>& started_;
};

std::vector<BlockIndex> started_of(const ChosenBlocks& chosen) {
  std::vector<BlockIndex> started;
  const auto stream = stream_of_chosen(std::make_unique<NotingStream>(started), chosen);
  for (std::uint64_t block = 0; block < chosen.size(); ++block) stream->start_block(0, BlockIndex{block}, 0);
  return started;
}

TEST(BlockChoice, a_stream_starts_the_chosen_blocks_in_order) {
  EXPECT_EQ(started_of({2, 3, 7}), (std::vector<BlockIndex>{2, 3, 7}));
  EXPECT_EQ(started_of({0, 2}), (std::vector<BlockIndex>{0, 2}));
}

TEST(BlockChoice, the_first_blocks_of_a_grid_need_no_stream_between) {
  std::vector<BlockIndex> started;
  auto noting = std::make_unique<NotingStream>(started);
  const WarpStream* const inner = noting.get();
  const ChosenBlocks first{0, 1, 2}, not_from_the_first{1, 2};
  EXPECT_EQ(stream_of_chosen(std::move(noting), first).get(), inner);
  EXPECT_EQ(started_of(first), (std::vector<BlockIndex>{0, 1, 2}));
  EXPECT_EQ(started_of(not_from_the_first), (std::vector<BlockIndex>{1, 2}));
}

}  // namespace
}  // namespace teslasim::testing
