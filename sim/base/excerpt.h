// SPDX-License-Identifier: Apache-2.0
// How text of the input is shown in messages: never wider than a screen, and nothing that a terminal would obey.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace teslasim {

/// A line, cut around a place, and what stands below it up to and with the carets.
struct Excerpt {
  std::string line;
  std::string carets;
};

/// `column` counts characters from 1 (0: no place, no carets); a column behind the end stands right behind the line.
[[nodiscard]] Excerpt excerpt_of(std::string_view line, std::uint32_t column, std::uint32_t length);

/// A sentence that may quote the input: control characters become visible, very long words and texts are shortened in
/// their middle. Line ends stay.
[[nodiscard]] std::string readable(std::string_view sentence);

/// `text` with its control characters (line ends too) made visible and its bytes that are not UTF-8 replaced, in full
/// length.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for texts of several lines: their line ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace teslasim
