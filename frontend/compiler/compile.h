// SPDX-License-Identifier: Apache-2.0
// PTX to a module of machine code.
#pragma once

#include <string>
#include <string_view>

#include "frontend/compiler/compile_options.h"
#include "frontend/ptx/ptx_tree.h"
#include "isa/program.h"

namespace teslasim::compiler {

struct Compilation {
  Module module{};        ///< with warnings; lines of instructions are those of .loc, or of the PTX text
  std::string printed{};  ///< what `print_after` asked for
};

/// All kernels of a checked module. `path` is the file that messages name, `text` its contents for excerpts. Throws
/// InputError (ExitCode::input) with all mistakes: PTX-UNSUPPORTED, PTX-SIZE, PTX-EXTERN, CUDA-GENERIC.
[[nodiscard]] Compilation compile_ptx(const ptx::PtxModule& ptx, const std::string& path, const CompileOptions& options,
                                      std::string_view text = {});

/// Names that `print_after` takes, "all" among them.
[[nodiscard]] std::string pass_names();
[[nodiscard]] bool is_pass_name(std::string_view name);

}  // namespace teslasim::compiler
