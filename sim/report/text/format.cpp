// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace teslasim {

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string percent(double part, double whole) {
  if (whole <= 0.0) return "-";
  return fmt::format("{:.1f} %", 100.0 * part / whole);
}

std::string milliseconds_number(double value) {
  constexpr int most_decimals = 9;
  int decimals = 3;
  const double size = std::abs(value);
  for (double limit = 1.0; size > 0.0 && size < limit && decimals < most_decimals; limit /= 10.0) ++decimals;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string milliseconds(double value) {
  return milliseconds_number(value) + " ms";
}

std::string with_prefix(double value) {
  constexpr std::array<std::pair<double, const char*>, 3> prefixes{{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [unit, name] : prefixes) {
    if (value >= unit) return fmt::format("{:.2f}{}", value / unit, name);
  }
  return fmt::format("{:.0f}", value);
}

std::string digest_text(std::uint64_t digest) {
  return fmt::format("{:016x}", digest);
}

std::string digest_groups(std::uint64_t digest) {
  const std::string text = digest_text(digest);
  return text.substr(0, 4) + ' ' + text.substr(4, 4) + ' ' + text.substr(8, 4) + ' ' + text.substr(12, 4);
}

std::size_t columns(std::string_view text) {
  const auto starts_code_point = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  const std::size_t kept = width > 3 ? width - 3 : 0;
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    const bool starts = (static_cast<unsigned char>(text[end]) & 0xc0U) != 0x80U;
    if (starts && seen++ == kept) break;
  }
  return std::string(text.substr(0, end)) + "...";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (used != 0 && used + 1 + columns(word) > width) {
      lines.erase(lines.find_last_not_of(' ') + 1);  // a double space at the end of a line
      lines += '\n' + std::string(indent, ' ');
      used = 0;
    }
    if (used != 0) lines += ' ';
    lines += word;
    used += (used != 0 ? 1 : 0) + columns(word);
  }
  return lines;
}

}  // namespace teslasim
