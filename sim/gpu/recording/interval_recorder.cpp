// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/recording/interval_recorder.h"

#include <algorithm>
#include <utility>

namespace teslasim {

IntervalRecorder::IntervalRecorder(unsigned sms, unsigned partitions, Femtoseconds sm_period)
    : sm_period_(sm_period),
      sms_(sms, NarrowIntervalSeries(interval_columns, IntervalStatistics::gpu_rows(sms))),
      memory_(interval_memory_columns + interval_partition_columns * partitions, IntervalStatistics::gpu_rows(sms)) {}

void IntervalRecorder::served(const Served& transaction, Femtoseconds now) {
  const SmCycle cycle = now / sm_period_;
  memory_.add_at(transaction.write ? interval_write_bytes : interval_read_bytes, cycle, transaction.bytes);
  if (transaction.row_hits != 0) memory_.add_at(interval_row_hits, cycle, transaction.row_hits);
  const unsigned own = interval_memory_columns + interval_partition_columns * transaction.partition;
  memory_.add_at(own, cycle, transaction.bytes);
  memory_.add_at(own + 1, cycle, transaction.queue_cycles);
}

void IntervalRecorder::passed_crossbar(Way way, Femtoseconds since, Femtoseconds now) {
  memory_.add(way == Way::request ? interval_noc_requests : interval_noc_replies, since / sm_period_, now / sm_period_);
}

IntervalStatistics IntervalRecorder::finish(SmCycle end) {
  IntervalStatistics result;
  memory_.extend_to(end);
  SmCycle width = memory_.width();
  for (NarrowIntervalSeries& sm : sms_) {
    sm.extend_to(end);
    width = std::max(width, sm.width());
  }
  memory_.widen_to(width);
  result.memory = std::move(memory_);
  for (NarrowIntervalSeries& narrow : sms_) {
    narrow.widen_to(width);
    IntervalSeries sm(narrow);
    narrow = {};
    if (result.gpu.recorded()) {
      result.gpu += sm;
    } else {
      result.gpu = sm;
    }
    if (sms_.size() == 1) break;
    sm.shrink_to(IntervalStatistics::sm_rows(sms_.size()));
    result.sms.push_back(std::move(sm));
  }
  return result;
}

}  // namespace teslasim
