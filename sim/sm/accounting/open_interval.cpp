// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/accounting/open_interval.h"

namespace teslasim {

void OpenInterval::close() {
  if (series_ == nullptr || spread_ != nullptr) return;
  std::array<std::uint64_t, slot_reason_count> grown;
  for (unsigned i = 0; i < slot_reason_count; ++i) grown[i] = totals_->slots.counts[i] - slots_[i];
  series_->add_row(begin_, grown);
  series_->add_at(interval_eligible, begin_, eligible_total() - eligible_);
  spread_ = series_;
}

void OpenInterval::open(SmCycle now) {
  series_->extend_to(now + 1);
  const SmCycle width = series_->width();
  if (width < least_width) {
    end_ = series_->full_at();
    spread_ = series_;
    return;
  }
  begin_ = now - now % width;
  end_ = begin_ + width;
  slots_ = totals_->slots.counts;
  eligible_ = eligible_total();
  spread_ = nullptr;
}

/// The part inside the interval is counted by the totals.
void OpenInterval::eligible_outside(SmCycle begin, SmCycle end) {
  if (spread_ != nullptr) return spread_->add(interval_eligible, begin, end);
  const auto add = [this](SmCycle from, SmCycle to) {
    if (from >= to) return;
    series_->add(interval_eligible, from, to);
    outside_ += (to - from).count();
  };
  add(begin, lesser(end, begin_));
  add(greater(begin, end_), end);
}

}  // namespace teslasim
