// SPDX-License-Identifier: Apache-2.0
// Datasheet of the pace of a full machine: what is left out, the interval, and when there is no steady state.
#include "sim/model/steady_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::uint64_t wave = 4;

/// Ends of waves that take so long each; the blocks of a wave end at once.
std::vector<Femtoseconds> ends_of(const std::vector<std::uint64_t>& waves) {
  std::vector<Femtoseconds> ends;
  std::uint64_t now = 0;
  for (const std::uint64_t length : waves) {
    now += length;
    ends.insert(ends.end(), wave, Femtoseconds(now));
  }
  return ends;
}

TEST(SteadyPace, leaves_the_first_and_the_last_wave_out) {
  const SteadyPace pace = steady_pace(ends_of({9000, 400, 400, 400, 700}), wave);
  EXPECT_DOUBLE_EQ(pace.femtoseconds_per_block, 100.0);
  EXPECT_DOUBLE_EQ(pace.bound, 0.0);
  EXPECT_TRUE(pace.steady);
}

TEST(SteadyPace, a_part_of_a_wave_at_the_end_is_tail_too) {
  std::vector<Femtoseconds> ends = ends_of({400, 400, 400, 400, 400});
  ends.push_back(Femtoseconds(9000));
  EXPECT_DOUBLE_EQ(steady_pace(ends, wave).femtoseconds_per_block, 100.0);
}

TEST(SteadyPace, does_not_depend_on_the_order_of_the_ends) {
  std::vector<Femtoseconds> ends = ends_of({500, 400, 420, 380, 400, 410});
  const SteadyPace forwards = steady_pace(ends, wave);
  std::reverse(ends.begin(), ends.end());
  EXPECT_DOUBLE_EQ(steady_pace(ends, wave).bound, forwards.bound);
}

TEST(SteadyPace, bounds_the_mean_by_students_t) {
  const SteadyPace pace = steady_pace(ends_of({400, 360, 440, 400, 400}), wave);  // means 90, 110, 100
  EXPECT_DOUBLE_EQ(pace.femtoseconds_per_block, 100.0);
  EXPECT_NEAR(pace.bound, 4.303 * std::sqrt(100.0 / 3.0), 1e-9);
  EXPECT_TRUE(pace.steady);
}

TEST(SteadyPace, tells_a_trend_from_scatter) {
  const SteadyPace rising = steady_pace(ends_of({400, 400, 421, 439, 462, 479, 500, 500}), wave);
  EXPECT_FALSE(rising.steady);
  EXPECT_NEAR(rising.trend, 100.0 / 450.0, 0.01);
  const SteadyPace falling = steady_pace(ends_of({500, 500, 479, 462, 439, 421, 400, 400}), wave);
  EXPECT_FALSE(falling.steady);
  EXPECT_LT(falling.trend, 0.0);
  EXPECT_TRUE(steady_pace(ends_of({400, 400, 480, 390, 470, 410, 490, 400}), wave).steady);
}

TEST(SteadyPace, tolerates_a_line_that_hardly_rises) {
  const SteadyPace pace = steady_pace(ends_of({4000, 4000, 4010, 4020, 4030, 4040, 4050}), wave);
  EXPECT_GT(pace.trend, 0.0);
  EXPECT_TRUE(pace.steady);
}

TEST(SteadyPace, wants_three_batches) {
  EXPECT_THROW((void)steady_pace(ends_of({400, 400, 400, 400}), wave), InternalError);
}

}  // namespace
}  // namespace teslasim
