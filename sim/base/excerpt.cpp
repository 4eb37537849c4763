// SPDX-License-Identifier: Apache-2.0
#include "sim/base/excerpt.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/utf8.h"

namespace teslasim {

namespace {

constexpr std::string_view cut_mark = "…";
constexpr unsigned widest_excerpt = 100;
constexpr unsigned columns_before_caret = 40;
constexpr std::size_t longest_word = 240;
constexpr std::size_t longest_sentence = 4000;

std::string_view character_at(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(offset);
  return rest.substr(0, std::max<std::size_t>(1, bytes_of_character(rest)));
}

/// One character as it is printed.
struct Cell {
  std::string text;
  unsigned columns = 1;
};

/// The characters of a line around its caret; of a long line no more than could be shown.
struct Strip {
  std::vector<Cell> cells;
  std::size_t caret = 0;  ///< index of its cell; one behind the last at the end of the line
  bool cut_before = false, cut_behind = false;
};

/// `wanted`, or the number of characters of the line when it has fewer.
std::size_t characters_before(std::string_view line, std::size_t wanted) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < line.size() && characters < wanted; ++characters) i += character_at(line, i).size();
  return characters;
}

Strip strip_around(std::string_view line, std::uint32_t column) {
  const std::size_t caret = characters_before(line, std::max<std::uint32_t>(column, 1) - 1);
  const std::size_t first = caret - std::min<std::size_t>(caret, widest_excerpt);
  Strip strip;
  strip.caret = caret - first;
  strip.cut_before = first > 0;
  std::size_t number = 0;
  for (std::size_t i = 0; i < line.size(); ++number) {
    const std::string_view character = character_at(line, i);
    strip.cut_behind = number > caret + widest_excerpt;
    if (strip.cut_behind) break;
    if (number >= first) strip.cells.push_back({printable_character(character), terminal_columns(character)});
    i += character.size();
  }
  return strip;
}

/// The cells that are shown: all of them, or as many as fit around the caret.
std::pair<std::size_t, std::size_t> window_of(const Strip& strip) {
  const std::vector<Cell>& cells = strip.cells;
  unsigned all = 0;
  for (const Cell& cell : cells) all += cell.columns;
  if (all <= widest_excerpt && !strip.cut_before && !strip.cut_behind) return {0, cells.size()};
  std::size_t begin = strip.caret, end = strip.caret;
  unsigned columns = 0;
  while (begin > 0 && columns < columns_before_caret) columns += cells[--begin].columns;
  while (end < cells.size() && columns < widest_excerpt) columns += cells[end++].columns;
  while (begin > 0 && columns < widest_excerpt) columns += cells[--begin].columns;
  return {begin, end};
}

/// `text` without its middle, where it is longer than `longest`; characters stay whole.
std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  const std::size_t part = longest / 2;
  const auto continues = [text](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U; };
  std::size_t head = part, tail = text.size() - part;
  while (head > 0 && continues(head)) --head;
  while (tail < text.size() && continues(tail)) ++tail;
  return std::string(text.substr(0, head)) + std::string(cut_mark) + std::string(text.substr(tail));
}

}  // namespace

Excerpt excerpt_of(std::string_view line, std::uint32_t column, std::uint32_t length) {
  const Strip strip = strip_around(line, column);
  const auto [begin, end] = window_of(strip);
  const bool cut_before = strip.cut_before || begin > 0, cut_behind = strip.cut_behind || end < strip.cells.size();
  Excerpt result;
  if (cut_before) result.line += cut_mark;
  for (std::size_t i = begin; i < end; ++i) result.line += strip.cells[i].text;
  if (cut_behind) result.line += cut_mark;
  if (column == 0) return result;
  if (cut_before) result.carets += ' ';
  for (std::size_t i = begin; i < strip.caret; ++i) {
    const Cell& cell = strip.cells[i];
    result.carets += cell.text == "\t" ? "\t" : std::string(cell.columns, ' ');
  }
  unsigned width = 0;
  const std::size_t last = std::min(strip.caret + length, end);
  for (std::size_t i = strip.caret; i < last; ++i) width += strip.cells[i].columns;
  result.carets.append(std::max(width, 1U), '^');
  return result;
}

std::string readable(std::string_view sentence) {
  std::string words;
  for (std::size_t i = 0; i < sentence.size();) {
    const std::size_t end = std::min(sentence.find_first_of(" \n", i), sentence.size());
    words += printable(shortened(sentence.substr(i, end - i), longest_word));
    if (end < sentence.size()) words += sentence[end];
    i = end + 1;
  }
  return shortened(words, longest_sentence);
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = character_at(text, i);
    result += printable_character(character);
    i += character.size();
  }
  return result;
}

std::string printable_lines(std::string_view text) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) && c != '\n' && c != '\r' && c != '\t';
  };
  if (first_not_utf8(text) == std::string_view::npos && std::none_of(text.begin(), text.end(), is_control))
    return std::string(text);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = character_at(text, i);
    const bool line_end = character == "\n" || character == "\r";
    result += line_end ? std::string(character) : printable_character(character);
    i += character.size();
  }
  return result;
}

}  // namespace teslasim
