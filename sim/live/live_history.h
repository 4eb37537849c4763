// SPDX-License-Identifier: Apache-2.0
// How the counters of a run grew: a bounded number of points for however long it runs. When they are full, every other
// one goes and they lie twice as far apart, so a page that is opened late shows the run from its beginning.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/live/live_view.h"

namespace teslasim {

class LiveHistory {
 public:
  static constexpr std::size_t most_points = 240;
  static constexpr double first_spacing = 1.0;  ///< seconds of the host

  struct Point {
    double seconds = 0.0;    ///< of the host, since the run began
    double simulated = 0.0;  ///< seconds
    PerReason<> slots{};
    std::uint64_t read_bytes = 0, write_bytes = 0;
  };

  /// Adds a point when the last one is old enough.
  void add(double seconds, const LiveCounters& counters);
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
  double spacing_ = first_spacing;
};

}  // namespace teslasim
