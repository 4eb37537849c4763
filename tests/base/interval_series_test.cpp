// SPDX-License-Identifier: Apache-2.0
#include "sim/base/interval_series.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace teslasim {
namespace {

constexpr unsigned columns = 3;

struct Span {
  unsigned column = 0;
  SmCycle begin = 0;
  SmCycle length = 0;
};

IntervalSeries series_of(const std::vector<Span>& spans, std::size_t most) {
  IntervalSeries series(columns, most);
  for (const Span& span : spans) series.add(span.column, span.begin, span.begin + span.length);
  return series;
}

std::vector<Span> some_spans(SmCycle longest) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 30);
  std::vector<Span> spans;
  for (std::size_t i = 0; i < count; ++i) {
    spans.push_back({*rc::gen::inRange(0U, columns), *rc::gen::inRange<std::uint64_t>(0, longest.count()),
                     *rc::gen::inRange<std::uint64_t>(0, longest.count() / 4)});
  }
  return spans;
}

std::uint64_t in_cycles(const std::vector<Span>& spans, unsigned column, SmCycle begin, SmCycle end) {
  std::uint64_t sum = 0;
  for (const Span& span : spans) {
    if (span.column != column) continue;
    const SmCycle from = std::max(begin, span.begin);
    const SmCycle until = std::min(end, span.begin + span.length);
    sum += until > from ? (until - from).count() : 0;
  }
  return sum;
}

RC_GTEST_PROP(IntervalSeriesProperties, every_row_holds_its_own_cycles, ()) {
  const std::vector<Span> spans = some_spans(5000);
  const IntervalSeries series = series_of(spans, 16);
  RC_ASSERT(series.rows() <= 16U);
  for (std::size_t row = 0; row < series.rows(); ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const SmCycle begin = row * series.width();
      RC_ASSERT(series.at(row, column) == in_cycles(spans, column, begin, begin + series.width()));
    }
  }
}

RC_GTEST_PROP(IntervalSeriesProperties, the_order_of_telling_does_not_matter, ()) {
  std::vector<Span> spans = some_spans(5000);
  const IntervalSeries first = series_of(spans, 32);
  std::reverse(spans.begin(), spans.end());
  const IntervalSeries second = series_of(spans, 32);
  RC_ASSERT(first.width() == second.width());
  RC_ASSERT(first.rows() == second.rows());
  for (std::size_t row = 0; row < first.rows(); ++row) {
    for (unsigned column = 0; column < columns; ++column) RC_ASSERT(first.at(row, column) == second.at(row, column));
  }
}

RC_GTEST_PROP(IntervalSeriesProperties, widening_keeps_the_sums, ()) {
  const std::vector<Span> spans = some_spans(3000);
  IntervalSeries series = series_of(spans, 1024);
  std::vector<std::uint64_t> sums;
  for (unsigned column = 0; column < columns; ++column) sums.push_back(series.sum(column));
  series.shrink_to(4);
  RC_ASSERT(series.rows() <= 4U);
  for (unsigned column = 0; column < columns; ++column) RC_ASSERT(series.sum(column) == sums[column]);
}

TEST(IntervalSeries, width_doubles_when_the_table_is_full) {
  IntervalSeries series(1, 4);
  series.add(0, 0, 16);
  EXPECT_EQ(series.width(), 4U);
  EXPECT_EQ(series.rows(), 4U);
  series.add(0, 16, 17);
  EXPECT_EQ(series.width(), 8U);
  EXPECT_EQ(series.rows(), 3U);
  EXPECT_EQ(series.at(0, 0), 8U);
  EXPECT_EQ(series.at(2, 0), 1U);
}

TEST(IntervalSeries, adds_series_of_the_same_width) {
  IntervalSeries a(1, 8), b(1, 8);
  a.add(0, 0, 4);
  b.add(0, 2, 10, 3);
  a += b;
  EXPECT_EQ(a.at(0, 0), 4U + 6U);
  EXPECT_EQ(a.at(2, 0), 6U);
}

}  // namespace
}  // namespace teslasim
