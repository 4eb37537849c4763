// SPDX-License-Identifier: Apache-2.0
// Keeps the time series of a launch: one observer per SM and one for the memory side.
#pragma once

#include <cstddef>
#include <vector>

#include "memory/traffic_observer.h"
#include "sim/base/interval_statistics.h"
#include "sim/sm/observer.h"

namespace teslasim {

/// Counts the slots of one SM per interval; everything else is let pass.
class SmIntervals final : public SmObserver {
 public:
  explicit SmIntervals(std::size_t most_rows) : series_(interval_columns, most_rows) {}
  void slots(SlotReason reason, Cycle begin, Cycle end) override;
  void warp_state(unsigned warp, SlotReason state, Cycle begin, Cycle end, std::uint32_t producer) override;
  void resident(unsigned warps, Cycle begin, Cycle end) override;
  void block_started(unsigned, std::uint64_t, unsigned, unsigned, Cycle) override {}
  void block_finished(unsigned, Cycle) override {}
  void issued(unsigned, const WarpInst&, Cycle) override {}
  void sent(unsigned, unsigned, Cycle) override {}
  void replayed(unsigned, Cycle) override {}
  void occupied(unsigned, std::uint32_t, Cycle, Cycle) override {}
  void written(unsigned, std::uint32_t, Cycle) override {}
  [[nodiscard]] IntervalSeries& series() { return series_; }

 private:
  IntervalSeries series_;
};

/// All series of one launch. Every SM and the memory side have tables of their own while the launch runs, so that the
/// result does not depend on the order in which they are simulated; at the end they get a common width.
class IntervalRecorder final : public TrafficObserver {
 public:
  /// `sm_period`: length of an SM cycle.
  IntervalRecorder(unsigned sms, unsigned partitions, Femtoseconds sm_period);
  [[nodiscard]] SmObserver& sm(unsigned number) { return sms_[number]; }
  void served(const Served& transaction, Femtoseconds now) override;
  void passed_crossbar(Femtoseconds since, Femtoseconds now) override;
  /// The series of a launch of `end` SM cycles. The recorder is empty afterwards.
  [[nodiscard]] IntervalStatistics finish(Cycle end);

 private:
  Femtoseconds sm_period_;
  std::vector<SmIntervals> sms_;
  IntervalSeries memory_;
};

}  // namespace teslasim
