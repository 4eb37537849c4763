// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/padded_loads.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/clang/llvm_lines.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

/// "getelementptr inbounds %struct.float4, %struct.float4* %p, i64 %i, i32 2": all but the last number.
struct LoadedMember {
  std::string structure{};  ///< the text before the number
  unsigned number = 0;
};

/// What is loaded of one structure in a block.
struct LoadedStructure {
  unsigned members = 0;  ///< a bit for each
  bool aligned = false;
  std::string element{};
  std::size_t last = 0;  ///< the line of the last load
};

class PaddingRewriter {
 public:
  std::string rewritten(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) note_type(line);
    for (const std::string& line : lines) {
      if (line.starts_with("define ")) members_.clear();
      if (!line.starts_with("  ")) end_block();
      note_member(line);
      note_load(line);
      block_.push_back(line);
    }
    end_block();
    return std::move(result_);
  }

 private:
  void note_type(const std::string& line) {
    const std::size_t at = line.find(" = type ");
    if (!line.starts_with('%') || at == std::string::npos) return;
    const std::string members = line.substr(at + 8);
    if (members == "{ float, float, float, float }" || members == "{ i32, i32, i32, i32 }")
      types_.insert(line.substr(0, at));
  }

  void note_member(const std::string& line) {
    constexpr std::string_view is = " = getelementptr inbounds ";
    const std::size_t at = line.find(is), number = line.find(", i32 ", line.rfind(", i32 "));
    if (!line.starts_with("  %") || at == std::string::npos || number == std::string::npos) return;
    const std::size_t type = at + is.size();
    const char digit = line[number + 6];
    if (!types_.contains(line.substr(type, line.find(',', type) - type)) || digit < '0' || digit > '3') return;
    const std::string structure = line.substr(type, number - type);
    if (structure.find("addrspace(") != std::string::npos) return;  // all but global memory, which kernels are given
    members_[line.substr(2, at - 2)] = {structure, static_cast<unsigned>(digit - '0')};
  }

  void note_load(const std::string& line) {
    const std::optional<LoadLine> load = load_line(line);
    if (!load) return;
    const auto member = members_.find(std::string(load->address));
    if (member == members_.end()) return;
    LoadedStructure& loaded = loaded_[member->second.structure];
    loaded.members |= 1U << member->second.number;
    loaded.aligned = loaded.aligned || (member->second.number == 0 && load->alignment >= widest_access);
    loaded.element = load->type;
    loaded.last = block_.size();
  }

  /// Writes the block. What keeps the fourth words stands at its end: llc makes no vector across it.
  void end_block() {
    std::map<std::size_t, std::string> behind;
    std::string keepers;
    constexpr unsigned first_three = 7;
    for (const auto& [structure, loaded] : loaded_) {
      if (loaded.members != first_three || !loaded.aligned) continue;
      const std::string& element = loaded.element;
      const unsigned number = number_++;
      behind[loaded.last] += fmt::format(
          "  %teslasim.fourth{0} = getelementptr inbounds {1}, i32 3\n"
          "  %teslasim.padding{0} = load {2}, {2}* %teslasim.fourth{0}, align 4{3}\n",
          number, structure, element, debug_suffix(block_[loaded.last]));
      keepers += fmt::format("  call void asm sideeffect \"\", \"{}\"({} %teslasim.padding{}){}\n",
                             element == "float" ? 'f' : 'r', element, number, debug_suffix(block_[loaded.last]));
    }
    const std::size_t branch = start_of_branch();
    for (std::size_t i = 0; i < block_.size(); ++i) {
      if (i == branch) result_ += keepers;
      result_ += block_[i] + '\n';
      if (const auto found = behind.find(i); found != behind.end()) result_ += found->second;
    }
    block_.clear();
    loaded_.clear();
  }

  /// The line on which the end of the block begins: the table of a switch takes several.
  [[nodiscard]] std::size_t start_of_branch() const {
    std::size_t line = block_.size();
    while (line > 0 && !block_[line - 1].starts_with("  ")) --line;
    if (line == 0) return 0;
    --line;
    if (block_[line].starts_with("  ]")) {
      while (line > 0 && !block_[line].starts_with("  switch ")) --line;
    }
    return line;
  }

  std::set<std::string> types_{};
  std::map<std::string, LoadedMember> members_{};    ///< by the name of the pointer to it
  std::map<std::string, LoadedStructure> loaded_{};  ///< by structure
  std::vector<std::string> block_{};
  std::string result_{};
  unsigned number_ = 0;
};

}  // namespace

std::string with_padded_loads(const std::string& code) {
  return PaddingRewriter().rewritten(lines_of(code));
}

}  // namespace teslasim::cuda
