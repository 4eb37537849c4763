// SPDX-License-Identifier: Apache-2.0
// The issue stage of one SM: what each warp's instruction waits for, and which of the ready ones issues.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/accounting/cycle_accounting.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/issue/multiplier_choice.h"
#include "sim/sm/issue/scoreboard.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {

/// Stands for scoreboard and scheduler: per SM cycle, one instruction issues whose registers are not in flight and
/// whose unit can take it (Collange 2010, sections 8.1 and 8.2). An instruction from the queue is checked against the
/// scoreboard, and again whenever results of its warp are written. Its flags are known by then, so one that its guard
/// drops needs no unit (Collange 2010, table 5: 2.4 SP cycles). A load also waits for the limit on loads in flight.
/// Then it is ready, and the policy chooses among the ready instructions whose units are free. An f32 multiplication is
/// given its unit here: the MAD unit when nothing waits for that or for the SFU's multipliers, else what
/// MultiplierChoice says. Each cycle: `select`. It holds one instruction per warp. Not modelled: stages between
/// selection and the units (they are in the latencies). Units: SM cycles.
class IssueStage {
 public:
  static constexpr std::uint32_t no_producer = CycleAccounting::no_producer;

  /// `load_limit`: loads that one warp may have in flight.
  IssueStage(unsigned warps, unsigned load_limit, std::unique_ptr<WarpScheduler> scheduler, CycleAccounting& accounting,
             MultiplierChoice multipliers = MultiplierChoice{})
      : scheduler_(std::move(scheduler)),
        accounting_(accounting),
        multipliers_(multipliers),
        scoreboard_(warps),
        warps_(warps),
        load_limit_(load_limit) {}

  /// `stream` outlives the launch. `sets`: those of its instructions.
  void begin(const WarpStream& stream, Scoreboard::Sets sets = Scoreboard::Sets::any);
  /// The warps first..first+count-1 became resident.
  void arrive(unsigned first, unsigned count);

  /// The warp has ended.
  void leave(WarpSlot warp) { scheduler_->leave(warp); }

  [[nodiscard]] bool can_accept(WarpSlot warp) const { return warps_[warp].record == nullptr; }
  /// The instruction, or its next round of passes, arrives in cycle `now`, after results were written.
  /// Precondition: can_accept(its warp).
  void accept(InFlightInstruction& record, SmCycle now) {
    SIM_CHECK(can_accept(record.warp), "the warp has an instruction in the issue stage");
    warps_[record.warp].record = &record;
    consider(record, now, no_producer);
  }
  /// A pass that from cycle `from` waits for nothing but its unit.
  [[gnu::always_inline]] void accept_ready(InFlightInstruction& record, SmCycle from,
                                           std::uint32_t producer = no_producer) {
    Warp& warp = warps_[record.warp];
    warp.record = &record;
    warp.state = State::ready;
    const auto pipe = static_cast<unsigned>(record.pipe);
    ready_[pipe] |= LaneMask{1} << record.warp;
    ready_pipes_ |= 1U << pipe;
    accounting_.enter_ready(record.warp, record.pipe, from, producer);
  }
  /// Results of the warp have been written by `producer`.
  void results_written(WarpSlot warp, SmCycle now, std::uint32_t producer) {
    if (warps_[warp].state == State::blocked) consider(*warps_[warp].record, now, producer);
  }

  /// The registers that the instruction writes are in flight until write-back; what memory returns sets no flags.
  void reserve(const InFlightInstruction& record) {
    const InstructionTiming& timing = *record.timing;
    if (!timing.register_writes.empty()) {
      scoreboard_.reserve(record.warp, timing.register_writes, record.result_reason);
    }
    if (!timing.flag_writes.empty() && timing.pipe != Pipe::memory) {
      scoreboard_.reserve(record.warp, timing.flag_writes, timing.result_reason);
    }
  }
  void load_left(WarpSlot warp) { ++warps_[warp].loads_in_flight; }
  void load_returned(WarpSlot warp, SmCycle now) {
    --warps_[warp].loads_in_flight;
    if (warps_[warp].state == State::limited) consider(*warps_[warp].record, now, no_producer);
  }

