// SPDX-License-Identifier: Apache-2.0
// The port of one SM to its constants: the first-level cache, one word per pass.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/memory/constant_cache.h"

namespace teslasim {

/// Stands for the read port of the first-level constant cache: one word per pass, for all lanes of an access group that
/// ask for it (Collange 2010, sections 8.2 and 10.1). Different words become replays in the instruction's record. An
/// instruction with missing lines requests them and waits in the queue until they have arrived.
/// Each cycle: nothing. It takes every access. Not modelled: passes over words that are present while others are
/// missing.
class ConstantPort {
 public:
  ConstantPort(const ConstantCacheSpec& spec, unsigned warps, unsigned access_group, SmCycle pass_cycles)
      : cache_(spec, warps), access_group_(access_group), pass_cycles_(pass_cycles) {}

  void begin(const LineLink& link) {
    cache_.begin(link);
    accesses_ = 0;
  }

  [[nodiscard]] static constexpr bool can_accept(SmCycle) { return true; }
  /// The first pass of an access with at least one lane. False: a line is missing; the warp waits until `line_arrived`
  /// names it, and then issues once more.
  [[nodiscard]] bool accept(InFlightInstruction& record, const OnChipAccess& access, SmCycle now);
  /// A line came in cycle `now`: `deliver(warp)` for each warp that now has all it waited for.
  template <class Deliver>
  void line_arrived(Address line, SmCycle now, Deliver&& deliver) {
    cache_.line_arrived(line, now, deliver);
  }

  /// From one round of passes to the next. Units: SM cycles.
  [[nodiscard]] SmCycle pass_cycles() const { return pass_cycles_; }
  [[nodiscard]] const ConstantCache& cache() const { return cache_; }
  /// Accesses in this launch, a warp's instruction each.
  [[nodiscard]] std::uint64_t accesses() const { return accesses_; }
  [[nodiscard]] CacheStatistics statistics() const { return cache_.statistics(); }
  [[nodiscard]] std::size_t lines_under_way() const { return cache_.lines_under_way(); }

 private:
  ConstantCache cache_;
  unsigned access_group_;
  SmCycle pass_cycles_;
  std::uint64_t accesses_ = 0;
};

}  // namespace teslasim
