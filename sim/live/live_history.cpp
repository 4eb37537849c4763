// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_history.h"

namespace teslasim {

void LiveHistory::add(double seconds, const LiveCounters& counters) {
  if (!points_.empty() && seconds - points_.back().seconds < spacing_) return;
  if (points_.size() == most_points) {
    for (std::size_t i = 0; i < most_points / 2; ++i) points_[i] = points_[2 * i];
    points_.resize(most_points / 2);
    spacing_ *= 2.0;
  }
  points_.push_back({seconds, counters.seconds, counters.slots, counters.read_bytes, counters.write_bytes});
}

}  // namespace teslasim
