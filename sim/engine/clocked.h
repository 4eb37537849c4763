// SPDX-License-Identifier: Apache-2.0
// What the time engine asks of a unit that works in step with a clock. Free of SystemC.
#pragma once

#include <string>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

/// How far a unit of the look-ahead domain may go.
struct Reach {
  Femtoseconds horizon = 0;    ///< no message that is not known yet can come before
  Femtoseconds furthest = 0;   ///< at the horizon or behind it: nobody may go beyond
  Femtoseconds sent_from = 0;  ///< what others will still send, they send then or later
};

/// A unit on a clock. All times are local: femtoseconds since the origin of the launch.
class Clocked {
 public:
  virtual ~Clocked() = default;

  /// Works at the clock edge `now`. A unit of the look-ahead domain may go on with its own edges as long as they are
  /// before `horizon`; in the other domains `now` is the only edge before `horizon`.
  /// Returns the next time at which the unit wants to work as far as it knows, counting every message in its inboxes
  /// that changes what it does, or `never`; anything up to the next edge means the next edge. Such messages that come
  /// later wake the unit. It may be called earlier than it asked for, and must then change nothing.
  virtual Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) = 0;

  /// The same in the look-ahead domain, for a unit that can tell when the next message may come from how long messages
  /// to it take and from what it waits for: it may go on beyond the horizon, to `reach.furthest`, as long as none can.
  virtual Femtoseconds advance_ahead(Femtoseconds now, const Reach& reach) { return advance(now, reach.horizon); }

  /// Adds one line for each thing the unit holds or waits for; nothing when it is idle.
  virtual void describe_pending(std::vector<std::string>& lines) const;
};

inline void Clocked::describe_pending(std::vector<std::string>& lines) const {
  static_cast<void>(lines);
}

}  // namespace teslasim
