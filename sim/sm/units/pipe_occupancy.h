// SPDX-License-Identifier: Apache-2.0
// When each execution pipe of an SM can start the next warp, and for how many cycles it could not.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/sm/instruction_timing.h"

namespace teslasim {

/// Stands for the initiation intervals of the MAD, SFU and DP units and of the memory path: a warp that starts in cycle
/// c occupies its pipe in the cycles c .. c+interval-1 (Collange 2010, section 9: 4, 16 and 32 SP cycles for 8, 2 and 1
/// lanes). The memory path can in addition be held by a full request queue. Busy cycles are kept as running totals, so
/// that the accounting of any span of time is a subtraction and skipped cycles cost nothing. Units: SM cycles.
class PipeOccupancy {
 public:
  [[nodiscard]] bool available(Pipe pipe, Cycle now) const { return now >= free_at_[index(pipe)]; }
  /// First cycle in which the pipe can start a warp; `never` while the memory path is held.
  [[nodiscard]] Cycle free_at(Pipe pipe) const { return free_at_[index(pipe)]; }

  /// A warp starts in cycle `now`. Precondition: available(pipe, now).
  void start(Pipe pipe, Cycle now, Cycle interval) {
    const unsigned i = index(pipe);
    free_at_[i] = busy_until_[i] = now + interval;
    last_blocked_[i] = interval - 1;
    blocked_total_[i] += interval - 1;
    started_total_[i] += interval;
  }
  /// The memory path cannot take a further instruction from the end of its interval until `release_queue`.
  void hold_queue() {
    queue_since_ = busy_until_[index(Pipe::memory)];
    held_ = true;
    free_at_[index(Pipe::memory)] = never;
  }
  /// The last waiting transaction left in cycle `now`; instructions can start from the next cycle on.
  void release_queue(Cycle now) {
    const Cycle until = std::max(now + 1, queue_since_);
    queue_total_ += until - queue_since_;
    queue_until_ = until;
    held_ = false;
    free_at_[index(Pipe::memory)] = until;
  }
  [[nodiscard]] bool held() const { return held_; }

  /// Cycles before `now` in which a warp could not start because the pipe was starting another one.
  [[nodiscard]] std::uint64_t blocked_before(Pipe pipe, Cycle now) const {
    const unsigned i = index(pipe);
    return blocked_total_[i] - (busy_until_[i] > now ? std::min(busy_until_[i] - now, last_blocked_[i]) : 0);
  }
  /// Cycles before `now` in which the memory path was held by its queue.
  [[nodiscard]] std::uint64_t queued_before(Cycle now) const {
    if (held_) return queue_total_ + (now > queue_since_ ? now - queue_since_ : 0);
    return queue_total_ - (queue_until_ > now ? queue_until_ - std::max(now, queue_since_) : 0);
  }
  /// Cycles in which the pipe was starting a warp, up to the last start.
  [[nodiscard]] std::uint64_t busy_cycles(Pipe pipe) const { return started_total_[index(pipe)]; }

  void clear() { *this = PipeOccupancy{}; }

 private:
  static constexpr unsigned index(Pipe pipe) { return static_cast<unsigned>(pipe); }

  std::array<Cycle, pipe_count> free_at_{};
  std::array<Cycle, pipe_count> busy_until_{};
  std::array<std::uint64_t, pipe_count> blocked_total_{};
  std::array<std::uint64_t, pipe_count> last_blocked_{};  ///< of the interval that ends at busy_until_
  std::array<std::uint64_t, pipe_count> started_total_{};
  Cycle queue_since_ = 0;
  Cycle queue_until_ = 0;
  std::uint64_t queue_total_ = 0;
  bool held_ = false;
};

}  // namespace teslasim
