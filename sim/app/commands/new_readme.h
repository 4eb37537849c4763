// SPDX-License-Identifier: Apache-2.0
// The README.md that `teslasim new` writes: commands that work in that folder, wherever it is moved.
#pragma once

#include <string>
#include <vector>

namespace teslasim {

/// How a shell finds this program: `teslasim` when it is in PATH, else where it is.
[[nodiscard]] std::string callable_program();
/// README.md for a folder with the examples `names`.
[[nodiscard]] std::string new_readme(const std::vector<std::string>& names);

}  // namespace teslasim
