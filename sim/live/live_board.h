// SPDX-License-Identifier: Apache-2.0
// Where the simulation and the server of its live view meet: the one posts what can be seen and takes wishes, the other
// reads and leaves wishes. Both hold the lock for a copy at most, and the simulation comes some times per second, never
// within a tick.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/live/live_history.h"
#include "sim/live/live_view.h"

namespace teslasim {

enum class LiveAction : std::uint8_t { stop, snapshot, begin_timeline, end_timeline };

struct LiveWish {
  LiveAction action = LiveAction::stop;
  unsigned sm = 0;  ///< of a timeline
};

class LiveBoard {
 public:
  // ---- the simulation
  void post(LiveView view);
  /// Cheap: no lock.
  [[nodiscard]] bool has_wishes() const { return has_wishes_; }
  [[nodiscard]] std::vector<LiveWish> take_wishes();

  // ---- the server
  [[nodiscard]] std::shared_ptr<const LiveView> view() const;
  [[nodiscard]] LiveHistory history() const;
  [[nodiscard]] std::size_t history_points() const;
  /// Leaves a wish. Why it cannot be granted, as a sentence, when that is known already.
  [[nodiscard]] std::optional<std::string> wish(LiveWish wish);

 private:
  [[nodiscard]] std::optional<std::string> refusal(LiveWish wish) const;
  [[nodiscard]] bool waits(LiveAction action) const;

  mutable std::mutex mutex_;
  std::shared_ptr<const LiveView> view_ = std::make_shared<LiveView>();
  LiveHistory history_;
  std::vector<LiveWish> wishes_;
  std::atomic<bool> has_wishes_ = false;
  bool stopping_ = false;
};

}  // namespace teslasim
