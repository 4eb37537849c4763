// SPDX-License-Identifier: Apache-2.0
#include "memory/partition/rop_unit.h"

#include <algorithm>
#include <bit>

#include "memory/image/memory_access.h"

namespace teslasim {

unsigned most_on_one_address(const MemoryAccess& access, LaneMask lanes) {
  unsigned most = 0;
  while (lanes != 0) {
    const Address address = access.address[static_cast<std::size_t>(std::countr_zero(lanes))];
    LaneMask same = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      same |= access.address[lane] == address ? LaneMask{1} << lane : LaneMask{0};
    }
    same &= lanes;
    most = std::max(most, static_cast<unsigned>(std::popcount(same)));
    lanes &= ~same;
  }
  return most;
}

MemoryCycle RopUnit::operate(const MemoryAccess& access, LaneMask lanes, MemoryCycle ready) {
  const auto count = static_cast<unsigned>(std::popcount(lanes));
  operations_ += count;
  const MemoryCycle by_rate = (count + spec_.atomics_per_cycle - 1) / spec_.atomics_per_cycle;
  const MemoryCycle by_address = MemoryCycle{most_on_one_address(access, lanes)} * spec_.same_address_cycles;
  const MemoryCycle taken = greater(by_rate, by_address);
  busy_cycles_ += taken;
  free_at_ = greater(free_at_, ready) + taken;
  return free_at_;
}

}  // namespace teslasim
