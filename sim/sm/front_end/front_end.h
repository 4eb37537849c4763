// SPDX-License-Identifier: Apache-2.0
// The front end of one SM: the instruction queue, and how its slots are filled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/accounting/cycle_accounting.h"
#include "sim/sm/calendar.h"
#include "sim/sm/front_end/fetch_unit.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/observer.h"

namespace teslasim {

/// What the front end reads during a launch; all of it outlives the launch.
struct FrontEndLaunch {
  WarpStream* stream = nullptr;
  const std::vector<InstructionTiming>* timing = nullptr;
  std::vector<PcStatistics>* pcs = nullptr;
  SmObserver* observer = nullptr;  ///< null: nobody
  LineLink lines;
  Address code = 0;  ///< device address of the kernel's first instruction
};

/// Stands for fetch and the instruction queue with one slot per warp (Collange 2010, section 8.1). An instruction's
/// record begins here: when a warp's instruction has issued for the last time, the next one of its program takes the
/// slot (`accept`) and is fetched (`fetch`) through the fetch port, from the block that the warp holds or from the
/// first-level cache. When it can be decoded, the calendar wakes the issue stage. Instructions leave in program order
/// and a warp has one at a time, so the slot is always free once an instruction has issued. Each cycle: `receive` for
/// fetches that had to wait for their cycle, `line_arrived` for lines of code. Not modelled: decoding as a separate
/// stage (it is part of the distance from fetch to issue), prefetching. Units: SM cycles.
class FrontEnd {
 public:
  /// `gap`: from the fetch of an instruction to its issue, and so between two instructions of one warp.
  FrontEnd(const InstructionCacheSpec& spec, unsigned warps, SmCycle gap, RecordPool& pool, Calendar& calendar,
           CycleAccounting& accounting)
      : fetch_(spec, warps), queue_(warps), gap_(gap), pool_(pool), calendar_(calendar), accounting_(accounting) {}

  void begin(const FrontEndLaunch& launch);
  /// Another one in the midst of a launch; null: nobody.
  void observe(SmObserver* observer) { launch_.observer = observer; }
  /// A new block's warp holds no instruction and no code.
  void start(WarpSlot warp) {
    fetch_.forget(warp);
    accept(warp);
  }
  /// The slot of the warp is free: its instruction has issued for the last time.
  [[nodiscard]] bool can_accept(WarpSlot warp) const { return queue_[warp] == nullptr || queue_[warp]->issued; }
  /// The next instruction of the warp's program takes its slot. Precondition: can_accept(warp), the warp has not ended.
  void accept(WarpSlot warp);
  /// The warp has ended: its slot stays empty.
  void end(WarpSlot warp) { queue_[warp] = nullptr; }
  /// Fetches the warp's instruction, in cycle `earliest` or later. Without delays by port and cache it would issue in
  /// cycle `expected`; waiting beyond that is charged to `fetch`.
  void fetch(WarpSlot warp, SmCycle now, SmCycle earliest, SmCycle expected);
  /// The same, to issue `distance` cycles after the instruction that has just issued.
  [[gnu::always_inline]] void fetch_next(WarpSlot warp, SmCycle now, SmCycle distance) {
    fetch(warp, now, now + 1 + distance - gap_, now + distance);
  }

  /// A fetch is due whose address was not in the cache when it was planned.
  void receive(const SmEvent& event, SmCycle now);
  /// A line of code arrived.
  void line_arrived(Address line, SmCycle now);

  [[nodiscard]] InFlightInstruction& slot(WarpSlot warp) { return *queue_[warp]; }
  /// What the warp issues next; null: it has ended.
  [[nodiscard]] const Instruction* next(WarpSlot warp) const {
    return queue_[warp] == nullptr ? nullptr : queue_[warp]->instruction;
  }
  /// Its first pass has issued, others follow. False: the warp has ended, too.
  [[nodiscard]] bool begun(WarpSlot warp) const {
    const InFlightInstruction* const record = queue_[warp];
    return record != nullptr && (record->replaying || record->missing);
  }
  [[nodiscard]] SmCycle gap() const { return gap_; }
  /// Instructions that are being fetched or have not issued for the last time.
  [[nodiscard]] unsigned held() const {
    return static_cast<unsigned>(std::count_if(queue_.begin(), queue_.end(), [](const InFlightInstruction* record) {
      return record != nullptr && !record->issued;
    }));
  }
  [[nodiscard]] const FetchUnit& fetch_unit() const { return fetch_; }
  [[nodiscard]] CacheStatistics statistics() const { return fetch_.statistics(); }
  [[nodiscard]] std::size_t lines_under_way() const { return fetch_.lines_under_way(); }

 private:
  [[gnu::always_inline]] void wake(InFlightInstruction& record, SmCycle now, SmCycle when) {
    calendar_.schedule(now, when, {&record, SmEvent::Kind::wake});
  }
  void tell_fetched(WarpSlot warp, SmCycle when) const {
    if (launch_.observer != nullptr) launch_.observer->fetched(warp, when);
  }
  void fetch_from_line(WarpSlot warp, SmCycle now);

  FetchUnit fetch_;
  std::vector<InFlightInstruction*> queue_;  ///< one slot per warp
  SmCycle gap_;
  RecordPool& pool_;
  Calendar& calendar_;
  CycleAccounting& accounting_;
  FrontEndLaunch launch_;
};

// In line: both follow each instruction.

[[gnu::always_inline]] inline void FrontEnd::accept(WarpSlot warp) {
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

[[gnu::always_inline]] inline void FrontEnd::fetch(WarpSlot warp, SmCycle now, SmCycle earliest, SmCycle expected) {
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

}  // namespace teslasim
