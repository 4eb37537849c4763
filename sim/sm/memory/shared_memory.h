// SPDX-License-Identifier: Apache-2.0
// The shared memory of one SM: its banks, and how many passes an access takes.
#pragma once

#include <cstdint>

#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"
#include "sim/exec/conflict_degree.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// Stands for the banks with their ports, one word per cycle each. Lanes of one access group whose words lie in one
/// bank take one pass after the other, except that all lanes may read one word. The bytes are in the execution stream.
class SharedMemoryBanks {
 public:
  SharedMemoryBanks(unsigned count, unsigned access_group) : count_(count), access_group_(access_group) {}

  /// A new launch; `accesses` counts those of each bank and outlives it.
  void begin(BankAccesses& accesses) { accesses_ = &accesses; }
  /// Serves a common access, one pass for each half-warp; see one_pass_each.
  [[nodiscard]] bool serve_at_once(const OnChipAccess& access) {
    return one_pass_each(access, access_group_, count_, accesses_);
  }
  /// Passes for the access group that begins with `first_lane`; the banks that each one uses are counted.
  [[nodiscard]] unsigned serve(const OnChipAccess& access, unsigned first_lane) {
    return shared_passes(access, first_lane, access_group_, count_, accesses_);
  }
  [[nodiscard]] unsigned count() const { return count_; }
  /// Lanes that are served together.
  [[nodiscard]] unsigned access_group() const { return access_group_; }
  /// Words served in this launch, by all banks.
  [[nodiscard]] std::uint64_t served() const {
    std::uint64_t words = 0;
    for (unsigned bank = 0; accesses_ != nullptr && bank < count_; ++bank) words += accesses_->of(bank);
    return words;
  }

 private:
  unsigned count_;
  unsigned access_group_;
  BankAccesses* accesses_ = nullptr;
};

/// Stands for shared memory as a unit, its banks behind it: the lanes of an access group (half-warp) are served
/// together; words of one bank take one pass after the other, except that all lanes may read one word (Collange 2010,
/// section 8.2; CUDA programming guide, compute capability 1.x). Each cycle: nothing. It takes every access: a conflict
/// becomes replays in the instruction's record. The bytes are in the execution stream. Not modelled: the time of the
/// crossbar between lanes and banks.
class SharedMemory {
 public:
  SharedMemory(const SharedMemorySpec& spec, SmCycle pass_cycles)
      : banks_(spec.banks, spec.access_group), pass_cycles_(pass_cycles) {}

  /// A new launch; `banks` counts the accesses of each bank and outlives it.
  void begin(BankAccesses& banks) {
    banks_.begin(banks);
    accesses_ = 0;
  }

  [[nodiscard]] static constexpr bool can_accept(SmCycle) { return true; }
  /// The first pass of an access with at least one lane; the others are left in `record.replays`.
  void accept(InFlightInstruction& record, const OnChipAccess& access);

  /// From one round of passes to the next. Units: SM cycles.
  [[nodiscard]] SmCycle pass_cycles() const { return pass_cycles_; }
  [[nodiscard]] const SharedMemoryBanks& banks() const { return banks_; }
  /// Accesses in this launch, a warp's instruction each.
  [[nodiscard]] std::uint64_t accesses() const { return accesses_; }

 private:
  SharedMemoryBanks banks_;
  SmCycle pass_cycles_;
  std::uint64_t accesses_ = 0;
};

}  // namespace teslasim
