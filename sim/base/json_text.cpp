// SPDX-License-Identifier: Apache-2.0
#include "sim/base/json_text.h"

#include <algorithm>
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

std::string json_problem_text(int number, std::string_view text) {
  constexpr int first_parse_error = 101, last_parse_error = 199, no_such_key = 403;
  if (number >= first_parse_error && number <= last_parse_error) {
    constexpr std::string_view mark = "parse error at ";
    const std::size_t place = text.find(mark);
    if (place == std::string_view::npos) return "it is not JSON";
    const std::string_view rest = text.substr(place + mark.size());
    return "it is not JSON at " + std::string(rest.substr(0, rest.find(':')));
  }
  const std::size_t open = text.find('\''), close = text.rfind('\'');
  if (number == no_such_key && open != close)
    return "the key " + std::string(text.substr(open, close - open + 1)) + " is missing";
  return "a value is of another kind";
}

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
