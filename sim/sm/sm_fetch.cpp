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
  const WarpEvent event{WarpEvent::Kind::wake, static_cast<std::uint8_t>(warp), slot.next->index};
  if (fetch_.holds(warp, slot.next->pc)) {
    if (launch_.observer != nullptr) launch_.observer->fetched(warp, fetch);
    if (wake > expected) accounting_.enter(warp, SlotReason::fetch, expected);
    wheel_.schedule(now, std::max(wake, now + 1), event);
    return;
  }
  accounting_.enter(warp, SlotReason::fetch, expected);
  wheel_.schedule(now, fetch, {WarpEvent::Kind::fetch, event.warp, event.instruction});
}

/// In the cycle of its fetch, for an address that was not there when the fetch was planned.
void Sm::fetch_through_cache(unsigned warp, Cycle now) {
  const Instruction& next = *warps_[warp].next;
  if (!fetch_.fetch(warp, next.pc, now)) return;
  if (launch_.observer != nullptr) launch_.observer->fetched(warp, now);
  wheel_.schedule(now, now + std::max<Cycle>(gap_ - 1, 1),
                  {WarpEvent::Kind::wake, static_cast<std::uint8_t>(warp), next.index});
}

/// The line has come: the warp takes its block from it as soon as the port is free.
void Sm::fetch_again(unsigned warp, Cycle now) {
  const Instruction& next = *warps_[warp].next;
  fetch_.take(warp, next.pc);
  const Cycle fetch = fetch_.reserve(now, now + 1);
  if (launch_.observer != nullptr) launch_.observer->fetched(warp, fetch);
  wheel_.schedule(now, fetch + gap_ - 1, {WarpEvent::Kind::wake, static_cast<std::uint8_t>(warp), next.index});
}

void Sm::arrive(const Line& line, Cycle now) {
  if (line.kind == LineKind::constant) {
    constants_.line_arrived(line.address, now, [this, now](unsigned warp) { retry_constant(warp, now); });
    return;
  }
  fetch_.line_arrived(
      line.address, [this, now](unsigned warp) { fetch_again(warp, now); },
      [this, now](unsigned warp) {
        wheel_.schedule(now, fetch_.reserve(now, now + 1),
                        {WarpEvent::Kind::fetch, static_cast<std::uint8_t>(warp), warps_[warp].next->index});
      });
}

/// All constants of the warp's instruction are there: it issues once more, then in further passes as its lanes need.
void Sm::retry_constant(unsigned warp, Cycle now) {
  WarpSlot& slot = warps_[warp];
  slot.passes.retry(OnChipPasses::Memory::constant);
  slot.round_issued = false;
  slot.state = WarpState::replaying;
  make_ready(warp, (*launch_.timing)[slot.next->index].pipe, now, CycleAccounting::no_producer);
}

}  // namespace teslasim
