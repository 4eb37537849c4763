// SPDX-License-Identifier: Apache-2.0
// The block slots of one SM: which blocks are resident, their barriers, and when they leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/launch_statistics.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/exec/barrier.h"
#include "sim/exec/barrier_report.h"
#include "sim/exec/launch.h"
#include "sim/sm/in_flight_instruction.h"

namespace teslasim {

/// How many blocks and warps fit, and how they come and go.
struct BlockSlotLimits {
  unsigned slots = 8;
  unsigned warps = 32;
  unsigned launch_cycles = 8;  ///< SM cycles to set up one block
  bool early_release = false;  ///< give a block's place back when half of its warps have finished
  bool finished_warps_hold_barriers = false;
};

/// What bounds when the next block may come.
struct BlockPace {
  SmCycle replacement = 0;  ///< from the end of a block until another one comes in its place, at the least
  SmCycle spacing = 0;      ///< between two blocks, at the least
};

/// Stands for the logic of an SM that sets up blocks, keeps their barriers and frees their slots. Slot i holds the
/// warps that follow those of slot i - 1. Blocks are set up one at a time: header, parameters and thread ids are
/// written before a block's first instruction. A block leaves when its warps have finished and its loads have returned
/// and been written (the SM knows when). The time that barriers take is in the execute stage and the front end. Each
/// cycle: `take_arrivals` for blocks that have arrived. Not modelled: the ports that set-up uses. Units: SM cycles.
class BlockSlots {
 public:
  struct Arrival {
    SmCycle when = 0;
    BlockIndex block = 0;
    SmCycle clock_stopped = 0;
  };
  /// A block that has taken its slot; its first instructions can issue from `set_up` on.
  struct Started {
    unsigned slot = 0;
    WarpSlot first_warp = 0;
    SmCycle set_up = 0;
  };

  explicit BlockSlots(const BlockSlotLimits& limits) : limits_(limits), slots_(limits.slots), warps_(limits.warps) {}

  /// A new launch; both outlive it. `block_limit`: blocks that fit, for early release.
  void begin(const Launch& launch, SmStatistics& statistics, unsigned block_limit, const BlockPace& pace = {});

  /// A block is on its way. Calls come in order of `when`.
  void receive(const Arrival& arrival) {
    arrivals_.push(arrival);
    after_last_ = arrival.when + pace_.spacing;
    if (!vacant_.empty()) vacant_.pop();
  }
  /// No further blocks are on their way than those received.
  void receive_end_of_grid() {
    vacant_.clear();
    end_of_grid_ = true;
  }
  /// When a further block than those on their way may arrive, as far as is known here; `never`: another one has to
  /// leave or to give its place back first.
  [[nodiscard]] SmCycle next_vacancy() const {
    return vacant_.empty() ? SmCycle{never} : greater(vacant_.front(), after_last_);
  }
  /// When the next block arrives, or `never`.
  [[nodiscard]] SmCycle next_message() const { return arrivals_.empty() ? never : arrivals_.front().when; }
  /// Calls `started(arrival)` for each block that has arrived by `now`.
  template <class Start>
  void take_arrivals(SmCycle now, Start&& started) {
    while (next_message() <= now) {
      const Arrival arrival = arrivals_.front();
      arrivals_.pop();
      started(arrival);
    }
  }
  [[nodiscard]] bool can_accept() const;
  /// The block takes the first free slot. Precondition: can_accept().
  Started accept(const Arrival& arrival, SmCycle now);

  /// A warp executes a barrier instruction. Returns the warps of the SM that waited and may now go on, the caller
  /// included, unless the warp ends with it.
  LaneMask arrive_at_barrier(const InFlightInstruction& record);

  void load_left(WarpSlot warp) { ++slot_of(warp).loads_in_flight; }
  void load_returned(WarpSlot warp) { --slot_of(warp).loads_in_flight; }
  void issued(const InFlightInstruction& record) { warps_[record.warp].last_pc = record.instruction->pc; }
  /// The warp's last instruction has issued. True: the block's place may be given to another one at once.
  bool finish_warp(WarpSlot warp, SmCycle now);
  /// What `finish_warp` means for barriers: the warps of the SM that waited and may now go on.
  LaneMask leave_barriers(WarpSlot warp);
  [[nodiscard]] bool finished(WarpSlot warp) const { return warps_[warp].finished; }
  /// When its last instruction issued. Precondition: finished(warp).
  [[nodiscard]] SmCycle finish_cycle(WarpSlot warp) const { return warps_[warp].finish_cycle; }
  /// Address of the instruction that the warp issued last.
  [[nodiscard]] std::uint32_t last_pc(WarpSlot warp) const { return warps_[warp].last_pc; }
  /// All warps have finished and all loads are back.
  [[nodiscard]] bool done(unsigned slot) const {
    const Slot& one = slots_[slot];
    return one.resident && one.running_warps == 0 && one.loads_in_flight == 0;
  }
  /// The block leaves; `now` is the first cycle without it. Returns its number. Precondition: done(slot).
  std::uint64_t retire(unsigned slot, SmCycle now);

