// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_clock.h"

#include <algorithm>

namespace teslasim::cudart {

DeviceClock::Stream DeviceClock::create_stream() {
  done_.push_back(now_);
  return done_.size() - 1;
}

Femtoseconds DeviceClock::all_done() const {
  return *std::max_element(done_.begin(), done_.end());
}

Femtoseconds DeviceClock::reached(Stream stream) const {
  const Femtoseconds before = stream == null_stream ? all_done() : std::max(done_[stream], done_[null_stream]);
  return std::max(before, now_);
}

TimeSpan DeviceClock::run(Stream stream, Engine engine, Femtoseconds duration) {
  Femtoseconds& free = engine_free_[copies_overlap_ ? static_cast<std::size_t>(engine) : 0];
  const Femtoseconds start = std::max(reached(stream), free);
  const Femtoseconds end = start + duration;
  free = end;
  done_[stream] = end;
  return {start, end};
}

void DeviceClock::hold_until(Stream stream, Femtoseconds time) {
  done_[stream] = std::max(done_[stream], time);
}

void DeviceClock::wait_until(Femtoseconds time) {
  now_ = std::max(now_, time);
}

void DeviceClock::wait_for_all() {
  wait_until(all_done());
}

}  // namespace teslasim::cudart
