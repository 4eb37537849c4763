// SPDX-License-Identifier: Apache-2.0
// What a kernel and its user say about registers and about the blocks it is launched with.
#pragma once

#include "frontend/compiler/compile_options.h"
#include "frontend/ptx/ptx_tree.h"

namespace teslasim::compiler {

struct RegisterLimits {
  unsigned most = 0;     ///< registers per thread
  unsigned threads = 0;  ///< per block at most; 0: unknown
};

/// -maxrregcount, or .maxnreg; .maxntid or .reqntid; .minnctapersm: so few registers that so many blocks fit.
[[nodiscard]] RegisterLimits register_limits(const ptx::PtxFunction& function, const CompileOptions& options);

}  // namespace teslasim::compiler
