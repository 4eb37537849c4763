// SPDX-License-Identifier: Apache-2.0
// Keeps the time series of a launch: one per SM, written by its accounting, and one for the memory side.
#pragma once

#include <cstddef>
#include <vector>

#include "memory/traffic_observer.h"
#include "sim/base/interval_statistics.h"

namespace teslasim {

/// All series of one launch. Every SM and the memory side have tables of their own while the launch runs, so that the
/// result does not depend on the order in which they are simulated; at the end they get a common width. A memory side
/// whose boxes are simulated at once has a table for each of them.
class IntervalRecorder {
 public:
  /// `sm_period`: length of an SM cycle. `boxes`: of the memory side, that are simulated at once.
  IntervalRecorder(unsigned sms, unsigned partitions, Femtoseconds sm_period, unsigned boxes = 1);
  [[nodiscard]] NarrowIntervalSeries& sm(unsigned number) { return sms_[number]; }
  /// Told by one box of the memory side.
  [[nodiscard]] TrafficObserver& traffic(unsigned box) { return memory_[box]; }
  /// The series of a launch of `end` SM cycles. The recorder is empty afterwards.
  [[nodiscard]] IntervalStatistics finish(SmCycle end);

 private:
  class Traffic final : public TrafficObserver {
   public:
    Traffic(Femtoseconds sm_period, unsigned columns, std::size_t rows)
        : sm_period_(sm_period), series(columns, rows) {}
    void served(const Served& transaction, Femtoseconds now) override;
    void passed_crossbar(Way way, Femtoseconds since, Femtoseconds now) override;

   private:
    Femtoseconds sm_period_;

   public:
    IntervalSeries series;
  };

  std::vector<NarrowIntervalSeries> sms_;
  std::vector<Traffic> memory_;
};

}  // namespace teslasim
