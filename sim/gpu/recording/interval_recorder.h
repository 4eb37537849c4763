// SPDX-License-Identifier: Apache-2.0
// Keeps the time series of a launch: one per SM, written by its accounting, and one for the memory side.
#pragma once

#include <cstddef>
#include <vector>

#include "memory/traffic_observer.h"
#include "sim/base/interval_statistics.h"

namespace teslasim {

/// All series of one launch. Every SM and the memory side have tables of their own while the launch runs, so that the
/// result does not depend on the order in which they are simulated; at the end they get a common width.
class IntervalRecorder final : public TrafficObserver {
 public:
  /// `sm_period`: length of an SM cycle.
  IntervalRecorder(unsigned sms, unsigned partitions, Femtoseconds sm_period);
  [[nodiscard]] NarrowIntervalSeries& sm(unsigned number) { return sms_[number]; }
  void served(const Served& transaction, Femtoseconds now) override;
  void passed_crossbar(Way way, Femtoseconds since, Femtoseconds now) override;
  /// The series of a launch of `end` SM cycles. The recorder is empty afterwards.
  [[nodiscard]] IntervalStatistics finish(SmCycle end);

 private:
  Femtoseconds sm_period_;
  std::vector<NarrowIntervalSeries> sms_;
  IntervalSeries memory_;
};

}  // namespace teslasim
