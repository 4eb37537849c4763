// SPDX-License-Identifier: Apache-2.0
// The shared memory of one SM: its banks, and how many passes an access takes.
#pragma once

#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// Stands for the banks of shared memory and their ports, one word per cycle each: the lanes of an access group
/// (half-warp) are served together; words of one bank take one pass after the other, except that all lanes may read
/// one word (Collange 2010, section 8.2; CUDA programming guide, compute capability 1.x).
/// Each cycle: nothing. It takes every access: a conflict becomes replays in the instruction's record. The bytes are in
/// the execution stream. Not modelled: the time of the crossbar between lanes and banks.
class SharedMemory {
 public:
  SharedMemory(const SharedMemorySpec& spec, Cycle pass_cycles) : spec_(spec), pass_cycles_(pass_cycles) {}

  /// A new launch; `banks` counts the accesses of each bank and outlives it.
  void begin(BankAccesses& banks) { banks_ = &banks; }

  [[nodiscard]] static constexpr bool can_accept(Cycle) { return true; }
  /// The first pass of an access with at least one lane; the others are left in `record.replays`.
  void accept(InFlightInstruction& record, const OnChipAccess& access);

  /// From one round of passes to the next. Units: SM cycles.
  [[nodiscard]] Cycle pass_cycles() const { return pass_cycles_; }

 private:
  SharedMemorySpec spec_;
  Cycle pass_cycles_;
  BankAccesses* banks_ = nullptr;
};

}  // namespace teslasim
