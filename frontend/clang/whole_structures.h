// SPDX-License-Identifier: Apache-2.0
// Assignments of small structures stay accesses of the whole structure.
//
// LLVM takes structures apart into their members: four loads of a byte for a `uchar4`, two of 16 bits for a `short2`,
// which chips before compute capability 1.2 do not coalesce; and it leaves out the store of a member that was not
// changed since it was loaded, so that of a `float4` with three new members 64 and 32 bits are stored. NVIDIA's
// compiler makes one access of a structure of 1, 2, 4, 8 or 16 bytes that is aligned to its size (NVIDIA 2009, CUDA
// programming guide 2.2, 5.1.2.1).
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language as clang writes it, nothing optimised. Structures of bytes and 16-bit words
/// are copied as one integer; of larger words, as a vector where a variable of the thread is stored. What is only
/// loaded stays as it is: members that nobody reads are not loaded (nvopencc, 2009: NVIDIA's developer forum, "float2
/// coalescing").
[[nodiscard]] std::string with_whole_structures(const std::string& code);

}  // namespace teslasim::cuda
