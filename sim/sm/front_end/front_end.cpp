// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/front_end/front_end.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim {

void FrontEnd::begin(const FrontEndLaunch& launch) {
  launch_ = launch;
  fetch_.begin(launch.lines, launch.code);
  std::fill(queue_.begin(), queue_.end(), nullptr);
}

void FrontEnd::accept(WarpSlot warp) {
  SIM_CHECK(can_accept(warp), "the warp's slot of the instruction queue is taken");
  const Instruction* const next = launch_.stream->next(warp);
  SIM_CHECK(next != nullptr, "a warp ended without saying so");
  InFlightInstruction& record = pool_.take();
  record.instruction = next;
  record.timing = &(*launch_.timing)[next->index];
  record.pipe = record.timing->pipe;
  record.counts = &(*launch_.pcs)[next->index];
  record.warp = static_cast<std::uint8_t>(warp);
  queue_[warp] = &record;
}

void FrontEnd::fetch(WarpSlot warp, SmCycle now, SmCycle earliest, SmCycle expected) {
  InFlightInstruction& record = *queue_[warp];
  const SmCycle when = fetch_.reserve(now, earliest);
  if (fetch_.holds(warp, record.instruction->pc)) {
    tell_fetched(warp, when);
    const SmCycle ready = when + gap_ - 1;
    if (ready > expected) accounting_.enter(warp, SlotReason::fetch, expected);
    wake(record, now, greater(ready, now + 1));
    return;
  }
  accounting_.enter(warp, SlotReason::fetch, expected);
  calendar_.schedule(now, when, {&record, SmEvent::Kind::fetch});
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
