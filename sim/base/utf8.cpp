// SPDX-License-Identifier: Apache-2.0
#include "sim/base/utf8.h"

#include <algorithm>
#include <array>

namespace teslasim {

namespace {

constexpr char32_t last_ascii = 0x7f;
constexpr char32_t picture_of_delete = 0x2421;
constexpr char32_t first_picture = 0x2400;
constexpr std::string_view replacement = "\xef\xbf\xbd";

struct Range {
  char32_t first, last;
};

bool within(char32_t point, const auto& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [point](const Range& range) { return point >= range.first && point <= range.last; });
}

/// C1 control characters, and what hides text or changes its direction.
constexpr std::array<Range, 6> deceiving{
    {{0x80, 0x9f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}}};
/// Marks that stand on the character before, of the scripts in common use.
constexpr std::array<Range, 9> combining{{{0x300, 0x36f},
                                          {0x483, 0x489},
                                          {0x591, 0x5bd},
                                          {0x610, 0x61a},
                                          {0x64b, 0x65f},
                                          {0x1ab0, 0x1aff},
                                          {0x20d0, 0x20f0},
                                          {0xfe00, 0xfe0f},
                                          {0xfe20, 0xfe2f}}};
/// East Asian wide and fullwidth (Unicode annex 11), and emoji.
constexpr std::array<Range, 10> wide{{{0x1100, 0x115f},
                                      {0x2e80, 0x303e},
                                      {0x3041, 0x4dbf},
                                      {0x4e00, 0x9fff},
                                      {0xa000, 0xa4cf},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe30, 0xff60},
                                      {0x1f300, 0x1faff},
                                      {0x20000, 0x3fffd}}};

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// The code point of one well-formed character.
char32_t point_of(std::string_view character) {
  constexpr std::array<unsigned, 5> lead_bits{0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t point = byte_at(character, 0) & lead_bits.at(character.size());
  for (std::size_t i = 1; i < character.size(); ++i) point = point << 6U | (byte_at(character, i) & 0x3fU);
  return point;
}

/// A code point of three bytes, as the pictures of control characters are.
std::string encoded(char32_t point) {
  return {static_cast<char>(0xe0U | point >> 12U), static_cast<char>(0x80U | (point >> 6U & 0x3fU)),
          static_cast<char>(0x80U | (point & 0x3fU))};
}

}  // namespace

std::size_t bytes_of_character(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned lead = byte_at(text, 0);
  if (lead <= last_ascii) return 1;
  const std::size_t bytes = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80U) return 0;
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const char32_t point = point_of(text.substr(0, bytes));
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  return point < smallest.at(bytes) || surrogate || point > 0x10ffff ? 0 : bytes;
}

std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = byte_at(text, i) <= last_ascii ? 1 : bytes_of_character(text.substr(i));
    if (bytes == 0) return i;
    i += bytes;
  }
  return std::string_view::npos;
}

std::uint32_t column_of_offset(std::string_view line, std::size_t offset) {
  std::uint32_t column = 1;
  const std::size_t end = std::min(offset, line.size());
  for (std::size_t i = 0; i < end; ++column) i += std::max<std::size_t>(1, bytes_of_character(line.substr(i)));
  return column + static_cast<std::uint32_t>(offset - end);
}

std::string with_escaped_bytes(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const std::size_t good = std::min(first_not_utf8(text), text.size());
    result += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    result += {'\\', 'x', digits[byte_at(text, 0) >> 4U], digits[byte_at(text, 0) & 15U]};
    text.remove_prefix(1);
  }
  return result;
}

unsigned terminal_columns(std::string_view character) {
  if (character.size() < 2 || bytes_of_character(character) == 0) return 1;
  const char32_t point = point_of(character);
  if (within(point, combining)) return 0;
  return within(point, wide) ? 2 : 1;
}

std::string printable_character(std::string_view character) {
  if (character == "\t") return std::string(character);
  if (character.empty() || bytes_of_character(character) == 0) return std::string(replacement);
  const char32_t point = point_of(character);
  if (point < U' ') return encoded(first_picture + point);
  if (point == last_ascii) return encoded(picture_of_delete);
  return std::string(within(point, deceiving) ? replacement : character);
}

}  // namespace teslasim
