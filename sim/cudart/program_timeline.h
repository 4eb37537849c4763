// SPDX-License-Identifier: Apache-2.0
// When kernels and copies ran and the host waited, in Perfetto's format: simulated time, 1 ns on screen is 1 ns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cudart/device_clock.h"

namespace teslasim::cudart {

class ProgramTimeline {
 public:
  enum class Lane : std::uint8_t { kernels, copies, host };

  /// Beyond `most_events` events are counted instead of kept.
  void add(Lane lane, std::string_view name, TimeSpan span, std::uint64_t bytes = 0);
  /// The whole file, compressed.
  [[nodiscard]] std::string file(const std::string& machine) const;
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  static constexpr std::size_t most_events = 500'000;
  struct Event {
    Lane lane = Lane::kernels;
    std::uint32_t name = 0;
    TimeSpan span{};
    std::uint64_t bytes = 0;
  };
  std::vector<std::string> names_;
  std::vector<Event> events_;
  std::uint64_t dropped_ = 0;
};

}  // namespace teslasim::cudart
