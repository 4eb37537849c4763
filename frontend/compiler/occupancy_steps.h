// SPDX-License-Identifier: Apache-2.0
// How many registers a thread may use before fewer threads fit on an SM.
//
// Stands for the rules by which blocks share the register file: 8192 registers for compute capability 1.0 and 1.1,
// 16384 for 1.2 and 1.3, dealt out to whole blocks in units of 256 or 512, for an even number of warps. Shared memory
// is not looked at: it can only make registers matter less. Source: NVIDIA's CUDA Occupancy Calculator 3.0; CUDA
// Programming Guide 2.3, appendix A.
#pragma once

#include <cstdint>

namespace teslasim::compiler {

/// The largest number of registers with which an SM holds as many blocks as with `registers`. `threads` per block as
/// the kernel promises (.maxntid); 0: of every usual size.
[[nodiscard]] unsigned registers_of_same_occupancy(unsigned registers, std::uint8_t sm, unsigned threads);

/// The largest number with which `blocks` of so many threads fit; with all blocks that an SM may have when more are
/// asked for.
[[nodiscard]] unsigned registers_for_blocks(unsigned blocks, std::uint8_t sm, unsigned threads);

}  // namespace teslasim::compiler
