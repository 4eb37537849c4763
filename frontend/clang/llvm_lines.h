// SPDX-License-Identifier: Apache-2.0
// Lines of LLVM's intermediate language (LLVM 14, pointers with types) that load or call something, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/text_file.h"

namespace teslasim::cuda {

/// Bytes that a thread can access at once.
inline constexpr std::uint64_t widest_access = 16;

/// An argument that points to bytes: "i8 addrspace(3)* nonnull align 16 %p". Its views are of the line.
struct PointerArgument {
  std::string_view space{};  ///< " addrspace(3)", or ""
  std::string_view value{};
  std::uint64_t alignment = 1;
};
[[nodiscard]] std::optional<PointerArgument> pointer_argument(std::string_view argument);

/// "memcpy" or "memset" of a number of bytes that is known, not volatile.
struct MemoryCall {
  PointerArgument to{};
  std::optional<PointerArgument> from{};  ///< of a copy
  std::optional<std::uint64_t> value{};   ///< of a filling, when it is known
  std::uint64_t bytes = 0;
};
/// Nothing when the line calls something else. Its views are of the line, which must live as long.
[[nodiscard]] std::optional<MemoryCall> memory_call(const std::string& line);

/// "  %3 = load i32, i32* %p, align 4, !dbg !12"; nothing for volatile ones. Its views are of the line.
struct LoadLine {
  std::string_view result{}, type{}, address{};
  std::uint64_t alignment = 1;
};
[[nodiscard]] std::optional<LoadLine> load_line(std::string_view line);

/// Code with each line as `rewritten` makes it, which may be several lines.
template <typename Rewritten>
[[nodiscard]] std::string with_each_line(const std::string& code, Rewritten rewritten) {
  std::string result;
  for (const std::string& line : lines_of(code)) {
    result += rewritten(line);
    result += '\n';
  }
  return result;
}

/// ", !dbg !12" of a line, or "".
[[nodiscard]] std::string debug_suffix(const std::string& line);

}  // namespace teslasim::cuda
