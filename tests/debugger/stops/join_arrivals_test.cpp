// SPDX-License-Identifier: Apache-2.0
// Joins on the way of a warp to its next instruction, and the lanes that come to each.
#include "sim/debugger/stops/join_arrivals.h"

#include <gtest/gtest.h>

#include <array>

namespace teslasim {
namespace {

/// Eight instructions, the last one with the join flag; lanes ff are to join there.
class JoinArrivals : public ::testing::Test {
 protected:
  JoinArrivals() {
    kernel_.code.resize(8);
    kernel_.code[join_].join = true;
    control_.start(0xff, stack_.data(), {8, 8});
    EXPECT_EQ(control_.push_join(join_), ControlFault::none);
  }
  static constexpr std::uint32_t join_ = 7;
  Kernel kernel_;
  std::array<StackEntry, 8> stack_{};
  WarpControl control_;
};

TEST_F(JoinArrivals, elsewhere_there_are_none) {
  EXPECT_TRUE(join_arrivals(control_, kernel_).empty());
  EXPECT_TRUE(join_arrivals(WarpControl{}, kernel_).empty()) << "of a warp that has finished";
}

TEST_F(JoinArrivals, each_path_comes_with_its_lanes) {
  ASSERT_EQ(control_.branch(0x0f, join_), ControlFault::none);
  const std::vector<JoinArrival> first = join_arrivals(control_, kernel_);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].index, join_);
  EXPECT_EQ(first[0].lanes, 0x0fU);
  EXPECT_EQ(control_.index(), join_) << "the warp itself has not moved";
  EXPECT_EQ(control_.depth(), 2U);
  ASSERT_EQ(control_.join(), ControlFault::none);
  EXPECT_EQ(control_.active(), 0xf0U);
  control_.jump(join_);
  const std::vector<JoinArrival> second = join_arrivals(control_, kernel_);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].lanes, 0xf0U);
}

TEST_F(JoinArrivals, a_path_without_instructions_comes_at_once) {
  control_.jump(join_ - 1);
  ASSERT_EQ(control_.branch(0x0f, join_), ControlFault::none);
  const std::vector<JoinArrival> arrivals = join_arrivals(control_, kernel_);
  ASSERT_EQ(arrivals.size(), 2U);
  EXPECT_EQ(arrivals[0].lanes, 0x0fU);
  EXPECT_EQ(arrivals[1].lanes, 0xf0U);
}

TEST_F(JoinArrivals, a_join_without_an_entry_ends_them) {
  control_.jump(join_);
  ASSERT_EQ(control_.join(), ControlFault::none);
  control_.jump(join_);
  EXPECT_EQ(join_arrivals(control_, kernel_).size(), 1U);
}

}  // namespace
}  // namespace teslasim
