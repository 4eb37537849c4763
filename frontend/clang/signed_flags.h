// SPDX-License-Identifier: Apache-2.0
// A flag as a signed number is 0 or -1: `float(-(a < b))`.
//
// LLVM knows the integer -1 of a comparison as a number of one bit with a sign. When such a number becomes a float,
// LLVM 14 makes PTX that gives +1, unless the flag comes from a single comparison.
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language, optimised. Conversions of signed flags become choices between -1.0 and 0.0.
[[nodiscard]] std::string with_signed_flags(const std::string& code);

}  // namespace teslasim::cuda
