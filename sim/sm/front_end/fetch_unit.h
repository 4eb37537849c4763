// SPDX-License-Identifier: Apache-2.0
// Instruction fetch of one SM: the port, the first-level instruction cache, and what each warp has taken from it.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "memory/cache/read_cache.h"
#include "sim/base/types.h"
#include "sim/sm/memory/line_link.h"
#include "sim/sm/port_calendar.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// Each SM cycle one instruction is fetched for a warp whose slot in the instruction queue is free (Collange 2010,
/// section 8.1; the first-level cache has one port as wide as one instruction, table 7). A warp takes a fetch block (64
/// bytes) at a time: instructions within the block it holds need the port but not the cache. Leaving the block looks
/// the address up in the first-level cache; a miss asks the second level for the line and the warp waits (`fetch`).
/// To fetch: `reserve` gives the cycle. If `holds` is true, that is all. Otherwise call `fetch` in that cycle; if it
/// returns false, the warp waits until `line_arrived` names it, and then needs the port again.
/// Not modelled: prefetching; the time of the look-up beyond the fetch-to-issue distance.
class FetchUnit {
 public:
  FetchUnit(const InstructionCacheSpec& spec, unsigned warps)
      : block_shift_(static_cast<unsigned>(std::countr_zero(spec.fetch_block_bytes))), held_(warps) {
    if (spec.bytes != 0) cache_.emplace(spec.geometry(), spec.replacement, spec.misses, warps);
  }

  /// A new launch. `code` is the device address of the kernel's first instruction.
  void begin(const LineLink& link, Address code) {
    link_ = link;
    code_ = code;
    port_.clear();
    refused_ = 0;
    for (Address& block : held_) block = no_block;
    if (cache_) cache_->reset();
  }
  /// A new block's warp holds nothing yet.
  void forget(WarpSlot warp) { held_[warp] = no_block; }

  /// Reserves the port; returns the cycle of the fetch. `now` is the current cycle, earliest > now.
  SmCycle reserve(SmCycle now, SmCycle earliest) { return port_.reserve(now, earliest); }

  /// True when the instruction at byte `pc` of the kernel is in the block that the warp holds or in the cache.
  bool holds(WarpSlot warp, std::uint32_t pc) {
    const Address block = (code_ + pc) >> block_shift_;
    if (held_[warp] == block || !cache_) return true;
    if (!cache_->use(code_ + pc)) return false;
    held_[warp] = block;
    return true;
  }
  /// The fetch itself, in cycle `now`, after `holds` said no.
  bool fetch(WarpSlot warp, std::uint32_t pc, SmCycle now) {
    using Result = ReadCache<std::uint8_t>::Result;
    const Address address = code_ + pc;
    switch (cache_->read(address, static_cast<std::uint8_t>(warp))) {
      case Result::hit:
        held_[warp] = address >> block_shift_;
        return true;
      case Result::miss:
        link_.ask(LineKind::instruction, cache_->tags().line_of(address), cache_->tags().geometry().line_bytes, now);
        return false;
      case Result::merged:
        return false;
      case Result::refused:
        refused_ |= LaneMask{1} << warp;
        return false;
    }
    return false;
  }
  /// A line came: `deliver(warp)` for each that can fetch from it; then `again(warp)` for those that found no place in
  /// the table and must call `fetch` once more.
  template <class Deliver, class Again>
  void line_arrived(Address line, Deliver&& deliver, Again&& again) {
    cache_->fill(line, [&](std::uint8_t warp) { deliver(unsigned{warp}); });
    for (LaneMask rest = std::exchange(refused_, 0); rest != 0; rest &= rest - 1) {
      again(static_cast<unsigned>(std::countr_zero(rest)));
    }
  }
  /// The warp takes the block of `pc` from a line that has just come, whatever has happened to the line since.
  void take(WarpSlot warp, std::uint32_t pc) { held_[warp] = (code_ + pc) >> block_shift_; }

  [[nodiscard]] CacheStatistics statistics() const { return cache_ ? cache_->statistics() : CacheStatistics{}; }
  [[nodiscard]] std::size_t lines_under_way() const { return cache_ ? cache_->outstanding().lines() : 0; }

 private:
  static constexpr Address no_block = ~Address{0};

  unsigned block_shift_;
  std::vector<Address> held_;                     ///< per warp: number of the block it holds
  std::optional<ReadCache<std::uint8_t>> cache_;  ///< waiters are warps; absent: ideal
  LineLink link_;
  Address code_ = 0;
  PortCalendar port_;
  LaneMask refused_ = 0;  ///< warps that must ask again
};

}  // namespace teslasim
