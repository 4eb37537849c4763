// SPDX-License-Identifier: Apache-2.0
// A PTX kernel, with all that it calls inline, in the intermediate form.
#pragma once

#include <string>
#include <vector>

#include "frontend/compiler/compile_options.h"
#include "frontend/compiler/ir.h"
#include "frontend/compiler/module_layout.h"

namespace teslasim::compiler {

/// What translating a kernel needs to know about its module.
struct TranslationInput {
  const ptx::PtxModule& module;
  const std::vector<ptx::PtxModule>& runtime;  ///< functions that stand in for missing instructions
  const ModuleLayout& layout;
  const CompileOptions& options;
  std::uint32_t main_file = 0;  ///< number in .loc of the file whose lines are kept; 0: all
};

struct TranslatedKernel {
  IrFunction function{};
  KernelLayout layout{};
};

/// Fills parameters of `kernel`. Mistakes and warnings have places in the PTX file.
[[nodiscard]] TranslatedKernel translate(const TranslationInput& input, const ptx::PtxFunction& entry, Kernel& kernel,
                                         std::vector<ptx::PtxMistake>& mistakes,
                                         std::vector<ptx::PtxMistake>& warnings);

/// A function of the runtime library as code that kernels call, on `operands` words; it has one word as its result.
[[nodiscard]] IrFunction translate_routine(const TranslationInput& input, const std::string& name, unsigned operands);

}  // namespace teslasim::compiler
