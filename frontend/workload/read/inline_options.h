// SPDX-License-Identifier: Apache-2.0
// A launch given by options of the command line: the form for single kernels without a launch file.
//   --grid 64,64  --block 16,16  --param A=f32[1048576]:rand:1  --param n=1024  --check C=ref.npy  --tol 1e-4
// Each option is one line of a source text called "command line", so that errors point into the option's text.
// Errors: LAUNCH-INLINE (the form of an option), and those of launch files.
#pragma once

#include <string>
#include <vector>

#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"

namespace teslasim {

struct InlineLaunch {
  std::string kernel;                   ///< --kernel; empty: the only kernel
  std::string grid, block;              ///< "64,64"; also with x between the numbers
  std::vector<std::string> parameters;  ///< --param, in order
  std::vector<std::string> checks;      ///< --check
  std::string tolerance;                ///< --tol: absolute and relative tolerance of all checks
  std::string dynamic_shared_bytes;     ///< --dynamic-shared

  [[nodiscard]] bool any() const {
    return !grid.empty() || !block.empty() || !parameters.empty() || !checks.empty() || !tolerance.empty() ||
           !dynamic_shared_bytes.empty();
  }
};

/// The options as lines, in the order kernel, grid, block, dynamic-shared, params, checks, tol.
[[nodiscard]] SourceText inline_text(const InlineLaunch& options);
/// Reads the lines of `mistakes`, which must be those of `inline_text(options)`.
[[nodiscard]] WorkloadDraft read_inline_options(const InlineLaunch& options, MistakeList& mistakes);

}  // namespace teslasim
