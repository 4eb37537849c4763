// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/recording/interval_recorder.h"

#include <algorithm>
#include <span>
#include <utility>

namespace teslasim {

IntervalRecorder::IntervalRecorder(unsigned sms, unsigned partitions, Femtoseconds sm_period, unsigned boxes)
    : sms_(sms, NarrowIntervalSeries(interval_columns, IntervalStatistics::gpu_rows(sms))),
      memory_(boxes, Traffic(sm_period, interval_memory_columns + interval_partition_columns * partitions,
                             IntervalStatistics::gpu_rows(sms))) {}

void IntervalRecorder::Traffic::served(const Served& transaction, Femtoseconds now) {
  const std::span<std::uint64_t> row = series.row_with(now / sm_period_);
  row[transaction.write ? interval_write_bytes : interval_read_bytes] += transaction.bytes;
  row[interval_row_hits] += transaction.row_hits;
  const unsigned own = interval_memory_columns + interval_partition_columns * transaction.partition;
  row[own] += transaction.bytes;
  row[own + 1] += transaction.queue_cycles;
}

void IntervalRecorder::Traffic::passed_crossbar(Way way, Femtoseconds since, Femtoseconds now) {
  series.add(way == Way::request ? interval_noc_requests : interval_noc_replies, since / sm_period_, now / sm_period_);
}

IntervalStatistics IntervalRecorder::finish(SmCycle end) {
  IntervalStatistics result;
  SmCycle width = 0;
  for (Traffic& box : memory_) {
    box.series.extend_to(end);
    width = std::max(width, box.series.width());
  }
  for (NarrowIntervalSeries& sm : sms_) {
    sm.extend_to(end);
    width = std::max(width, sm.width());
  }
  for (Traffic& box : memory_) box.series.widen_to(width);
  result.memory = std::move(memory_.front().series);
  for (std::size_t box = 1; box < memory_.size(); ++box) result.memory += memory_[box].series;
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
