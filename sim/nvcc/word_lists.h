// SPDX-License-Identifier: Apache-2.0
// Words within a value, and within the files that -optf names.
#pragma once

#include <string>
#include <vector>

namespace teslasim::nvcc {

/// nvcc cuts lists at commas; people write blanks too. CMake's FindCUDA puts quotes around each word, which nvcc's
/// shell takes away.
[[nodiscard]] std::vector<std::string> list_of(const std::string& value);

/// The words with those of options files in the places of -optf. Throws InputError (usage, CLI-VALUE) for a file that
/// cannot be read, or that leads to itself.
[[nodiscard]] std::vector<std::string> with_options_files(const std::vector<std::string>& words);

}  // namespace teslasim::nvcc
