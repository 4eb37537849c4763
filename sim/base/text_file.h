// SPDX-License-Identifier: Apache-2.0
// Reads the small text files that users write.
#pragma once

#include <cstddef>
#include <string>

namespace teslasim {

struct TextFile {
  std::string text;
  std::string error;  ///< why it could not be read, e.g. "No such file or directory"; empty when it was
};

/// Reads a file, pipe or device up to `largest` bytes; anything longer is an error, not a cut text.
[[nodiscard]] TextFile read_text_file(const std::string& path, std::size_t largest = std::size_t{16} << 20U);

}  // namespace teslasim
