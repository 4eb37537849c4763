// SPDX-License-Identifier: Apache-2.0
// The record of one warp instruction on its way through the SM, and the pool that the records come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "isa/instruction.h"
#include "memory/image/memory_access.h"
#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"
#include "sim/sm/instruction_timing.h"
#include "sim/sm/replays.h"

namespace teslasim {

/// Travels with the instruction from its slot in the queue to write-back: what a unit needs to know of an instruction
/// in flight it finds here, and what the next one needs to know it leaves here. The first line of the host's cache is
/// for every instruction, the second for those that touch shared or constant memory. Units: SM cycles.
struct alignas(64) InFlightInstruction {
  const Instruction* instruction = nullptr;        ///< front end
  const InstructionTiming* timing = nullptr;       ///< front end: its latencies and registers
  PcStatistics* counts = nullptr;                  ///< front end: what is counted for its address
  SmCycle first_pass = 0;                          ///< issue: the cycle of its first pass
  SmCycle collected = 0;                           ///< register file: all operands were read before this cycle; 0: none
  MemoryAccess* access = nullptr;                  ///< issue: what it asks of global, local or texture memory
  std::uint16_t operand_wait = 0;                  ///< register file, units: cycles lost before its operands were read
  std::uint16_t transactions = 0;                  ///< load/store unit: those that have not returned
  std::uint8_t warp = 0;                           ///< front end
  Pipe pipe = Pipe::none;                          ///< front end: what it needs; issue: what it will take
  Pipe unit = Pipe::none;                          ///< units: where it went
  SlotReason result_reason = SlotReason::dep_alu;  ///< units: what a warp that waits for its registers is charged
  std::uint8_t results = 0;                        ///< write-back: results that are not yet written
  bool executed = false;                           ///< issue: it passed its guard in some lane
  bool finishes = false;                           ///< issue: it ends the warp
  bool replaying = false;                          ///< issue: the first pass is over, others follow
  bool missing = false;                            ///< constant port: a line of its constants has not come
  bool issued = false;                             ///< issue: the last pass is over

  Replays replays;  ///< valid when `replaying`, or when its timing says that it is on-chip

  [[nodiscard]] std::uint32_t index() const { return instruction->index; }
};
static_assert(sizeof(InFlightInstruction) == 128);

/// Where records live: nothing is allocated once the pool has grown to the largest number ever in flight.
class RecordPool {
 public:
  /// A record in the state of a new instruction.
  InFlightInstruction& take() {
    if (free_count_ == 0) grow();
    InFlightInstruction& record = *free_[--free_count_];
    record.executed = record.finishes = record.replaying = record.missing = record.issued = false;
    return record;
  }
  /// Gives the record back when its last pass has issued and all its results are written.
  void give_back_if_done(InFlightInstruction& record) {
    if (record.issued && record.results == 0) free_[free_count_++] = &record;
  }
  [[nodiscard]] std::size_t in_flight() const { return records_.size() - free_count_; }
  /// All records are free.
  void clear() {
    free_count_ = 0;
    for (InFlightInstruction& record : records_) {
      record = {};
      free_[free_count_++] = &record;
    }
  }

 private:
  [[gnu::noinline]] void grow() {
    free_.push_back(nullptr);  // one place for each record
    free_[free_count_++] = &records_.emplace_back();
  }

  std::deque<InFlightInstruction> records_;  ///< stay where they are when it grows
  std::vector<InFlightInstruction*> free_;   ///< the first `free_count_`
  std::size_t free_count_ = 0;
};

}  // namespace teslasim
