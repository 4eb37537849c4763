// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/whole_structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/clang/llvm_lines.h"

namespace teslasim::cuda {
namespace {

/// Of "type { i8, i8 }"; empty for what has arrays or structures in it.
std::vector<std::string_view> members_of(std::string_view definition) {
  std::vector<std::string_view> members;
  const std::size_t open = definition.find("{ "), close = definition.find(" }");
  if (open == std::string_view::npos || close == std::string_view::npos) return members;
  for (std::size_t at = open + 2; at < close;) {
    const std::size_t end = std::min(definition.find(", ", at), close);
    members.push_back(definition.substr(at, end - at));
    at = end + 2;
  }
  return members;
}

std::uint64_t bytes_of(std::string_view member) {
  static const std::map<std::string_view, std::uint64_t> sizes{{"i8", 1},  {"i16", 2},   {"half", 2},  {"i32", 4},
                                                               {"i64", 8}, {"float", 4}, {"double", 8}};
  const auto found = sizes.find(member);
  return found == sizes.end() ? 0 : found->second;
}

/// The type that a structure of these members is moved as; "" when it is no such structure.
struct WholeType {
  std::string name{};
  std::uint64_t bytes = 0;
  bool small_members = false;  ///< of less than 32 bits
};
WholeType whole_type(const std::vector<std::string_view>& members) {
  WholeType whole;
  std::uint64_t smallest = widest_access, largest = 0;
  for (const std::string_view member : members) {
    const std::uint64_t bytes = bytes_of(member);
    if (bytes == 0) return {};
    smallest = std::min(smallest, bytes);
    largest = std::max(largest, bytes);
    whole.bytes += bytes;
  }
  constexpr std::uint64_t word = 4;
  const bool is_power = whole.bytes == 2 || whole.bytes == 4 || whole.bytes == 8 || whole.bytes == widest_access;
  if (members.size() < 2 || !is_power) return {};
  whole.small_members = largest < word;
  if (whole.small_members && whole.bytes <= 8) {
    whole.name = fmt::format("i{}", 8 * whole.bytes);
  } else if (smallest >= word) {
    const bool same = std::all_of(members.begin(), members.end(), [&](auto one) { return one == members.front(); });
    whole.name = same ? fmt::format("<{} x {}>", members.size(), members.front())
                      : fmt::format("<{} x i32>", whole.bytes / word);
  }
  return whole;
}

class StructureRewriter {
 public:
  std::string rewritten(const std::string& line) {
    if (line.starts_with("%struct.") || line.starts_with("%class.")) note_type(line);
    if (line.starts_with("define ")) {
      variables_.clear();
      pointers_.clear();
    }
    note_variable(line);
    note_pointer(line);
    const std::optional<MemoryCall> call = memory_call(line);
    return call && call->from ? copied(line, *call) : line;
  }

 private:
  struct Pointer {
    std::string structure;
    bool to_variable = false;  ///< of the thread
  };

  /// "%struct.uchar4 = type { i8, i8, i8, i8 }"
  void note_type(const std::string& line) {
    constexpr std::string_view is = " = type ";
    const std::size_t at = line.find(is);
    if (at == std::string::npos) return;
    const WholeType type = whole_type(members_of(std::string_view(line).substr(at + is.size())));
    if (!type.name.empty()) types_.emplace(line.substr(0, at), type);
  }

  /// "  %c = alloca %struct.uchar4, align 4"
  void note_variable(const std::string& line) {
    constexpr std::string_view is = " = alloca ";
    const std::size_t at = line.find(is);
    if (line.starts_with("  %") && at != std::string::npos) variables_.insert(line.substr(2, at - 2));
  }

  /// "  %4 = bitcast %struct.uchar4* %c to i8*, !dbg !12"
  void note_pointer(const std::string& line) {
    constexpr std::string_view is = " = bitcast ";
    const std::size_t at = line.find(is), star = line.find("* ", at), to = line.find(" to i8*", at);
    if (!line.starts_with("  %") || at == std::string::npos || star == std::string::npos || to == std::string::npos)
      return;
    const std::string structure = line.substr(at + is.size(), star - at - is.size());
    const std::string from = line.substr(star + 2, to - star - 2);
    pointers_[line.substr(2, at - 2)] = {structure, variables_.contains(from)};
  }

  std::string copied(const std::string& line, const MemoryCall& call) {
    const auto to = pointers_.find(std::string(call.to.value)), from = pointers_.find(std::string(call.from->value));
    if (to == pointers_.end() || from == pointers_.end() || to->second.structure != from->second.structure) return line;
    const auto found = types_.find(to->second.structure);
    if (found == types_.end()) return line;
    const WholeType& type = found->second;
    if (call.bytes != type.bytes || call.to.alignment < type.bytes || call.from->alignment < type.bytes) return line;
    const bool stores_variable = from->second.to_variable && !to->second.to_variable;
    if (!type.small_members && !stores_variable) return line;
    const std::string place = debug_suffix(line);
    const unsigned number = number_++;
    return fmt::format(
        "  %teslasim.from{0} = bitcast i8{2}* {3} to {1}{2}*\n"
        "  %teslasim.to{0} = bitcast i8{4}* {5} to {1}{4}*\n"
        "  %teslasim.whole{0} = load {1}, {1}{2}* %teslasim.from{0}, align {6}{7}\n"
        "  store {1} %teslasim.whole{0}, {1}{4}* %teslasim.to{0}, align {6}{7}",
        number, type.name, call.from->space, call.from->value, call.to.space, call.to.value, type.bytes, place);
  }

  std::map<std::string, WholeType> types_{};
  std::set<std::string> variables_{};
  std::map<std::string, Pointer> pointers_{};  ///< by name, to bytes
  unsigned number_ = 0;
};

}  // namespace

std::string with_whole_structures(const std::string& code) {
  if (code.find("@llvm.memcpy") == std::string::npos) return code;
  StructureRewriter rewriter;
  return with_each_line(code, [&rewriter](const std::string& line) { return rewriter.rewritten(line); });
}

}  // namespace teslasim::cuda
