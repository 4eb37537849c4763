// SPDX-License-Identifier: Apache-2.0
// Structures that are copied or cleared whole move in the widest words that their alignment allows.
//
// llc takes 64 bits at a time for a `float4` that is copied, and bytes in a loop for what is larger than 128 bytes. For
// the threads of a half-warp two accesses of 64 bits to every other double word do not coalesce; one of 128 bits does
// (NVIDIA 2009, CUDA programming guide 2.2, 5.1.2.1). NVIDIA's compiler moves such a structure as a vector (PTX of
// nvopencc for `float2`, NVIDIA's developer forum 2009, "float2 coalescing").
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language behind its passes. Copies and fillings of a known, small size become loads
/// and stores of vectors of words; what is aligned to less than 16 bytes and small is left to llc.
[[nodiscard]] std::string with_vector_copies(const std::string& code);

}  // namespace teslasim::cuda
