// SPDX-License-Identifier: Apache-2.0
// Any file with code to a Module: the readers of this folder, chosen by what the file contains, not by its name.
//
// Knows: text cubins (`architecture {sm_10}`), ELF cubins, either of them inside host executables, objects and fat
// binaries, assembly text, and PTX, which is compiled. `read_module` also knows CUDA C, by its name (.cu).
// Errors: InputError (exit code `input`): INPUT-FILE when the file cannot be read, INPUT-FORMAT when no reader knows
// it, and whatever the reader finds.
#pragma once

#include <string>
#include <string_view>

#include "frontend/read_options.h"
#include "isa/program.h"

namespace teslasim {

/// Reads the file at `path`.
[[nodiscard]] Module read_module(const std::string& path, const ReadOptions& options = {});

/// The same for bytes at hand; `path` is for messages and becomes Module::path.
[[nodiscard]] Module read_module_bytes(const std::string& path, std::string_view bytes,
                                       const ReadOptions& options = {});

}  // namespace teslasim
