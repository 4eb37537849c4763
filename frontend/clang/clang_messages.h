// SPDX-License-Identifier: Apache-2.0
// What clang says, in this program's form: code, place, line of the source with a caret.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim::cuda {

/// How files are called in messages.
struct MessageFiles {
  std::string source;   ///< as the user named it; it stands where clang names no file
  std::string full;     ///< the same as clang was given it
  std::string headers;  ///< folder of the program's own: their places mean nothing to the user and are left out
};

/// The messages of a text such as `k.cu:3:7: error: use of undeclared identifier 'y'`, each with its notes. Errors have
/// the code CUDA-SOURCE, warnings CUDA-WARNING. Lines that are neither are left out.
[[nodiscard]] std::vector<Diagnostic> clang_diagnostics(std::string_view text, const MessageFiles& files);

/// The same when clang refused: a text without an error becomes one that quotes it.
[[nodiscard]] std::vector<Diagnostic> clang_errors(std::string_view text, const MessageFiles& files);

}  // namespace teslasim::cuda
