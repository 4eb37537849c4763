// SPDX-License-Identifier: Apache-2.0
#include "sim/base/latency_histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace teslasim {
namespace {

TEST(LatencyHistogram, is_empty_at_first) {
  const LatencyHistogram none;
  EXPECT_EQ(none.count(), 0U);
  EXPECT_EQ(none.percentile(50), 0U);
  EXPECT_EQ(none.least(), 0U);
  EXPECT_EQ(none.greatest(), 0U);
}

RC_GTEST_PROP(LatencyHistogram, a_sum_is_that_of_all_values,
              (std::vector<std::uint16_t> left, std::vector<std::uint16_t> right)) {
  LatencyHistogram first, second, all;
  for (const std::uint16_t value : left) first.add(value);
  for (const std::uint16_t value : right) second.add(value);
  for (const std::uint16_t value : left) all.add(value);
  for (const std::uint16_t value : right) all.add(value);
  first += second;
  RC_ASSERT(first.count() == all.count());
  RC_ASSERT(first.sum() == all.sum());
  RC_ASSERT(first.least() == all.least());
  RC_ASSERT(first.greatest() == all.greatest());
  for (const unsigned percent : {5U, 50U, 95U}) RC_ASSERT(first.percentile(percent) == all.percentile(percent));
}

TEST(LatencyHistogram, one_value_is_exact_however_often_it_comes) {
  LatencyHistogram histogram;
  for (int i = 0; i < 1000; ++i) histogram.add(227);
  EXPECT_EQ(histogram.count(), 1000U);
  EXPECT_EQ(histogram.sum(), 227'000U);
  EXPECT_EQ(histogram.least(), 227U);
  EXPECT_EQ(histogram.percentile(50), 227U);
  EXPECT_EQ(histogram.percentile(95), 227U);
  EXPECT_EQ(histogram.greatest(), 227U);
}

TEST(LatencyHistogram, percentiles_of_small_values_are_exact) {
  LatencyHistogram histogram;
  for (std::uint64_t value = 1; value <= 10; ++value) histogram.add(value);
  EXPECT_EQ(histogram.percentile(50), 5U);
  EXPECT_EQ(histogram.percentile(95), 10U);
  EXPECT_EQ(histogram.percentile(10), 1U);
}

RC_GTEST_PROP(LatencyHistogram, ends_are_exact_and_percentiles_within_an_eighth, ()) {
  auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 1'000'000U)));
  LatencyHistogram histogram;
  std::uint64_t sum = 0;
  for (const std::uint32_t value : values) {
    histogram.add(value);
    sum += value;
  }
  std::sort(values.begin(), values.end());
  RC_ASSERT(histogram.count() == values.size());
  RC_ASSERT(histogram.sum() == sum);
  RC_ASSERT(histogram.least() == values.front());
  RC_ASSERT(histogram.greatest() == values.back());
  const std::size_t rank = (values.size() + 1) / 2;
  const double exact = values[rank - 1], found = static_cast<double>(histogram.percentile(50));
  RC_ASSERT(found >= exact * 0.87 - 1);
  RC_ASSERT(found <= exact * 1.13 + 1);
}

}  // namespace
}  // namespace teslasim
