// SPDX-License-Identifier: Apache-2.0
// Words for command lines that are written into files.
#pragma once

#include <string>
#include <string_view>

namespace teslasim {

/// `word` so that bash and zsh read exactly it, on one line whatever it has: plain, 'quoted', or $'with\nescapes'.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace teslasim
