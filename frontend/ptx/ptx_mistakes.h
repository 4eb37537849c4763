// SPDX-License-Identifier: Apache-2.0
// What is wrong with a PTX file, while it is collected and as messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/ptx_tree.h"
#include "sim/base/diagnostic.h"

namespace teslasim::ptx {

/// A mistake at a place; the reader, the checker and the compiler collect them.
struct PtxMistake {
  PtxPlace place;
  std::string code, message, help;
};

/// After these the rest of a file is not read or not checked.
inline constexpr std::size_t most_ptx_mistakes = 1000;

/// `text` is that of `file`, of which the line is shown; empty when it is not at hand.
[[nodiscard]] Diagnostic diagnostic_of(const PtxMistake& mistake, Diagnostic::Severity severity,
                                       const std::string& file, std::string_view text);

/// Throws an InputError with all of them when there are any.
void throw_mistakes(const std::vector<PtxMistake>& mistakes, const std::string& file, std::string_view text);

}  // namespace teslasim::ptx
