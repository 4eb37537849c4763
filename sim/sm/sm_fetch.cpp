// SPDX-License-Identifier: Apache-2.0
// How the instruction slots of warps are filled, and what happens when lines of code and constants arrive.
#include "sim/sm/sm.h"

namespace teslasim {

/// Fetches the warp's next instruction, not before cycle `earliest`. It could issue in cycle `expected` if port and
/// cache were no obstacle; what it waits beyond that is charged to `fetch`.
void Sm::fetch_next(unsigned warp, Cycle now, Cycle earliest, Cycle expected) {
  WarpSlot& slot = warps_[warp];
  slot.state = WarpState::waiting;
  const Cycle fetch = fetch_.reserve(now, earliest);
  const Cycle wake = fetch + gap_ - 1;
  InstructionRecord& record = *slot.record;
  if (fetch_.holds(warp, record.instruction->pc)) {
    if (launch_.observer != nullptr) launch_.observer->fetched(warp, fetch);
    if (wake > expected) accounting_.enter(warp, SlotReason::fetch, expected);
    calendar_.schedule(now, std::max(wake, now + 1), {&record, SmEvent::Kind::wake});
    return;
  }
  accounting_.enter(warp, SlotReason::fetch, expected);
  calendar_.schedule(now, fetch, {&record, SmEvent::Kind::fetch});
}

/// In the cycle of its fetch, for an address that was not there when the fetch was planned.
void Sm::fetch_through_cache(unsigned warp, Cycle now) {
  InstructionRecord& record = *warps_[warp].record;
  if (!fetch_.fetch(warp, record.instruction->pc, now)) return;
  if (launch_.observer != nullptr) launch_.observer->fetched(warp, now);
  calendar_.schedule(now, now + std::max<Cycle>(gap_ - 1, 1), {&record, SmEvent::Kind::wake});
}

/// The line has come: the warp takes its block from it as soon as the port is free.
void Sm::fetch_again(unsigned warp, Cycle now) {
  InstructionRecord& record = *warps_[warp].record;
  fetch_.take(warp, record.instruction->pc);
  const Cycle fetch = fetch_.reserve(now, now + 1);
  if (launch_.observer != nullptr) launch_.observer->fetched(warp, fetch);
  calendar_.schedule(now, fetch + gap_ - 1, {&record, SmEvent::Kind::wake});
}

void Sm::arrive(const Line& line, Cycle now) {
  if (line.kind == LineKind::constant) {
    constants_.line_arrived(line.address, now, [this, now](unsigned warp) { retry_constant(warp, now); });
    return;
  }
  fetch_.line_arrived(
      line.address, [this, now](unsigned warp) { fetch_again(warp, now); },
      [this, now](unsigned warp) {
        calendar_.schedule(now, fetch_.reserve(now, now + 1), {warps_[warp].record, SmEvent::Kind::fetch});
      });
}

/// All constants of the warp's instruction are there: it issues once more, then in further passes as its lanes need.
void Sm::retry_constant(unsigned warp, Cycle now) {
  InstructionRecord& record = *warps_[warp].record;
  record.replays.retry(Replays::Memory::constant);
  record.replaying = true;
  make_ready(warp, record.timing->pipe, now, CycleAccounting::no_producer);
}

}  // namespace teslasim
