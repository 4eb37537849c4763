// SPDX-License-Identifier: Apache-2.0
// Text as UTF-8, for bytes that came from somewhere else. A byte that is not UTF-8 counts as a character of its own.
// Columns of SourceLocation count characters from 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace teslasim {

/// Bytes of the character that `text` begins with; 0 when it begins with none (or is empty).
[[nodiscard]] std::size_t bytes_of_character(std::string_view text);
/// Offset of the first byte that is not UTF-8; npos when all of them are.
[[nodiscard]] std::size_t first_not_utf8(std::string_view text);
/// The column of what stands `offset` bytes into `line`.
[[nodiscard]] std::uint32_t column_of_offset(std::string_view line, std::size_t offset);
/// Bytes that are not UTF-8 as \xHH, everything else as it is. Different names stay different.
[[nodiscard]] std::string with_escaped_bytes(std::string_view text);
/// Columns that a terminal takes for `character`: 0 (it combines with the one before), 1, or 2 (East Asian wide).
[[nodiscard]] unsigned terminal_columns(std::string_view character);
/// `character` as it may be printed: control characters as their pictures, what is no text or would hide or reorder
/// text as U+FFFD. Blanks, tabs and letters stay.
[[nodiscard]] std::string printable_character(std::string_view character);

}  // namespace teslasim
