// SPDX-License-Identifier: Apache-2.0
// The passes over the intermediate form, in their order; the form is verified after each.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compiler/compile_options.h"
#include "frontend/compiler/ir.h"
#include "frontend/ptx/ptx_lexer.h"

namespace teslasim::compiler {

/// What passes may report, and where their results are printed.
struct PassContext {
  const CompileOptions& options;
  std::vector<ptx::PtxMistake>& mistakes;
  std::vector<ptx::PtxMistake>& warnings;
  std::string& printed;
};

void run_passes(IrFunction& function, const PassContext& context);

[[nodiscard]] std::vector<std::string_view> names_of_passes();

}  // namespace teslasim::compiler
