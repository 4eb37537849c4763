// SPDX-License-Identifier: Apache-2.0
// Datasheet of sampled launches: which run in time, and what is said of the others.
#include "sim/cudart/launch_sampler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim::cudart {
namespace {

const LaunchSampler::Kind step{"step", {64, 1, 1}, {256, 1, 1}, 16, 5};

std::vector<unsigned> timed_of(LaunchSampler& sampler, unsigned launches, std::uint64_t time = 1000) {
  std::vector<unsigned> timed;
  for (unsigned i = 0; i < launches; ++i) {
    if (sampler.mode_of_next(step) == Mode::timing) {
      timed.push_back(i);
      sampler.add_timed(step, Femtoseconds(time), 10);
    } else {
      (void)sampler.extrapolate(step, 10);
    }
  }
  return timed;
}

TEST(LaunchSampler, times_the_first_launches_and_then_each_so_many) {
  LaunchSampler sampler(SampleRule{3, 5});
  EXPECT_EQ(timed_of(sampler, 20), (std::vector<unsigned>{0, 1, 2, 7, 12, 17}));
  EXPECT_EQ(sampler.timed(), 6U);
  EXPECT_EQ(sampler.extrapolated(), 14U);
}

TEST(LaunchSampler, keeps_kernels_and_shapes_apart) {
  LaunchSampler sampler(SampleRule{2, 100});
  (void)timed_of(sampler, 10);
  LaunchSampler::Kind larger = step;
  larger.grid[0] = 65;
  LaunchSampler::Kind namesake = step;
  namesake.instructions = 7;
  EXPECT_EQ(sampler.mode_of_next(step), Mode::functional);
  EXPECT_EQ(sampler.mode_of_next(larger), Mode::timing);
  EXPECT_EQ(sampler.mode_of_next(namesake), Mode::timing);
}

TEST(LaunchSampler, times_goes_on_until_enough_launches_were_timed) {
  LaunchSampler sampler(SampleRule{2, 100});
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(sampler.mode_of_next(step), Mode::timing);  // none of them ended well
}

TEST(LaunchSampler, extrapolates_by_warp_instructions) {
  LaunchSampler sampler(SampleRule{2, 100});
  (void)timed_of(sampler, 2, 1000);  // 100 fs per warp instruction
  const LaunchSampler::Estimate estimate = sampler.extrapolate(step, 25);
  EXPECT_EQ(estimate.time, Femtoseconds(2500));
  EXPECT_EQ(estimate.bound, Femtoseconds(0));  // those that were timed did not scatter
}

TEST(LaunchSampler, bounds_a_prediction_by_the_scatter) {
  LaunchSampler sampler(SampleRule{3, 100});
  for (const unsigned time : {900U, 1000U, 1100U}) sampler.add_timed(step, Femtoseconds(time), 10);
  // Deviation 10 fs per warp instruction; t for two degrees of freedom 4.303; one launch of 10 warp instructions.
  const double expected = 4.303 * 10.0 * std::sqrt(1.0 + 1.0 / 3.0) * 10.0;
  const LaunchSampler::Estimate estimate = sampler.extrapolate(step, 10);
  EXPECT_EQ(estimate.time, Femtoseconds(1000));
  EXPECT_NEAR(static_cast<double>(estimate.bound.count()), expected, 1.0);
  EXPECT_NEAR(static_cast<double>(sampler.bound().count()), expected, 1.0);
}

TEST(LaunchSampler, the_error_of_the_mean_does_not_even_out) {
  LaunchSampler sampler(SampleRule{3, 100});
  for (const unsigned time : {900U, 1000U, 1100U}) sampler.add_timed(step, Femtoseconds(time), 10);
  constexpr double launches = 100.0;
  for (unsigned i = 0; i < 100; ++i) (void)sampler.extrapolate(step, 10);
  const double expected = 4.303 * 10.0 * 10.0 * std::sqrt(launches + launches * launches / 3.0);
  EXPECT_NEAR(static_cast<double>(sampler.bound().count()), expected, 1.0);
}

/// Errors of the pace of blocks do not scatter by launch.
TEST(LaunchSampler, takes_over_the_bounds_of_times_that_are_extrapolated_themselves) {
  LaunchSampler sampler(SampleRule{2, 100});
  sampler.add_timed(step, Femtoseconds(1000), 10, Femtoseconds(20));
  sampler.add_timed(step, Femtoseconds(1000), 10, Femtoseconds(10));
  EXPECT_EQ(sampler.extrapolate(step, 50).bound, Femtoseconds(100));
  (void)sampler.extrapolate(step, 50);
  EXPECT_EQ(sampler.bound(), Femtoseconds(200));
}

TEST(SampleRule, is_read) {
  EXPECT_EQ(SampleRule::parse("5").first, 5U);
  EXPECT_EQ(SampleRule::parse("5").every, SampleRule{}.every);
  EXPECT_EQ(SampleRule::parse("4,7").first, 4U);
  EXPECT_EQ(SampleRule::parse("4,7").every, 7U);
  for (const char* text : {"", "1", "0,3", "3,0", "3,", "x", "3,4,5", "-3"}) {
    EXPECT_THROW((void)SampleRule::parse(text), InputError) << text;
  }
}

/// Launches whose time is proportional to their work are extrapolated exactly.
RC_GTEST_PROP(LaunchSampler, is_exact_where_time_follows_instructions, (std::vector<std::uint16_t> work)) {
  LaunchSampler sampler(SampleRule{2, 3});
  for (const std::uint64_t instructions : work) {
    const std::uint64_t time = 7 * (instructions + 1);
    if (sampler.mode_of_next(step) == Mode::timing) {
      sampler.add_timed(step, Femtoseconds(time), instructions + 1);
    } else {
      const LaunchSampler::Estimate estimate = sampler.extrapolate(step, instructions + 1);
      RC_ASSERT(estimate.time == Femtoseconds(time));
      RC_ASSERT(estimate.bound <= Femtoseconds(1));
    }
  }
}

}  // namespace
}  // namespace teslasim::cudart
