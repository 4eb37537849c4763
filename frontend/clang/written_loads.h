// SPDX-License-Identifier: Apache-2.0
// Words are loaded as wide as they are written.
//
// llc loads a byte where only a byte of a word is needed, as of `word & 255`. Which words a half-warp reads decides
// whether its accesses coalesce: bytes never do before compute capability 1.2 (NVIDIA 2009, CUDA programming guide 2.2,
// 5.1.2.1). NVIDIA's compiler loads the word (PTX of nvopencc, 2010, for postProcessGL of its SDK: `ld.shared.s32` with
// `and.b32` behind it).
#pragma once

#include <string>

namespace teslasim::cuda {

/// `code` is LLVM's intermediate language behind its passes. What is loaded only to be cut goes through an instruction
/// that llc does not look into, a move that our compiler takes away.
[[nodiscard]] std::string with_written_loads(const std::string& code);

}  // namespace teslasim::cuda
