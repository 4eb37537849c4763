// SPDX-License-Identifier: Apache-2.0
// The further passes that an instruction needs over shared and constant memory.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// A conflict does not stall the pipeline: the lanes served are masked off and the instruction goes back to the queue
/// with what remains (Collange 2010, section 8.2). Each access group (half-warp) with lanes left takes one issue slot
/// per round, and rounds follow each other at the latency of the memory, so n passes take n times that latency while
/// each half-warp uses n port cycles.
class OnChipPasses {
 public:
  enum class Memory : std::uint8_t { shared, constant };
  static constexpr unsigned max_groups = 8;  ///< 32 lanes in groups of at least 4

  void clear() {
    remaining_ = 0;
    shared_.fill(0);
    constant_.fill(0);
  }
  /// `degree` passes are needed by group `group`; the first of them is the first issue.
  void add(Memory memory, unsigned group, unsigned degree) {
    auto& left = memory == Memory::shared ? shared_ : constant_;
    left[group] = static_cast<std::uint8_t>(degree - 1);
    remaining_ = static_cast<std::uint16_t>(remaining_ + degree - 1);
  }
  /// Nothing was served because a line is missing: when it has come, one slot for the whole instruction goes first.
  void retry(Memory memory) {
    ++remaining_;
    round_memory_ = memory;
    round_slots_ = 1;
  }
  /// Replays still to be issued, over all groups and both memories.
  [[nodiscard]] unsigned remaining() const { return remaining_; }

  /// Starts the next round: which memory it is for, one slot for each group that has passes left.
  Memory start_round() {
    round_memory_ = Memory::shared;
    round_slots_ = take(shared_);
    if (round_slots_ == 0) {
      round_memory_ = Memory::constant;
      round_slots_ = take(constant_);
    }
    return round_memory_;
  }
  [[nodiscard]] unsigned round_slots() const { return round_slots_; }
  [[nodiscard]] Memory round_memory() const { return round_memory_; }
  /// One slot of the round was issued.
  void issue() {
    --round_slots_;
    --remaining_;
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

  std::array<std::uint8_t, max_groups> shared_{};
  std::array<std::uint8_t, max_groups> constant_{};
  std::uint16_t remaining_ = 0;
  std::uint8_t round_slots_ = 0;
  Memory round_memory_ = Memory::shared;
};

}  // namespace teslasim
