// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel one SM holds at once, and which resource stops the next one.
// Rules of compute capability 1.0-1.3 as in NVIDIA's CUDA occupancy calculator (spreadsheet 3.0): registers and shared
// memory are allocated per block; the warps of a block are rounded up to an even number for registers only.
// Not modelled: fragmentation of the register file and of shared memory; the partial last group of blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/launch_statistics.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// What one block of a kernel asks for.
struct OccupancyDemand {
  unsigned threads = 0;  ///< per block
  unsigned registers_per_thread = 0;
  unsigned shared_bytes = 0;  ///< static (16-byte header and parameters included) + dynamic, per block
};

/// One resource: how much of it a block takes and how many blocks it admits.
struct OccupancyLimit {
  std::string name;             ///< "threads", "warps", "ctas", "registers", "shared"
  std::uint64_t available = 0;  ///< per SM
  std::uint64_t per_block = 0;  ///< after rounding up to the allocation unit; 0 = the kernel needs none
  std::uint64_t blocks = 0;     ///< what this resource alone admits; meaningless when per_block is 0
  bool limits = false;          ///< no other resource admits fewer blocks
};

/// What would have to change to hold one more block.
struct OccupancyStep {
  unsigned blocks = 0;  ///< one more than now
  unsigned warps = 0;   ///< of blocks that are small enough
  /// One sentence per resource in the way, e.g. "at most 14 registers per thread (now 16)".
  std::vector<std::string> needs;
  bool possible = true;  ///< false when a fixed limit (blocks, warps) is in the way
};

struct OccupancyReport {
  Occupancy occupancy;
  unsigned warps_per_block = 0;
  std::uint64_t registers_per_block = 0;
  std::uint64_t shared_bytes_per_block = 0;
  std::vector<OccupancyLimit> limits;  ///< threads, warps, ctas, registers, shared
  OccupancyStep next;
};

/// Zero blocks when one block does not fit. Demands larger than any limit are answered, not refused.
[[nodiscard]] Occupancy compute_occupancy(const MachineSpec& machine, const OccupancyDemand& demand);
[[nodiscard]] OccupancyReport explain_occupancy(const MachineSpec& machine, const OccupancyDemand& demand);

/// The most registers per thread with which `blocks` blocks of `threads` threads fit; 0 when not even one does.
[[nodiscard]] unsigned registers_that_fit(const MachineSpec& machine, unsigned threads, unsigned blocks);

}  // namespace teslasim
