// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/signed_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "frontend/clang/llvm_lines.h"

namespace teslasim::cuda {
namespace {

/// "  %3 = sitofp i1 %2 to float, !dbg !12"
std::string rewritten(const std::string& line) {
  constexpr std::string_view conversion = " = sitofp i1 ", to = " to ";
  const std::size_t at = line.find(conversion);
  const std::size_t flag = at + conversion.size(), end = at == std::string::npos ? at : line.find(to, flag);
  if (!line.starts_with("  %") || end == std::string::npos) return line;
  const std::size_t type = end + to.size(), rest = std::min(line.find(',', type), line.size());
  const std::string_view text = line, name = text.substr(type, rest - type);
  return fmt::format("{} = select i1 {}, {} -1.0, {} 0.0{}", text.substr(0, at), text.substr(flag, end - flag), name,
                     name, text.substr(rest));
}

}  // namespace

std::string with_signed_flags(const std::string& code) {
  return with_each_line(code, rewritten);
}

}  // namespace teslasim::cuda
