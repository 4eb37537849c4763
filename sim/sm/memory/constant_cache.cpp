// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/constant_cache.h"

#include <algorithm>
#include <bit>

namespace teslasim {

ConstantCache::ConstantCache(const ConstantCacheSpec& spec, unsigned warps)
    : line_shift_(static_cast<unsigned>(std::countr_zero(spec.line_bytes))), waiting_(warps) {
  if (spec.bytes != 0) cache_.emplace(spec.geometry(), spec.replacement, spec.misses, warps * warp_size);
}

void ConstantCache::begin(const LineLink& link) {
  link_ = link;
  refused_ = 0;
  last_line_ = no_line;
  for (Waiting& waiting : waiting_) waiting.missing = waiting.refused = 0;
  if (cache_) cache_->reset();
}

ConstantCache::Cache::Result ConstantCache::ask(WarpSlot warp, Address line, SmCycle now) {
  const auto result = cache_->read(line, static_cast<std::uint8_t>(warp));
  if (result == Cache::Result::miss) link_.ask(LineKind::constant, line, 1U << line_shift_, now);
  return result;
}

bool ConstantCache::look_up(WarpSlot warp, Address base, const OnChipAccess& access, SmCycle now) {
  std::array<Address, warp_size> lines{};
  std::size_t count = 0;
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = access.uniform ? 0 : static_cast<unsigned>(std::countr_zero(rest));
    const Address line = (base + access.address[lane]) >> line_shift_;
    if (std::find(lines.begin(), lines.begin() + count, line) == lines.begin() + count) lines[count++] = line;
    if (access.uniform) break;
  }
  Waiting& waiting = waiting_[warp];
  waiting.missing = waiting.refused = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto result = ask(warp, lines[i] << line_shift_, now);
    if (result == Cache::Result::hit) continue;
    ++waiting.missing;
    if (result == Cache::Result::refused) waiting.lines[waiting.refused++] = lines[i] << line_shift_;
  }
  if (waiting.refused != 0) refused_ |= LaneMask{1} << warp;
  if (waiting.missing != 0) return false;
  if (count == 1) last_line_ = lines[0];
  return true;
}

/// The table has room again: requests the refused lines, warp by warp.
void ConstantCache::ask_refused(SmCycle now) {
  for (LaneMask rest = refused_; rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    Waiting& waiting = waiting_[warp];
    while (waiting.refused != 0) {
      const auto result = ask(warp, waiting.lines[waiting.refused - 1], now);
      if (result == Cache::Result::refused) break;
      --waiting.refused;
      if (result == Cache::Result::hit) count_down(warp);
    }
    if (waiting.refused == 0) refused_ &= ~(LaneMask{1} << warp);
  }
}

}  // namespace teslasim
