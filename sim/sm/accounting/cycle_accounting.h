// SPDX-License-Identifier: Apache-2.0
// Where the cycles of one SM went: view A (issue slots) and view B (warp cycles), exact and in integers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"
#include "sim/sm/accounting/open_interval.h"
#include "sim/sm/accounting/warp_recorder.h"
#include "sim/sm/observer.h"
#include "sim/sm/units/pipe_accounts.h"

namespace teslasim {

/// Each resident warp keeps the states it was in since it last issued, as segments [begin, next begin). When it issues,
/// all its segments go to view B. An issue also ends a run of empty slots; the segments that overlap this run go to
/// view A. This is the causal rule: a lost slot is charged to what delayed the warp whose issue ended the run. Slots
/// from before that warp was resident, and runs that no issue ended, are charged by a ladder over the states of all
/// resident warps. The time of a ready warp is split, by subtraction, into "pipe busy" and "another warp chosen".
/// Nothing is done per cycle, so skipped cycles are charged like simulated ones. Units: SM cycles.
class CycleAccounting {
 public:
  static constexpr std::uint32_t no_producer = ~std::uint32_t{0};

  /// `pipes`: accounts that outlive this object.
  CycleAccounting(unsigned warps, const PipeAccounts& pipes) : pipes_(pipes), warps_(warps), recorder_(warps) {}

  /// A new launch at cycle 0. `sm` and `pcs` outlive it, and so do `observer` and `intervals` (columns of
  /// sim/base/interval_statistics.h), which may be null.
  void begin(SmStatistics& sm, std::vector<PcStatistics>& pcs, SmObserver* observer = nullptr,
             NarrowIntervalSeries* intervals = nullptr);
  /// Another one in the midst of a launch; null: nobody.
  void observe(SmObserver* observer) {
    observer_ = observer;
    told_ = observer != nullptr || recorder_.active();
  }
  /// Warps first..first+count-1 became resident in cycle `now`; they are being set up until `set_up`, then fetching.
  void arrive(unsigned first, unsigned count, SmCycle now, SmCycle set_up, const ArrivingBlock& block = {});
  /// From cycle `now` on the warp waits for `reason`. `producer` ended the state before (no_producer: nothing to
  /// blame).
  void enter(WarpSlot warp, SlotReason reason, SmCycle now, std::uint32_t producer = no_producer) {
    push(warps_[warp], reason, now, producer);
  }
  /// From cycle `now` on the warp could issue to `pipe`.
  [[gnu::always_inline]] void enter_ready(WarpSlot warp, Pipe pipe, SmCycle now, std::uint32_t producer = no_producer) {
    Warp& state = warps_[warp];
    push(state, SlotReason::not_selected, now, producer).pipe = pipe;
    PipeCounters& counters = state.ready;
    const StartAccount& unit = pipes_.of(pipe);
    counters.blocked = unit.blocked_before(now);
    counters.collecting = unit.collecting_before(now);
    counters.queued = pipe == Pipe::memory ? pipes_.queue->cycles_before(now) : 0;
  }
  /// The warp issues in cycle `now`: a first pass (SlotReason::issued) or a replay. From the next cycle it is in
  /// `after`. In line, in issue_charges.h.
  void issue(WarpSlot warp, SmCycle now, std::uint32_t instruction, SlotReason use, SlotReason after);
  /// Warps first..first+count-1 leave; `now` is the first cycle without them.
  void retire(unsigned first, unsigned count, SmCycle now);
  /// The launch ended; cycles 0..end-1 exist. Closes everything that is open.
  void finish(SmCycle end);

  [[nodiscard]] SmCycle last_issue_end() const { return run_start_; }
  [[nodiscard]] SlotReason state(WarpSlot warp) const;
  /// The cycle from which on the warp is in that state.
  [[nodiscard]] SmCycle state_begin(WarpSlot warp) const;
  /// For waveforms, of the newest cycle: the state of a warp, as reasons of slots; none: no warp is there. A ready warp
  /// is `not_selected` also while its unit is busy.
  [[nodiscard]] std::optional<SlotReason> state_in(WarpSlot warp, SmCycle now) const;
  /// For waveforms, of the newest cycle: what issued, or what the ladder says. What delayed the warp that ends a gap is
  /// known when it does: then the statistics charge it.
  [[nodiscard]] SlotReason slot_in(SmCycle now) const;

