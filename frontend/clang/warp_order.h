// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp hand each other values in shared memory without a barrier, as programs for these chips do: a warp
// runs in step, and operands are read from shared memory where they lie (NVIDIA 2010, Fermi compatibility guide,
// recollected: it asks for `volatile` on later chips only). LLVM knows one thread: it sees that `s[i]` and `s[i + 16]`
// are different words of that thread, moves the load up and drops the store between.
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language behind address spaces and inlining. Where a word of a shared variable is
/// loaded behind a store to another one, a constant away and with no barrier between, both become volatile. Of others
/// LLVM does not know that they are different.
[[nodiscard]] std::string with_warp_order(const std::string& code);

}  // namespace teslasim::cuda
