// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "sim/base/command_files.h"

namespace teslasim {

TextFile read_text_file(const std::string& path, std::size_t largest, FileOwner owner) {
  if (owner == FileOwner::user) note_input(path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return {{}, "it is a directory"};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return {{}, std::generic_category().message(errno != 0 ? errno : EIO)};
  TextFile result;
  std::vector<char> block(std::size_t{64} << 10U);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    result.text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (result.text.size() > largest) return {{}, "it is larger than " + std::to_string(largest) + " bytes"};
  }
  if (file.bad()) return {{}, "reading failed"};
  if (is_utf16(result.text)) return {{}, "it is text in UTF-16; save it as UTF-8"};
  result.text.erase(0, byte_order_mark_bytes(result.text));
  return result;
}

std::size_t byte_order_mark_bytes(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? mark.size() : 0;
}

bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace teslasim
