// SPDX-License-Identifier: Apache-2.0
// Events and streams of the program, by the numbers that their handles are.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/cudart/device_clock.h"

namespace teslasim::cudart {

/// A moment of a stream.
struct EventState {
  std::optional<Femtoseconds> time{};  ///< nothing: not recorded yet
  bool timed = true;
};

/// Handles are never used twice, so that one of the past is known as such.
class EventTable {
 public:
  std::size_t create(bool timed);
  [[nodiscard]] bool destroy(std::size_t number);
  /// Null for what is no event.
  [[nodiscard]] EventState* find(std::size_t number);

 private:
  std::vector<std::optional<EventState>> events_{std::nullopt};  ///< 0 is no event
};

class StreamTable {
 public:
  std::size_t create(DeviceClock& clock);
  [[nodiscard]] bool destroy(std::size_t number);
  /// The null stream is one.
  [[nodiscard]] bool exists(std::size_t number) const { return number < exists_.size() && exists_[number]; }

 private:
  std::vector<bool> exists_{true};
};

}  // namespace teslasim::cudart
