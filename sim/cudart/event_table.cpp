// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/event_table.h"

namespace teslasim::cudart {

std::size_t EventTable::create(bool timed) {
  events_.push_back(EventState{std::nullopt, timed});
  return events_.size() - 1;
}

EventState* EventTable::find(std::size_t number) {
  return number < events_.size() && events_[number] ? &*events_[number] : nullptr;
}

bool EventTable::destroy(std::size_t number) {
  if (find(number) == nullptr) return false;
  events_[number].reset();
  return true;
}

std::size_t StreamTable::create(DeviceClock& clock) {
  const std::size_t number = clock.create_stream();
  exists_.resize(number + 1);
  exists_[number] = true;
  return number;
}

bool StreamTable::destroy(std::size_t number) {
  if (number == DeviceClock::null_stream || !exists(number)) return false;
  exists_[number] = false;
  return true;
}

}  // namespace teslasim::cudart
