// SPDX-License-Identifier: Apache-2.0
#include "sim/run/launch_details.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

TEST(LaunchDetails, up_to_sixty_four_launches_stand_alone) {
  const LaunchDetails few = LaunchDetails::parse("", 64), many = LaunchDetails::parse("", 65);
  EXPECT_TRUE(few.alone(63));
  EXPECT_FALSE(few.listed());
  EXPECT_FALSE(many.alone(0));
  EXPECT_TRUE(many.listed());
}

TEST(LaunchDetails, words_choose_all_or_none) {
  EXPECT_TRUE(LaunchDetails::parse("all", 1000).alone(999));
  EXPECT_TRUE(LaunchDetails::parse("all", 1000).listed());
  EXPECT_FALSE(LaunchDetails::parse("all", 10).listed());
  EXPECT_FALSE(LaunchDetails::parse("none", 10).alone(3));
  EXPECT_TRUE(LaunchDetails::parse("none", 10).listed());
}

TEST(LaunchDetails, numbers_choose_some) {
  const LaunchDetails some = LaunchDetails::parse("0-2,7", 10);
  EXPECT_TRUE(some.alone(2));
  EXPECT_TRUE(some.alone(7));
  EXPECT_FALSE(some.alone(3));
  EXPECT_THROW((void)LaunchDetails::parse("10", 10), InputError);
  EXPECT_THROW((void)LaunchDetails::parse("few", 10), InputError);
}

}  // namespace
}  // namespace teslasim
