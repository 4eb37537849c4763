// SPDX-License-Identifier: Apache-2.0
// Three of the four words of an aligned structure are loaded as four.
//
// Of a `float4` whose last member nobody reads llc loads 64 and 32 bits; NVIDIA's compiler loads 128 (PTX 1.4 of
// nvopencc for sm_10, in public tests of NVIDIA's OptiX: `ld.global.v4.u32 {%r1,%r2,%r3,_}`), which coalesces for the
// threads of a half-warp where the others do not. Two members are loaded as two, one as one (NVIDIA's developer forum
// 2009, "float2 coalescing").
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language behind its passes. The fourth word is loaded too, which makes llc load a
/// vector; that nobody reads it does not matter to our compiler.
[[nodiscard]] std::string with_padded_loads(const std::string& code);

}  // namespace teslasim::cuda
