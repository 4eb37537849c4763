// SPDX-License-Identifier: Apache-2.0
// Simulated time of a whole program: when each kernel and each copy runs.
//
// Stands for the queues of the driver and for the two engines of these boards: kernels run one at a time, copies one at
// a time (CUDA C Programming Guide 4.2, section 3.2.5). Work of a stream runs in order. The null stream waits for all
// others, and they for it. The host's own work takes no simulated time: its clock moves when it waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace teslasim::cudart {

enum class Engine : std::uint8_t { kernels, copies };

struct TimeSpan {
  Femtoseconds start = 0, end = 0;
};

class DeviceClock {
 public:
  using Stream = std::size_t;
  static constexpr Stream null_stream = 0;

  /// With one engine (compute capability 1.0) copies and kernels take turns.
  explicit DeviceClock(bool copies_overlap) : copies_overlap_(copies_overlap) {}

  [[nodiscard]] Stream create_stream();
  /// Work behind everything in the stream; the host goes on.
  TimeSpan run(Stream stream, Engine engine, Femtoseconds duration);
  /// When everything in the stream so far is done: what an event records.
  [[nodiscard]] Femtoseconds reached(Stream stream) const;
  /// Later work of the stream begins no earlier.
  void hold_until(Stream stream, Femtoseconds time);
  /// The host waits.
  void wait_until(Femtoseconds time);
  void wait_for(Stream stream) { wait_until(reached(stream)); }
  void wait_for_all();
  /// The host's clock.
  [[nodiscard]] Femtoseconds now() const { return now_; }
  [[nodiscard]] bool is_done(Stream stream) const { return reached(stream) <= now_; }

 private:
  [[nodiscard]] Femtoseconds all_done() const;

  bool copies_overlap_;
  Femtoseconds now_ = 0;
  std::array<Femtoseconds, 2> engine_free_{};
  std::vector<Femtoseconds> done_ = std::vector<Femtoseconds>(1);  ///< by stream
};

}  // namespace teslasim::cudart
