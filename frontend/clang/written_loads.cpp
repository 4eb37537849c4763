// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/written_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/clang/llvm_lines.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

/// The operation of "  %5 = lshr i32 %3, 16"; "" for others.
std::string_view operation_of(std::string_view line) {
  constexpr std::string_view is = " = ";
  const std::size_t at = line.find(is);
  if (!line.starts_with("  %") || at == std::string_view::npos) return "";
  const std::size_t start = at + is.size();
  return line.substr(start, line.find(' ', start) - start);
}

bool cuts(std::string_view operation) {
  constexpr std::array cutting{"and", "trunc", "lshr", "ashr", "shl"};
  return std::find(cutting.begin(), cutting.end(), operation) != cutting.end();
}

bool is_part_of_name(char letter) {
  return letter == '.' || letter == '_' || letter == '-' || letter == '$' || (letter >= '0' && letter <= '9') ||
         (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/// Lines in which each value of a function is named, the first is where it is made.
using NamePlaces = std::map<std::string_view, std::vector<std::size_t>>;

void note_names(std::string_view line, std::size_t number, NamePlaces& places) {
  for (std::size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < line.size() && is_part_of_name(line[end])) ++end;
    std::vector<std::size_t>& found = places[line.substr(at, end - at)];
    if (found.empty() || found.back() != number) found.push_back(number);
  }
}

class LoadRewriter {
 public:
  void write(const std::vector<std::string>& function, std::string& result) {
    NamePlaces places;
    for (std::size_t i = 0; i < function.size(); ++i) note_names(function[i], i, places);
    for (const std::string& line : function) {
      const std::optional<LoadLine> load = load_line(line);
      const char kept_in = load ? register_of(load->type) : ' ';
      const auto used = load ? places.find(load->result) : places.end();
      const bool is_cut = kept_in != ' ' && used != places.end() && used->second.size() == 2 &&
                          cuts(operation_of(function[used->second[1]]));
      result += is_cut ? whole(line, *load, kept_in) : line;
      result += '\n';
    }
  }

 private:
  /// In inline assembly; ' ' for others.
  static char register_of(std::string_view type) {
    if (type == "i16") return 'h';
    if (type == "i32") return 'r';
    return type == "i64" ? 'l' : ' ';
  }

  std::string whole(const std::string& line, const LoadLine& load, char kept_in) {
    const std::string loaded = fmt::format("%teslasim.loaded{}", number_++);
    return fmt::format("  {}{}\n  {} = call {} asm \"mov.b{} $0, $1;\", \"={},{}\"({} {}){}", loaded,
                       line.substr(2 + load.result.size()), load.result, load.type, load.type.substr(1), kept_in,
                       kept_in, load.type, loaded, debug_suffix(line));
  }

  unsigned number_ = 0;
};

}  // namespace

std::string with_written_loads(const std::string& code) {
  LoadRewriter rewriter;
  std::string result;
  std::vector<std::string> function;
  for (std::string& line : lines_of(code)) {
    if (line.starts_with("define ") || !function.empty()) {
      function.push_back(std::move(line));
      if (function.back() != "}") continue;
      rewriter.write(function, result);
      function.clear();
    } else {
      result += line;
      result += '\n';
    }
  }
  return result;
}

}  // namespace teslasim::cuda
