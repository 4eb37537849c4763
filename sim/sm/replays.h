// SPDX-License-Identifier: Apache-2.0
// What replays are: the further passes of an instruction over shared and constant memory.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {

/// A conflict does not stall the pipeline: the lanes served are masked off and the instruction goes back to the queue
/// with what remains (Collange 2010, section 8.2). Each further pass is a replay: it takes an issue slot, the unit of
/// the instruction for one access group, and the port of the memory, while other warps issue in between. Each access
/// group (half-warp) with lanes left takes one slot per round, and rounds follow each other at the latency of the
/// memory, so n passes take n times that latency while each half-warp uses n port cycles. Passes over shared memory
/// come before those over constant memory. An instruction whose constants miss in the first-level cache was not served
/// at all: when the lines have come, one replay of the whole instruction goes first. Results leave the unit after the
/// last pass.
/// Who does what: `SharedMemory` and `ConstantPort` say how many passes there are; the SM issues them as `Replays`
/// says; slots are charged to `use()`, the time between passes to `wait()`.
/// Not modelled: the register reads of replays (their port is taken once, by the first pass: the source does not say
/// whether what goes back to the queue reads again).
class Replays {
 public:
  enum class Memory : std::uint8_t { shared, constant };
  static constexpr unsigned max_groups = 8;  ///< 32 lanes in groups of at least 4

  void clear() {
    remaining_ = 0;
    round_slots_ = 0;
    shared_.fill(0);
    constant_.fill(0);
  }
  /// Group `group` needs `degree` passes; the first one is the first issue.
  void add(Memory memory, unsigned group, unsigned degree) {
    auto& left = memory == Memory::shared ? shared_ : constant_;
    left[group] = static_cast<std::uint8_t>(degree - 1);
    remaining_ = static_cast<std::uint16_t>(remaining_ + degree - 1);
  }
  /// A line is missing, so nothing was served: when it has arrived, one slot for the whole instruction goes first.
  void retry(Memory memory) {
    ++remaining_;
    round_memory_ = memory;
    round_slots_ = 1;
    round_issued_ = false;
  }
  /// Replays still to be issued, over all groups and both memories.
  [[nodiscard]] unsigned remaining() const { return remaining_; }

  /// The first pass issues in cycle `now`.
  void issue_first(SmCycle now) { round_start_ = now; }
  /// One slot of the round issues in cycle `now`.
  void issue(SmCycle now) {
    if (!round_issued_) round_start_ = now;
    round_issued_ = true;
    --round_slots_;
    --remaining_;
  }
  /// Slots of the current round that have not issued: they follow as soon as the unit is free.
  [[nodiscard]] unsigned round_slots() const { return round_slots_; }
  /// Starts the next round: one slot for each group that has passes left. Precondition: the current one has issued.
  void start_round() {
    round_issued_ = false;
    round_memory_ = Memory::shared;
    round_slots_ = take(shared_);
    if (round_slots_ != 0) return;
    round_memory_ = Memory::constant;
    round_slots_ = take(constant_);
  }
  [[nodiscard]] Memory round_memory() const { return round_memory_; }
  /// When the round that was started can issue: `pass_cycles`, the latency of its memory, after the one before.
  [[nodiscard]] SmCycle round_at(SmCycle now, SmCycle pass_cycles) const {
    return greater(now + 1, round_start_ + pass_cycles);
  }

  /// What a slot of the current round is charged to.
  [[nodiscard]] SlotReason use() const {
    return round_memory_ == Memory::shared ? SlotReason::replay_shared_bank : SlotReason::replay_const;
  }
  /// The state before the current round: the instruction is back in the queue and waits for its memory.
  [[nodiscard]] SlotReason wait() const {
    return round_memory_ == Memory::shared ? SlotReason::mem_shared : SlotReason::mem_const;
  }

 private:
  static std::uint8_t take(std::array<std::uint8_t, max_groups>& left) {
    std::uint8_t slots = 0;
    for (std::uint8_t& passes : left) {
      if (passes == 0) continue;
      --passes;
      ++slots;
    }
    return slots;
  }

  SmCycle round_start_ = 0;  ///< first issue of the current round
  std::array<std::uint8_t, max_groups> shared_{};
  std::array<std::uint8_t, max_groups> constant_{};
  std::uint16_t remaining_ = 0;
  std::uint8_t round_slots_ = 0;
  Memory round_memory_ = Memory::shared;
  bool round_issued_ = false;  ///< the current round has issued at least once
};

}  // namespace teslasim
