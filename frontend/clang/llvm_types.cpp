// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/llvm_types.h"

#include <algorithm>
#include <charconv>

namespace teslasim::cuda {
namespace {

constexpr unsigned deepest_type = 64;
constexpr std::uint64_t pointer_bytes = 8;
/// No variable is larger: sizes of text that is damaged must not wrap around.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32U;

std::uint64_t aligned_to(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

bool is_in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '$' || c == '-' || c == '+';
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<LlvmType> scalar(std::string_view word) {
  using Kind = LlvmType::Kind;
  if (word == "half") return LlvmType{Kind::real, 2, 2};
  if (word == "float") return LlvmType{Kind::real, 4, 4};
  if (word == "double") return LlvmType{Kind::real, 8, 8};
  if (!word.starts_with("i")) return std::nullopt;
  const std::optional<std::uint64_t> bits = whole_number(word.substr(1));
  for (const std::uint64_t bytes : {1U, 2U, 4U, 8U}) {
    if (bits && *bits <= 8 * bytes) return LlvmType{Kind::integer, bytes, bytes};
  }
  return std::nullopt;
}

}  // namespace

void LlvmCursor::skip_blanks() {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}
bool LlvmCursor::is(std::string_view word) {
  skip_blanks();
  return text.starts_with(word);
}
bool LlvmCursor::accept(std::string_view word) {
  if (!is(word)) return false;
  text.remove_prefix(word.size());
  return true;
}
std::string_view LlvmCursor::take_word() {
  skip_blanks();
  std::size_t end = 0;
  while (end < text.size() && is_in_word(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}
std::string LlvmCursor::take_name() {
  if (!is("\"")) return std::string(take_word());
  const std::size_t end = std::min(text.find('"', 1), text.size() - 1) + 1;
  const std::string name(text.substr(0, end));
  text.remove_prefix(end);
  return name;
}
std::optional<std::uint64_t> LlvmCursor::take_size() {
  return whole_number(take_word());
}

LlvmTypes::LlvmTypes(std::string_view module) {
  constexpr std::string_view mark = " = type ";
  while (!module.empty()) {
    const std::string_view line = module.substr(0, module.find('\n'));
    module.remove_prefix(std::min(line.size() + 1, module.size()));
    const std::size_t at = line.starts_with("%") ? line.find(mark) : std::string_view::npos;
    if (at != std::string_view::npos)
      named_.try_emplace(std::string(line.substr(1, at - 1)), line.substr(at + mark.size()));
  }
}

std::optional<LlvmType> LlvmTypes::take(LlvmCursor& cursor, unsigned depth) const {
  if (depth > deepest_type) return std::nullopt;
  std::optional<LlvmType> type = take_plain(cursor, depth);
  bool called = false;  // a type of functions: the result before the list of parameters
  for (;;) {
    if (cursor.accept("addrspace(")) {
      if (!cursor.take_size() || !cursor.accept(")")) return std::nullopt;
    } else if (cursor.accept("*")) {
      type = LlvmType{LlvmType::Kind::pointer, pointer_bytes, pointer_bytes};
      called = false;
    } else if (cursor.is("(")) {
      const std::size_t end = cursor.text.find(')');
      if (end == std::string_view::npos || cursor.text.substr(1, end).find('(') != std::string_view::npos)
        return std::nullopt;
      cursor.text.remove_prefix(end + 1);
      called = true;
    } else {
      return called ? std::nullopt : type;
    }
  }
}

std::optional<LlvmType> LlvmTypes::take_plain(LlvmCursor& cursor, unsigned depth) const {
  if (cursor.accept("[")) return take_sequence(cursor, ']', depth);
  if (cursor.accept("<{")) return take_structure(cursor, true, depth);
  if (cursor.accept("<")) return take_sequence(cursor, '>', depth);
  if (cursor.accept("{")) return take_structure(cursor, false, depth);
  if (!cursor.accept("%")) return scalar(cursor.take_word());
  const std::string name = cursor.take_name();
  // A structure may have pointers to itself; those have a size without it.
  if (cursor.is("*") || cursor.is("addrspace(")) return std::nullopt;
  const auto found = named_.find(name);
  if (found == named_.end()) return std::nullopt;
  LlvmCursor body{found->second};
  return take(body, depth + 1);
}

/// `N x T]`: an array, or a vector.
std::optional<LlvmType> LlvmTypes::take_sequence(LlvmCursor& cursor, char end, unsigned depth) const {
  const std::optional<std::uint64_t> elements = cursor.take_size();
  if (!elements || !cursor.accept("x")) return std::nullopt;
  std::optional<LlvmType> element = take(cursor, depth + 1);
  if (!element || !cursor.accept(std::string_view(&end, 1)) || *elements > most_bytes) return std::nullopt;
  LlvmType type{LlvmType::Kind::array, *elements * element->bytes, element->alignment, *elements};
  if (type.bytes > most_bytes) return std::nullopt;
  if (end == '>') type.alignment = std::max<std::uint64_t>(1, type.bytes);
  type.members.push_back(std::move(*element));
  return type;
}

std::optional<LlvmType> LlvmTypes::take_structure(LlvmCursor& cursor, bool packed, unsigned depth) const {
  LlvmType type{LlvmType::Kind::structure, 0, 1};
  const std::string_view end = packed ? "}>" : "}";
  while (!cursor.accept(end)) {
    if (!type.members.empty() && !cursor.accept(",")) return std::nullopt;
    std::optional<LlvmType> member = take(cursor, depth + 1);
    if (!member) return std::nullopt;
    const std::uint64_t alignment = packed ? 1 : member->alignment;
    type.offsets.push_back(aligned_to(type.bytes, alignment));
    type.bytes = type.offsets.back() + member->bytes;
    type.alignment = std::max(type.alignment, alignment);
    type.members.push_back(std::move(*member));
    if (type.bytes > most_bytes) return std::nullopt;
  }
  type.bytes = aligned_to(type.bytes, type.alignment);
  return type;
}

}  // namespace teslasim::cuda
