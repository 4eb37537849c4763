// SPDX-License-Identifier: Apache-2.0
// What clang says, in this program's form: code, place, line of the source with a caret.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim::cuda {

/// The messages of a text such as `k.cu:3:7: error: use of undeclared identifier 'y'`, each with its notes. Errors have
/// the code CUDA-SOURCE, warnings CUDA-WARNING. Lines that are neither are left out; a text with none of them becomes
/// one error that quotes it.
///
/// `source` is the file as the user named it, `full` as clang was given it. Files below `headers` are the program's
/// own: their places mean nothing to the user and are left out.
[[nodiscard]] std::vector<Diagnostic> clang_diagnostics(std::string_view text, const std::string& source,
                                                        const std::string& full, const std::string& headers);

}  // namespace teslasim::cuda
