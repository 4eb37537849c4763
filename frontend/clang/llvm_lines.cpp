// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/llvm_lines.h"

#include <algorithm>
#include <array>
#include <vector>

#include "frontend/clang/llvm_types.h"

namespace teslasim::cuda {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  return LlvmCursor{text}.take_size();
}

/// The last word of "i64 16".
std::optional<std::uint64_t> constant_of(std::string_view argument) {
  return number_of(argument.substr(argument.rfind(' ') + 1));
}

/// What stands between the brackets that open at `open`, parted by commas outside of further brackets.
std::vector<std::string_view> arguments_of(std::string_view line, std::size_t open) {
  std::vector<std::string_view> arguments;
  std::size_t depth = 0, start = open + 1;
  for (std::size_t at = open; at < line.size(); ++at) {
    const char letter = line[at];
    if (letter == '(' || letter == '[' || letter == '{' || letter == '<') ++depth;
    const bool closes = letter == ')' || letter == ']' || letter == '}' || letter == '>';
    if (closes) --depth;
    if ((letter == ',' && depth == 1) || (closes && depth == 0)) {
      arguments.push_back(without_blanks(line.substr(start, at - start)));
      start = at + 1;
    }
    if (closes && depth == 0) break;
  }
  return arguments;
}

/// Takes the first word off.
std::string_view next_word(std::string_view& text) {
  const std::string_view found = text.substr(0, text.find(' '));
  text = without_blanks(text.substr(found.size()));
  return found;
}

}  // namespace

std::optional<PointerArgument> pointer_argument(std::string_view argument) {
  constexpr std::string_view byte = "i8";
  const std::size_t star = argument.find('*');
  if (!argument.starts_with(byte) || star == std::string_view::npos) return std::nullopt;
  PointerArgument pointer;
  pointer.space = argument.substr(byte.size(), star - byte.size());
  std::string_view rest = without_blanks(argument.substr(star + 1));
  constexpr std::array flags{"noundef", "nonnull", "noalias", "nocapture", "readonly", "writeonly"};
  while (true) {
    const std::string_view first = rest.substr(0, rest.find(' '));
    if (first == "align") {
      (void)next_word(rest);
      const std::optional<std::uint64_t> alignment = number_of(next_word(rest));
      if (!alignment) return std::nullopt;
      pointer.alignment = *alignment;
    } else if (first.starts_with("dereferenceable") || std::find(flags.begin(), flags.end(), first) != flags.end()) {
      (void)next_word(rest);
    } else {
      break;
    }
  }
  pointer.value = rest;
  return pointer;
}

std::optional<MemoryCall> memory_call(const std::string& line) {
  constexpr std::string_view copy = "call void @llvm.memcpy.", fill = "call void @llvm.memset.";
  const std::size_t copies = line.find(copy), fills = line.find(fill);
  const bool is_copy = copies != std::string::npos;
  if (!is_copy && fills == std::string::npos) return std::nullopt;
  const std::vector<std::string_view> arguments = arguments_of(line, line.find('(', is_copy ? copies : fills));
  if (arguments.size() != 4 || arguments[3] != "i1 false") return std::nullopt;
  const std::optional<std::uint64_t> bytes = constant_of(arguments[2]);
  const std::optional<PointerArgument> to = pointer_argument(arguments[0]);
  if (!bytes || !to) return std::nullopt;
  MemoryCall call{*to, std::nullopt, std::nullopt, *bytes};
  if (is_copy) {
    call.from = pointer_argument(arguments[1]);
    if (!call.from) return std::nullopt;
  } else {
    call.value = constant_of(arguments[1]);
  }
  return call;
}

std::optional<LoadLine> load_line(std::string_view line) {
  constexpr std::string_view is = " = load ", aligned = ", align ";
  const std::size_t at = line.find(is), comma = line.find(", ", at), star = line.find("* ", at);
  const std::size_t alignment = line.find(aligned, at);
  if (!line.starts_with("  %") || at == std::string_view::npos || comma > star || alignment == std::string_view::npos ||
      star > alignment)
    return std::nullopt;
  const std::size_t type = at + is.size(), digits = alignment + aligned.size();
  LoadLine load;
  load.result = line.substr(2, at - 2);
  load.type = line.substr(type, comma - type);
  load.address = line.substr(star + 2, alignment - star - 2);
  load.alignment = number_of(line.substr(digits, line.find(',', digits) - digits)).value_or(1);
  if (load.type.starts_with("volatile ") || load.type.starts_with("atomic ")) return std::nullopt;
  return load;
}

std::string debug_suffix(const std::string& line) {
  const std::size_t at = line.find(", !dbg !");
  return at == std::string::npos ? "" : line.substr(at, line.find(',', at + 1) - at);
}

}  // namespace teslasim::cuda
