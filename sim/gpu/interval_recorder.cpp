// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/interval_recorder.h"

#include <algorithm>
#include <utility>

namespace teslasim {

void SmIntervals::slots(SlotReason reason, Cycle begin, Cycle end) {
  series_.add(static_cast<unsigned>(reason), begin, end);
}

void SmIntervals::warp_state(unsigned, SlotReason state, Cycle begin, Cycle end, std::uint32_t) {
  if (state == SlotReason::not_selected || state == SlotReason::issuing || state == SlotReason::issuing_replay) {
    series_.add(interval_eligible, begin, end);
  }
}

void SmIntervals::resident(unsigned warps, Cycle begin, Cycle end) {
  series_.add(interval_active, begin, end, warps);
}

IntervalRecorder::IntervalRecorder(unsigned sms, unsigned partitions, Femtoseconds sm_period)
    : sm_period_(sm_period),
      sms_(sms, SmIntervals(IntervalStatistics::gpu_rows(sms))),
      memory_(interval_memory_columns + interval_partition_columns * partitions, IntervalStatistics::gpu_rows(sms)) {}

void IntervalRecorder::served(const Served& transaction, Femtoseconds now) {
  const Cycle cycle = now / sm_period_;
  memory_.add_at(transaction.write ? interval_write_bytes : interval_read_bytes, cycle, transaction.bytes);
  if (transaction.row_hits != 0) memory_.add_at(interval_row_hits, cycle, transaction.row_hits);
  const unsigned own = interval_memory_columns + interval_partition_columns * transaction.partition;
  memory_.add_at(own, cycle, transaction.bytes);
  memory_.add_at(own + 1, cycle, transaction.queue_cycles);
}

void IntervalRecorder::passed_crossbar(Femtoseconds since, Femtoseconds now) {
  memory_.add(interval_noc_queue, since / sm_period_, now / sm_period_);
}

IntervalStatistics IntervalRecorder::finish(Cycle end) {
  IntervalStatistics result;
  memory_.extend_to(end);
  Cycle width = memory_.width();
  for (SmIntervals& sm : sms_) {
    sm.series().extend_to(end);
    width = std::max(width, sm.series().width());
  }
  memory_.widen_to(width);
  for (SmIntervals& sm : sms_) sm.series().widen_to(width);
  result.gpu = sms_.front().series();
  for (std::size_t i = 1; i < sms_.size(); ++i) result.gpu += sms_[i].series();
  result.memory = std::move(memory_);
  if (sms_.size() == 1) return result;
  for (SmIntervals& sm : sms_) {
    sm.series().shrink_to(IntervalStatistics::sm_rows(sms_.size()));
    result.sms.push_back(std::move(sm.series()));
  }
  return result;
}

}  // namespace teslasim
