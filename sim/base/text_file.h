// SPDX-License-Identifier: Apache-2.0
// Reads the small text files that users write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

struct TextFile {
  std::string text;
  std::string error;  ///< why it could not be read, e.g. "No such file or directory"; empty when it was
};

constexpr std::size_t largest_text = std::size_t{16} << 20U;

/// Whose file it is: what a user names must not be written over by the same command (sim/base/command_files.h); a file
/// that the program keeps for itself may be read and then renewed.
enum class FileOwner : std::uint8_t { user, program };

/// Reads a file, pipe or device up to `largest` bytes; anything longer is an error, not a cut text. A byte order mark
/// of UTF-8 is left out, UTF-16 is an error. Throws InputError (usage, OUT-IS-INPUT) for a user's file that an option
/// names as output.
[[nodiscard]] TextFile read_text_file(const std::string& path, std::size_t largest = largest_text,
                                      FileOwner owner = FileOwner::user);

/// The lines of a text without their ends (LF or CR LF).
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// Bytes of the byte order mark (UTF-8) at the start of `text`: 3 or 0. For readers that do not use `read_text_file`.
[[nodiscard]] std::size_t byte_order_mark_bytes(std::string_view text);
[[nodiscard]] bool is_utf16(std::string_view text);

}  // namespace teslasim
