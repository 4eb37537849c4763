// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/vector_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "frontend/clang/llvm_lines.h"

namespace teslasim::cuda {
namespace {

constexpr std::uint64_t word = 4;  ///< bytes

class CopyRewriter {
 public:
  /// The line with other instructions in its place, or itself.
  std::string rewritten(const std::string& line) {
    const std::optional<MemoryCall> call = memory_call(line);
    if (!call) return line;
    place_in_source_ = debug_suffix(line);
    return call->from ? copied(line, *call) : filled(line, *call);
  }

 private:
  static bool is_worth_it(std::uint64_t bytes, std::uint64_t alignment) {
    constexpr std::uint64_t loop_of_llc = 128, most = 1024;
    if (alignment < word || bytes % word != 0 || bytes > most) return false;
    return bytes >= loop_of_llc || (alignment >= widest_access && bytes >= widest_access);
  }

  static std::string type_of(std::uint64_t bytes) {
    return bytes == word ? "i32" : fmt::format("<{} x i32>", bytes / word);
  }

  /// Calls `function` with the offset and bytes of each part.
  template <typename Function>
  static void for_each_part(std::uint64_t bytes, std::uint64_t alignment, const Function& function) {
    for (std::uint64_t at = 0; at < bytes;) {
      std::uint64_t part = std::min(alignment, widest_access);
      while (part > bytes - at) part /= 2;
      function(at, part);
      at += part;
    }
  }

  /// Lines that make a pointer to a part; its name.
  std::string pointer_to(const PointerArgument& place, std::uint64_t offset, std::uint64_t bytes, std::string& lines) {
    const std::string byte = fmt::format("%teslasim.byte{}", number_), part = fmt::format("%teslasim.part{}", number_);
    ++number_;
    lines +=
        fmt::format("  {} = getelementptr inbounds i8, i8{}* {}, i64 {}\n", byte, place.space, place.value, offset);
    lines += fmt::format("  {} = bitcast i8{}* {} to {}{}*\n", part, place.space, byte, type_of(bytes), place.space);
    return part;
  }

  std::string copied(const std::string& line, const MemoryCall& call) {
    const std::uint64_t alignment = std::min(call.to.alignment, call.from->alignment);
    if (!is_worth_it(call.bytes, alignment)) return line;
    std::string lines;
    for_each_part(call.bytes, alignment, [&](std::uint64_t at, std::uint64_t part) {
      const std::string type = type_of(part);
      const std::string source = pointer_to(*call.from, at, part, lines), target = pointer_to(call.to, at, part, lines);
      const std::string value = fmt::format("%teslasim.words{}", number_++);
      lines += fmt::format("  {} = load {}, {}{}* {}, align {}{}\n", value, type, type, call.from->space, source, part,
                           place_in_source_);
      lines += fmt::format("  store {} {}, {}{}* {}, align {}{}\n", type, value, type, call.to.space, target, part,
                           place_in_source_);
    });
    return lines.substr(0, lines.size() - 1);
  }

  std::string filled(const std::string& line, const MemoryCall& call) {
    if (call.value != 0 || !is_worth_it(call.bytes, call.to.alignment)) return line;
    std::string lines;
    for_each_part(call.bytes, call.to.alignment, [&](std::uint64_t at, std::uint64_t part) {
      const std::string type = type_of(part), target = pointer_to(call.to, at, part, lines);
      const std::string_view nothing = part == word ? "0" : "zeroinitializer";
      lines += fmt::format("  store {} {}, {}{}* {}, align {}{}\n", type, nothing, type, call.to.space, target, part,
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
  CopyRewriter rewriter;
  return with_each_line(code, [&rewriter](const std::string& line) { return rewriter.rewritten(line); });
}

}  // namespace teslasim::cuda
