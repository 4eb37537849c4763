// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/whole_structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/clang/llvm_lines.h"
#include "frontend/clang/llvm_types.h"

namespace teslasim::cuda {
namespace {

/// What a structure is moved as; "" when it stays in pieces.
struct WholeType {
  std::string name{};
  std::uint64_t bytes = 0;
  bool small_members = false;  ///< of less than 32 bits
};

std::string name_of(const LlvmType& number) {
  if (number.kind == LlvmType::Kind::integer) return fmt::format("i{}", 8 * number.bytes);
  return number.bytes == sizeof(double) ? "double" : "float";
}

WholeType whole_type(const LlvmType& structure) {
  constexpr std::uint64_t word = 4, widest_integer = 8;
  const std::vector<LlvmType>& members = structure.members;
  if (structure.kind != LlvmType::Kind::structure || members.size() < 2) return {};
  if (!std::has_single_bit(structure.bytes) || structure.bytes > widest_access) return {};
  std::uint64_t smallest = widest_access, largest = 0, sum = 0;
  for (const LlvmType& member : members) {
    if (member.kind != LlvmType::Kind::integer && member.kind != LlvmType::Kind::real) return {};
    smallest = std::min(smallest, member.bytes);
    largest = std::max(largest, member.bytes);
    sum += member.bytes;
  }
  if (sum != structure.bytes) return {};  // there are gaps in it
  if (largest < word && sum <= widest_integer) return {fmt::format("i{}", 8 * sum), sum, true};
  if (smallest < word) return {};
  const bool same = std::all_of(members.begin(), members.end(),
                                [&](const LlvmType& one) { return name_of(one) == name_of(members.front()); });
  return {
      same ? fmt::format("<{} x {}>", members.size(), name_of(members.front())) : fmt::format("<{} x i32>", sum / word),
      sum, false};
}

class StructureRewriter {
 public:
  explicit StructureRewriter(const std::string& code) : types_(code) {}

  std::string rewritten(const std::string& line) {
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
    LlvmCursor name{to->second.structure};
    const std::optional<LlvmType> structure = types_.take(name);
    const WholeType type = structure ? whole_type(*structure) : WholeType{};
    if (type.name.empty() || call.bytes != type.bytes || call.to.alignment < type.bytes ||
        call.from->alignment < type.bytes)
      return line;
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

  LlvmTypes types_;
  std::set<std::string> variables_{};
  std::map<std::string, Pointer> pointers_{};  ///< by name, to bytes
  unsigned number_ = 0;
};

}  // namespace

std::string with_whole_structures(const std::string& code) {
  if (code.find("@llvm.memcpy") == std::string::npos) return code;
  StructureRewriter rewriter(code);
  return with_each_line(code, [&rewriter](const std::string& line) { return rewriter.rewritten(line); });
}

}  // namespace teslasim::cuda