  [[nodiscard]] unsigned slot_index(WarpSlot warp) const { return warps_[warp].slot; }
  [[nodiscard]] unsigned first_warp(unsigned slot) const { return slot * warps_per_block_; }
  [[nodiscard]] unsigned warps_per_block() const { return warps_per_block_; }
  /// Calls `visit(slot, block)` for each block that is there.
  template <class Visit>
  void for_each_resident(Visit&& visit) const {
    for (unsigned slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot].resident) visit(slot, slots_[slot].block);
    }
  }
  [[nodiscard]] unsigned resident() const { return resident_; }
  [[nodiscard]] bool idle() const { return resident_ == 0 && arrivals_.empty(); }
  /// Instructions that arrived at a barrier or waited at one.
  [[nodiscard]] std::uint64_t barriers() const { return barriers_; }

  void describe_arrivals(const std::string& prefix, std::vector<std::string>& lines) const {
    if (!arrivals_.empty()) lines.push_back(prefix + ": " + std::to_string(arrivals_.size()) + " blocks on their way");
  }
  /// Blocks, warps and barriers that wait, one line each; `state(warp)` says what a warp waits for.
  template <class State>
  void describe_pending(const std::string& prefix, const State& state, std::vector<std::string>& lines) const {
    for (unsigned slot = 0; slot < slots_.size(); ++slot) {
      if (!slots_[slot].resident) continue;
      lines.push_back(describe(prefix, slot));
      const BarrierReport report = barrier_report(slot, state);
      lines.insert(lines.end(), report.lines.begin(), report.lines.end());
    }
  }
  /// Why a barrier that warps wait at can never open; empty when that is not known.
  template <class State>
  [[nodiscard]] std::string barrier_cause(const State& state) const {
    for (unsigned slot = 0; slot < slots_.size(); ++slot) {
      if (!slots_[slot].resident) continue;
      if (std::string cause = barrier_report(slot, state).cause; !cause.empty()) return cause;
    }
    return "";
  }

 private:
  struct Slot {
    BlockIndex block = 0;
    unsigned running_warps = 0;  ///< not yet finished
    unsigned loads_in_flight = 0;
    bool resident = false;
    bool released = false;  ///< its place was given back
    std::size_t times = 0;  ///< its place in SmStatistics::block_times; past the end: not kept
    BlockBarriers barriers;
  };
  struct Warp {
    SmCycle finish_cycle = 0;
    std::uint32_t last_pc = 0;
    std::uint8_t slot = 0;
    bool finished = false;
  };

  [[nodiscard]] Slot& slot_of(WarpSlot warp) { return slots_[warps_[warp].slot]; }
  void keep_times(unsigned index, SmCycle now);
  bool release_early(Slot& slot);
  void give_place_back(SmCycle now) {
    if (!end_of_grid_) vacant_.push(now + pace_.replacement);
  }
  [[nodiscard]] std::string describe(const std::string& prefix, unsigned slot) const;
  template <class State>
  [[nodiscard]] BarrierReport barrier_report(unsigned slot, const State& state) const {
    std::vector<BarrierWarp> warps;
    for (WarpSlot warp = first_warp(slot); warp < first_warp(slot) + warps_per_block_; ++warp) {
      const Warp& one = warps_[warp];
      warps.push_back({one.finished, one.last_pc,
                       one.finished ? "in cycle " + std::to_string(sp_cycles(one.finish_cycle).count())
                                    : "waits: " + std::string(state(warp))});
    }
    return describe_barriers(*launch_, slots_[slot].block, slots_[slot].barriers, warps);
  }

  BlockSlotLimits limits_;
  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  Ring<Arrival> arrivals_{16};
  const Launch* launch_ = nullptr;
  SmStatistics* statistics_ = nullptr;
  unsigned block_limit_ = 1;
  unsigned warps_per_block_ = 1;
  unsigned resident_ = 0;
  unsigned released_ = 0;    ///< of them, those that gave their place back
  SmCycle set_up_free_ = 0;  ///< when the set-up of the next block can start
  std::uint64_t barriers_ = 0;
  BlockPace pace_;
  SmCycle after_last_ = 0;    ///< no further block comes before
  Ring<SmCycle> vacant_{16};  ///< places without a block: from when on one may come. The oldest counts as taken first
  bool end_of_grid_ = false;
};

}  // namespace teslasim
