// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/shell_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace teslasim {
namespace {

bool is_plain(unsigned char character) {
  constexpr std::string_view signs = "_./=:+,-";
  return character < 0x80U &&
         (std::isalnum(character) != 0 || signs.find(static_cast<char>(character)) != std::string_view::npos);
}

bool is_control(unsigned char character) {
  return character < 0x20U || character == 0x7fU;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  // Within '...' everything but ' stands for itself, a line end too, but then the command is more than a line.
  const bool escapes = std::any_of(word.begin(), word.end(), is_control);
  std::string text = escapes ? "$'" : "'";
  for (const char character : word) {
    if (is_control(static_cast<unsigned char>(character))) {
      text += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(character)));
    } else if (character == '\'') {
      text += escapes ? "\\'" : "'\\''";
    } else {
      if (escapes && character == '\\') text += '\\';
      text += character;
    }
  }
  return text + "'";
}

}  // namespace teslasim
