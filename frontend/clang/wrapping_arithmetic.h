// SPDX-License-Identifier: Apache-2.0
// Sums and products of signed integers wrap around, as on the chips.
//
// C leaves open what they are beyond the largest number, and LLVM takes it that programs never get there: a random
// number generator of signed words was another one in device code. NVIDIA's compilers of the time did not use this, and
// programs relied on what the chip does. Pointers keep what LLVM knows of them, unlike with clang's -fwrapv, so that
// accesses of one structure are still found to be neighbours.
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language as clang writes it, nothing optimised.
[[nodiscard]] std::string with_wrapping_arithmetic(std::string code);

}  // namespace teslasim::cuda
