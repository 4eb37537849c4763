// SPDX-License-Identifier: Apache-2.0
#include "sim/base/json_text.h"

#include <cstddef>

namespace teslasim {
namespace {

/// The index behind the string that begins at `start`, a quotation mark.
std::size_t behind_string(std::string_view text, std::size_t start) {
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

}  // namespace

std::string_view shallow_json(std::string_view text) {
  constexpr std::size_t deepest = 100;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char letter = text[i];
    if (letter == '"') {
      i = behind_string(text, i);
      continue;
    }
    if ((letter == '{' || letter == '[') && ++depth > deepest) return text.substr(0, i);
    if ((letter == '}' || letter == ']') && depth > 0) --depth;
    ++i;
  }
  return text;
}

}  // namespace teslasim
