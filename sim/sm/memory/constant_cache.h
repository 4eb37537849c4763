// SPDX-License-Identifier: Apache-2.0
// The first-level constant cache of one SM.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/cache/read_cache.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/memory/line_link.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// Stands for the tags of the constant cache; its port, one word per pass, is ConstantPort (Collange 2010, sections
/// 8.2 and 10.1). An instruction looks up each different line of its lanes once. If any is missing, the instruction
/// goes back to the queue and requests its missing lines, as many at a time as the table holds. When the last one has
/// arrived, the instruction issues again (one replay).
/// Not modelled: passes over words that are present while others are missing.
class ConstantCache {
 public:
  ConstantCache(const ConstantCacheSpec& spec, unsigned warps);

  void begin(const LineLink& link);

  /// Looks up the words of `access`; they lie `base` bytes up in device memory. False: the warp waits until
  /// `line_arrived` names it.
  bool read(WarpSlot warp, Address base, const OnChipAccess& access, SmCycle now) {
    if (!cache_) return true;
    const Address address = base + access.address[0];
    // The line of the last uniform hit is the youngest of its set, so nothing would change by looking it up again.
    if (access.uniform && address >> line_shift_ == last_line_) {
      cache_->count_hit();
      return true;
    }
    return look_up(warp, base, access, now);
  }

  /// A line arrived. Calls `deliver(warp)` for each warp whose last missing line it was.
  template <class Deliver>
  void line_arrived(Address line, SmCycle now, Deliver&& deliver) {
    last_line_ = no_line;
    ready_ = 0;
    cache_->fill(line, [this](std::uint8_t warp) { count_down(warp); });
    ask_refused(now);
    for (LaneMask rest = ready_; rest != 0; rest &= rest - 1) deliver(static_cast<unsigned>(std::countr_zero(rest)));
  }

  [[nodiscard]] CacheStatistics statistics() const { return cache_ ? cache_->statistics() : CacheStatistics{}; }
  [[nodiscard]] std::size_t lines_under_way() const { return cache_ ? cache_->outstanding().lines() : 0; }

 private:
  static constexpr Address no_line = ~Address{0};
  using Cache = ReadCache<std::uint8_t>;
  struct Waiting {
    unsigned missing = 0;  ///< lines that have not arrived, requested or not
    unsigned refused = 0;  ///< how many of them the table refused: the first ones in `lines`
    std::array<Address, warp_size> lines{};
  };

  bool look_up(WarpSlot warp, Address base, const OnChipAccess& access, SmCycle now);
  Cache::Result ask(WarpSlot warp, Address line, SmCycle now);
  void ask_refused(SmCycle now);
  void count_down(WarpSlot warp) {
    if (--waiting_[warp].missing == 0) ready_ |= LaneMask{1} << warp;
  }

  std::optional<Cache> cache_;  ///< waiters are warps; absent: ideal
  unsigned line_shift_ = 0;
  std::vector<Waiting> waiting_;
  LaneMask refused_ = 0;  ///< warps with refused lines
  LaneMask ready_ = 0;
  Address last_line_ = no_line;
  LineLink link_;
};

}  // namespace teslasim
