// SPDX-License-Identifier: Apache-2.0
// Which loads saw values written in the same launch, by other warps: what they read depends on the order in which warps
// ran, and a replay on another machine repeats the order of the recording.
//
// Stands for nothing on the chip: a shadow of device memory, one word of host memory per word written, says which warp
// wrote it last in this launch. It is consulted when instructions issue; atomics both read and write. Not detected:
// values that go through shared memory (barriers order them), and a load that comes before a store of another block.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"
#include "memory/image/memory_access.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

class LaunchOrder {
 public:
  /// Throws InputError (environment) when the host refuses to reserve the address space.
  LaunchOrder();
  ~LaunchOrder();
  LaunchOrder(const LaunchOrder&) = delete;
  LaunchOrder& operator=(const LaunchOrder&) = delete;

  /// Forgets who wrote what; later accesses belong to launch `launch`.
  void begin(std::uint32_t launch, const Kernel& kernel, unsigned warps_per_block);
  /// An access of warp `warp` of block `block`, by the instruction at `index`.
  void look(std::uint32_t index, const MemoryAccess& access, std::uint64_t block, unsigned warp);
  /// One list per launch that has begun, ascending.
  [[nodiscard]] std::vector<std::vector<OrderedLoad>> ordered_loads() const;

 private:
  [[nodiscard]] bool written_by_others(const std::array<std::uint32_t, warp_size>& address, LaneMask lanes,
                                       unsigned bytes, std::uint32_t self, bool& other_block) const;
  void write(const MemoryAccess& access, std::uint32_t self);

  std::uint32_t* shadow_ = nullptr;  ///< 1 + number of the warp that wrote the word last; 0: none did
  unsigned warps_per_block_ = 1;
  /// First and last byte of the words written so far; lowest_ > highest_ means none.
  std::uint32_t lowest_ = ~0U, highest_ = 0;
  std::vector<std::vector<OrderedLoad>> launches_;  ///< one entry per instruction of the kernel
};

/// What in a kernel depends on values that vary with the order of warps or with time.
struct OrderDependence {
  bool path = false;       ///< a guard or branch
  bool addresses = false;  ///< an address of device, shared, local or constant memory
  bool reads_clock = false;
  bool reads_place = false;  ///< %physid

  [[nodiscard]] bool any() const { return path || addresses; }
};

/// Follows values from the loads in `loads`, from locks, %clock and %physid through registers, shared and local memory,
/// ignoring the order of instructions. It may report a dependence that does not exist; it misses none except through
/// global memory.
[[nodiscard]] OrderDependence order_dependence(const Kernel& kernel, const std::vector<OrderedLoad>& loads);

}  // namespace teslasim
