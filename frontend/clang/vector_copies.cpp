// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/vector_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

constexpr std::uint64_t widest = 16, word = 4;  ///< bytes of an access of a thread, and of its parts

/// An argument of a call that points somewhere: "i8 addrspace(3)* nonnull align 16 %p".
struct Place {
  std::string_view space{};  ///< " addrspace(3)", or ""
  std::string_view value{};
  std::uint64_t alignment = 1;
};

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
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

std::optional<Place> place_of(std::string_view argument) {
  constexpr std::string_view byte = "i8";
  const std::size_t star = argument.find('*');
  if (!argument.starts_with(byte) || star == std::string_view::npos) return std::nullopt;
  Place place;
  place.space = argument.substr(byte.size(), star - byte.size());
  std::string_view rest = without_blanks(argument.substr(star + 1));
  constexpr std::array flags{"noundef", "nonnull", "noalias", "nocapture", "readonly", "writeonly"};
  while (true) {
    const std::string_view first = rest.substr(0, rest.find(' '));
    if (first == "align") {
      (void)next_word(rest);
      const std::optional<std::uint64_t> alignment = number_of(next_word(rest));
      if (!alignment) return std::nullopt;
      place.alignment = *alignment;
    } else if (first.starts_with("dereferenceable") || std::find(flags.begin(), flags.end(), first) != flags.end()) {
      (void)next_word(rest);
    } else {
      break;
    }
  }
  place.value = rest;
  return place;
}

/// The last word of "i64 16".
std::optional<std::uint64_t> constant_of(std::string_view argument) {
  return number_of(argument.substr(argument.rfind(' ') + 1));
}

class Rewriter {
 public:
  /// The line with other instructions in its place, or itself.
  std::string rewritten(const std::string& line) {
    constexpr std::string_view copy = "call void @llvm.memcpy.", fill = "call void @llvm.memset.";
    const std::size_t copies = line.find(copy), fills = line.find(fill);
    const bool is_copy = copies != std::string::npos;
    if (!is_copy && fills == std::string::npos) return line;
    const std::vector<std::string_view> arguments = arguments_of(line, line.find('(', is_copy ? copies : fills));
    if (arguments.size() != 4 || arguments[3] != "i1 false") return line;
    place_in_source_ = debug_place(line);
    const std::optional<std::uint64_t> bytes = constant_of(arguments[2]);
    const std::optional<Place> to = place_of(arguments[0]);
    if (!bytes || !to) return line;
    if (!is_copy) return filled(line, *to, constant_of(arguments[1]), *bytes);
    const std::optional<Place> from = place_of(arguments[1]);
    return from ? copied(line, *to, *from, *bytes) : line;
  }

 private:
  static bool is_worth_it(std::uint64_t bytes, std::uint64_t alignment) {
    constexpr std::uint64_t loop_of_llc = 128, most = 1024;
    if (alignment < word || bytes % word != 0 || bytes > most) return false;
    return bytes >= loop_of_llc || (alignment >= widest && bytes >= widest);
  }

  /// ", !dbg !12", or "".
  static std::string debug_place(const std::string& line) {
    const std::size_t at = line.find(", !dbg !");
    return at == std::string::npos ? "" : line.substr(at, line.find(',', at + 1) - at);
  }

  static std::string type_of(std::uint64_t bytes) {
    return bytes == word ? "i32" : fmt::format("<{} x i32>", bytes / word);
  }

  /// Calls `function` with the offset and bytes of each part.
  template <typename Function>
  static void for_each_part(std::uint64_t bytes, std::uint64_t alignment, const Function& function) {
    for (std::uint64_t at = 0; at < bytes;) {
      std::uint64_t part = std::min(alignment, widest);
      while (part > bytes - at) part /= 2;
      function(at, part);
      at += part;
    }
  }

  /// Lines that make a pointer to a part; its name.
  std::string pointer_to(const Place& place, std::uint64_t offset, std::uint64_t bytes, std::string& lines) {
    const std::string byte = fmt::format("%teslasim.byte{}", number_), part = fmt::format("%teslasim.part{}", number_);
    ++number_;
    lines +=
        fmt::format("  {} = getelementptr inbounds i8, i8{}* {}, i64 {}\n", byte, place.space, place.value, offset);
    lines += fmt::format("  {} = bitcast i8{}* {} to {}{}*\n", part, place.space, byte, type_of(bytes), place.space);
    return part;
  }

  std::string copied(const std::string& line, const Place& to, const Place& from, std::uint64_t bytes) {
    const std::uint64_t alignment = std::min(to.alignment, from.alignment);
    if (!is_worth_it(bytes, alignment)) return line;
    std::string lines;
    for_each_part(bytes, alignment, [&](std::uint64_t at, std::uint64_t part) {
      const std::string type = type_of(part);
      const std::string source = pointer_to(from, at, part, lines), target = pointer_to(to, at, part, lines);
      const std::string value = fmt::format("%teslasim.words{}", number_++);
      lines += fmt::format("  {} = load {}, {}{}* {}, align {}{}\n", value, type, type, from.space, source, part,
                           place_in_source_);
      lines += fmt::format("  store {} {}, {}{}* {}, align {}{}\n", type, value, type, to.space, target, part,
                           place_in_source_);
    });
    return lines.substr(0, lines.size() - 1);
  }

  std::string filled(const std::string& line, const Place& to, std::optional<std::uint64_t> value,
                     std::uint64_t bytes) {
    if (value != 0 || !is_worth_it(bytes, to.alignment)) return line;
    std::string lines;
    for_each_part(bytes, to.alignment, [&](std::uint64_t at, std::uint64_t part) {
      const std::string type = type_of(part), target = pointer_to(to, at, part, lines);
      const std::string_view nothing = part == word ? "0" : "zeroinitializer";
      lines += fmt::format("  store {} {}, {}{}* {}, align {}{}\n", type, nothing, type, to.space, target, part,
                           place_in_source_);
    });
    return lines.substr(0, lines.size() - 1);
  }

  std::string place_in_source_{};
  unsigned number_ = 0;
};

}  // namespace

std::string with_vector_copies(const std::string& code) {
  if (code.find("@llvm.mem") == std::string::npos) return code;
  Rewriter rewriter;
  std::string result;
  for (const std::string& line : lines_of(code)) {
    result += rewriter.rewritten(line);
    result += '\n';
  }
  return result;
}

}  // namespace teslasim::cuda