 private:
  struct Segment {
    SmCycle begin = 0;
    std::uint32_t producer = no_producer;  ///< instruction whose result ended this segment
    SlotReason reason = SlotReason::empty_start;
    Pipe pipe = Pipe::none;  ///< meaningful when reason == not_selected
  };
  /// Counters of a pipe when a ready segment began. Nothing but its issue ends it, so a warp has one at most.
  struct PipeCounters {
    SmCycle blocked = 0;
    SmCycle collecting = 0;
    SmCycle queued = 0;
  };
  static constexpr unsigned most_segments = 20;
  /// The few segments that a warp usually has lie in the first two lines of the host's cache.
  struct alignas(64) Warp {
    unsigned count = 0;
    bool resident = false;
    PipeCounters ready;
    std::array<Segment, most_segments + 1> segments;  ///< behind the last one: where it ends, once it has
    SmCycle arrival = 0;
  };

  [[gnu::always_inline]] Segment& push(Warp& warp, SlotReason reason, SmCycle now, std::uint32_t producer) {
    if (warp.count != 0) {
      Segment& last = warp.segments[warp.count - 1];
      if (producer != no_producer) last.producer = producer;
      if (last.begin >= now) {
        // A state that lasted no cycle: replace it. (Its begin can lie in the future only when a later wake-up was
        // planned and something earlier took its place.)
        last.reason = reason;
        last.begin = now;
        return last;
      }
      SIM_CHECK(warp.count < most_segments, "too many states between two issues of a warp");
    }
    Segment& segment = warp.segments[warp.count++];
    segment.begin = now;
    segment.producer = no_producer;
    segment.reason = reason;
    return segment;
  }
  /// Whether somebody is told; decided once, so that the common case has no calls.
  enum class Observed : std::uint8_t { no, yes };
  void tell_state(unsigned index, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t producer);
  [[gnu::noinline]] void record_finish(unsigned first, unsigned count, SmCycle end);
  void charge_warp_cycles(unsigned index, SmCycle end);
  template <Observed observed>
  void charge_segments(unsigned index, SmCycle end);
  [[gnu::noinline]] void charge_observed_segments(unsigned index, SmCycle end);
  template <Observed observed>
  void charge_ready_cycles(unsigned index, const Segment& segment, const PipeCounters& counters, SmCycle end);
  void charge_issue(unsigned index, SmCycle now, std::uint32_t instruction, SlotReason use);
  void charge_run(const Warp& warp, SmCycle end, std::uint32_t instruction);
  void charge_ready_run(const Segment& segment, const PipeCounters& counters, SmCycle begin, SmCycle end,
                        PcStatistics& pc);
  void charge_ladder(SmCycle begin, SmCycle end);
  void add_slots(SlotReason reason, SmCycle begin, SmCycle end);
  /// Those who are told besides the totals.
  [[gnu::noinline]] void tell_slots(SlotReason reason, SmCycle begin, SmCycle end);
  void add_slots_without_pc(SlotReason reason, SmCycle begin, SmCycle end);
  [[nodiscard]] SlotReason ladder_choice(SmCycle cycle, SmCycle& until) const;
  void add_slots(SlotReason reason, SmCycle begin, SmCycle end, PcStatistics& pc, std::uint32_t producer);

  /// Runs `charges`, which charge slots up to cycle `end - 1`, and keeps the series over time up to date.
  template <typename Charges>
  void charge_to(SmCycle end, const Charges& charges);

  PipeAccounts pipes_;
  std::vector<Warp> warps_;
  SmStatistics* sm_ = nullptr;
  std::vector<PcStatistics>* pcs_ = nullptr;
  SmObserver* observer_ = nullptr;
  WarpRecorder recorder_;
  bool told_ = false;  ///< there is an observer, or warps are recorded
  OpenInterval interval_;
  SmCycle run_start_ = 0;   ///< first cycle after the last issue
  SmCycle run_queued_ = 0;  ///< memory-queue counter at run_start_
  unsigned resident_ = 0;
  bool received_ = false;
  SlotReason last_use_ = SlotReason::issued;  ///< of the last slot that was used
};

}  // namespace teslasim
