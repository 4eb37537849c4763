// SPDX-License-Identifier: Apache-2.0
#include "encoding_corpus.h"

#include <fstream>

namespace teslasim {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::uint32_t word(const std::string& digits) {
  constexpr int hexadecimal = 16;
  return digits.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(digits, nullptr, hexadecimal));
}

/// What envydis says, without its remark on bits it has no name for.
std::string meaning(std::string text) {
  if (const auto start = text.find(" [unknown"); start != std::string::npos) text.erase(start);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

std::vector<KnownWords> read(const std::string& path, std::size_t words_column, std::size_t text_column) {
  std::ifstream file(std::string(TESLASIM_SOURCE_DIR) + "/../shared/cubins/" + path);
  std::vector<KnownWords> rows;
  std::string line;
  bool heading = true;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (heading) {
      heading = false;
      continue;
    }
    const std::vector<std::string> fields = split(line);
    std::string place;
    for (std::size_t i = 0; i < words_column; ++i) place += fields[i] + " ";
    rows.push_back({place, word(fields[words_column]), word(fields[words_column + 1]), meaning(fields[text_column])});
  }
  return rows;
}

}  // namespace

std::vector<KnownWords> decuda_corpus() {
  return read("decuda/golden.tsv", 3, 7);
}
std::vector<KnownWords> instruction_forms() {
  return read("synthetic.tsv", 2, 4);
}

}  // namespace teslasim
