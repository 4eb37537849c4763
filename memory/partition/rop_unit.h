// SPDX-License-Identifier: Apache-2.0
// The raster operation unit of a partition, as far as kernels use it: atomic operations.
#pragma once

#include <cstdint>

#include "memory/memory_spec.h"
#include "memory/transaction.h"
#include "sim/base/types.h"

namespace teslasim {

/// Takes one transaction of atomic operations at a time, when its old values have come from memory: different addresses
/// at `atomics_per_cycle`, each address once in `same_address_cycles`. Atomics of CUDA and blending of graphics share
/// this unit (Collange 2010, section 10.4). Not modelled: the unit's own caches, so every transaction reads and writes
/// DRAM; different rates of operations. Times are cycles of the memory clock.
class RopUnit {
 public:
  explicit RopUnit(const RopSpec& spec) : spec_(spec) {}
  void reset() {
    free_at_ = 0;
    operations_ = 0;
    busy_cycles_ = 0;
  }

  /// The operations of `lanes` of `access` start at `ready` or when the unit is free. Returns when they are done.
  MemoryCycle operate(const MemoryAccess& access, LaneMask lanes, MemoryCycle ready);
  [[nodiscard]] std::uint64_t operations() const { return operations_; }
  [[nodiscard]] MemoryCycle busy_cycles() const { return busy_cycles_; }

 private:
  RopSpec spec_;
  MemoryCycle free_at_ = 0;
  std::uint64_t operations_ = 0;
  MemoryCycle busy_cycles_ = 0;
};

/// How often the most frequent address occurs among `lanes`.
[[nodiscard]] unsigned most_on_one_address(const MemoryAccess& access, LaneMask lanes);

}  // namespace teslasim