  /// The instruction that issues now, or null; its warp has no instruction here any more. `can_accept(pipe)` says
  /// whether the unit of a pipe is free.
  template <class CanAccept>
  InFlightInstruction* select(const CanAccept& can_accept) {
    if (ready_pipes_ == 0) return nullptr;
    const IssueCandidates candidates = find_candidates(can_accept);
    if (candidates.ready == 0) return nullptr;
    const WarpSlot warp = scheduler_->choose(candidates);
    InFlightInstruction* const record = std::exchange(warps_[warp].record, nullptr);
    warps_[warp].state = State::empty;
    const auto pipe = static_cast<unsigned>(record->pipe);
    ready_[pipe] &= ~(LaneMask{1} << warp);
    if (ready_[pipe] == 0) ready_pipes_ &= ~(1U << pipe);
    return record;
  }
  /// The first cycle in which a unit is free that a ready instruction wants, or `never`.
  template <class FreeAt>
  [[nodiscard]] SmCycle next_wanted(const FreeAt& free_at) const {
    SmCycle wanted = never;
    for (unsigned left = ready_pipes_; left != 0; left &= left - 1) {
      wanted = lesser(wanted, free_at(static_cast<Pipe>(std::countr_zero(left))));
    }
    return wanted;
  }

  [[nodiscard]] Scoreboard& scoreboard() { return scoreboard_; }
  [[nodiscard]] const Scoreboard& scoreboard() const { return scoreboard_; }
  [[nodiscard]] const WarpScheduler& scheduler() const { return *scheduler_; }
  /// Warps that wait for nothing but their unit and their turn.
  [[nodiscard]] LaneMask ready() const {
    LaneMask all = 0;
    for (const LaneMask warps : ready_) all |= warps;
    return all;
  }

 private:
  enum class State : std::uint8_t { empty, blocked, limited, ready };
  struct Warp {
    InFlightInstruction* record = nullptr;
    State state = State::empty;
    std::uint8_t loads_in_flight = 0;
    SlotReason waiting_for = SlotReason::dep_alu;  ///< while blocked
  };

  /// Decides what the instruction waits for. In line, as what it calls: it runs twice for most instructions.
  [[gnu::always_inline]] void consider(InFlightInstruction& record, SmCycle now, std::uint32_t producer) {
    if (!record.replaying) {
      if (scoreboard_.hazard(record.warp, record.timing->need)) return block(record, now, producer);
      if (record.timing->needs_choice() && !choose_way(record, now, producer)) return;
    }
    accept_ready(record, now, producer);
  }
  [[gnu::always_inline]] void block(const InFlightInstruction& record, SmCycle now, std::uint32_t producer) {
    const SlotReason reason = scoreboard_.blocking_class(record.warp, record.timing->need);
    Warp& warp = warps_[record.warp];
    if (warp.state == State::blocked && warp.waiting_for == reason) return;
    warp.state = State::blocked;
    warp.waiting_for = reason;
    accounting_.enter(record.warp, reason, now, producer);
  }
  [[nodiscard]] bool choose_way(InFlightInstruction& record, SmCycle now, std::uint32_t producer);
  [[nodiscard]] Pipe choose_multiplier();

  /// The ready warps with a free unit.
  template <class CanAccept>
  [[nodiscard]] IssueCandidates find_candidates(const CanAccept& can_accept) const {
    constexpr unsigned scarce = 1U << static_cast<unsigned>(Pipe::sfu) | 1U << static_cast<unsigned>(Pipe::dp) |
                                1U << static_cast<unsigned>(Pipe::memory) | 1U << static_cast<unsigned>(Pipe::control);
    IssueCandidates candidates;
    for (unsigned left = ready_pipes_; left != 0; left &= left - 1) {
      const auto pipe = static_cast<unsigned>(std::countr_zero(left));
      if (!can_accept(static_cast<Pipe>(pipe))) continue;
      candidates.ready |= ready_[pipe];
      if ((scarce >> pipe & 1U) != 0) candidates.scarce |= ready_[pipe];
    }
    return candidates;
  }

  std::unique_ptr<WarpScheduler> scheduler_;
  CycleAccounting& accounting_;
  MultiplierChoice multipliers_;
  const WarpStream* stream_ = nullptr;
  Scoreboard scoreboard_;
  std::vector<Warp> warps_;
  std::array<LaneMask, pipe_count> ready_{};  ///< ready warps by the pipe they want
  unsigned ready_pipes_ = 0;                  ///< bit per pipe: some warp is ready for it
  unsigned load_limit_;
};

}  // namespace teslasim
