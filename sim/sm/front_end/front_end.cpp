// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/front_end/front_end.h"

#include <algorithm>

namespace teslasim {

void FrontEnd::begin(const FrontEndLaunch& launch) {
  launch_ = launch;
  fetch_.begin(launch.lines, launch.code);
  std::fill(queue_.begin(), queue_.end(), nullptr);
}

void FrontEnd::receive(const SmEvent& event, SmCycle now) {
  InFlightInstruction& record = *event.record;
  if (!fetch_.fetch(record.warp, record.instruction->pc, now)) return;
  tell_fetched(record.warp, now);
  wake(record, now, now + greater(gap_ - 1, 1));
}

void FrontEnd::line_arrived(Address line, SmCycle now) {
  fetch_.line_arrived(
      line, [this, now](WarpSlot warp) { fetch_from_line(warp, now); },
      [this, now](WarpSlot warp) {
        calendar_.schedule(now, fetch_.reserve(now, now + 1), {queue_[warp], SmEvent::Kind::fetch});
      });
}

/// The line has come: the warp takes its block from it as soon as the port is free.
void FrontEnd::fetch_from_line(WarpSlot warp, SmCycle now) {
  InFlightInstruction& record = *queue_[warp];
  fetch_.take(warp, record.instruction->pc);
  const SmCycle when = fetch_.reserve(now, now + 1);
  tell_fetched(warp, when);
  wake(record, now, when + gap_ - 1);
}

}  // namespace teslasim
