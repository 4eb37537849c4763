// SPDX-License-Identifier: Apache-2.0
// The series over time of an SM, taken from what its totals grew by, against one that adds up what an observer was
// told.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/interval_statistics.h"
#include "tests/sm/random_code.h"

namespace teslasim::testing {
namespace {

constexpr std::size_t most_rows = 16;

/// Adds every span to the intervals that it touches.
class SpreadingObserver final : public SmObserver {
 public:
  void slots(SlotReason reason, SmCycle begin, SmCycle end) override {
    series.add(static_cast<unsigned>(reason), begin, end);
  }
  void warp_state(WarpSlot, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t) override {
    series.add(interval_active, begin, end);
    if (state == SlotReason::not_selected || state == SlotReason::issuing || state == SlotReason::issuing_replay) {
      series.add(interval_eligible, begin, end);
    }
  }
  void block_started(unsigned, BlockIndex, WarpSlot, unsigned, SmCycle) override {}
  void block_finished(unsigned, SmCycle) override {}
  void barrier_opened(unsigned, SmCycle) override {}
  void fetched(WarpSlot, SmCycle) override {}
  void issued(WarpSlot, const WarpInst&, SmCycle) override {}
  void sent(WarpSlot, unsigned, SmCycle) override {}
  void replayed(WarpSlot, SmCycle) override {}
  void occupied(WarpSlot, const Occupation&) override {}
  void written(WarpSlot, std::uint32_t, SmCycle) override {}

  NarrowIntervalSeries series{interval_columns, most_rows};
};

// Few rows, so that intervals widen while the launch runs.
RC_GTEST_PROP(IntervalsOfAnSm, hold_what_an_observer_was_told, ()) {
  const unsigned warps = *rc::gen::inRange(1U, 9U);
  const unsigned blocks = *rc::gen::inRange(1U, 5U);
  const std::vector<Instruction> code = random_code();
  SmUnderTest sm({}, *rc::gen::inRange<std::uint64_t>(20, 400));
  sm.credits = *rc::gen::inRange(1U, 12U);
  sm.shape = some_conflicts;
  SpreadingObserver told;
  NarrowIntervalSeries series(interval_columns, most_rows);
  sm.observer = &told;
  sm.intervals = &series;
  sm.run(code, warps, blocks);

  RC_ASSERT(series.width() == told.series.width());
  RC_ASSERT(series.rows() == told.series.rows());
  for (std::size_t row = 0; row < series.rows(); ++row) {
    for (unsigned column = 0; column < interval_columns; ++column) {
      RC_ASSERT(series.at(row, column) == told.series.at(row, column));
    }
  }
  RC_ASSERT(series.sum(static_cast<unsigned>(SlotReason::issued)) == warps * blocks * code.size());
}

}  // namespace
}  // namespace teslasim::testing
