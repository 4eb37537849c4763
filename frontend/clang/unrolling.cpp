// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/unrolling.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

constexpr std::string_view barrier = "call void @llvm.nvvm.barrier0()", plain = "call void @teslasim.barrier()";
constexpr std::string_view declaration = "declare void @teslasim.barrier()";
constexpr std::string_view whole = "\"llvm.loop.unroll.full\"", later_whole = "\"teslasim.unroll.full\"";

std::string with_replaced(std::string code, std::string_view old, std::string_view fresh) {
  for (std::size_t at = code.find(old); at != std::string::npos; at = code.find(old, at + fresh.size()))
    code.replace(at, old.size(), fresh);
  return code;
}

/// Why a loop with #pragma unroll stays a loop, and whether opt still warns of it when it is done.
struct RefusedLoop {
  std::string place{};
  bool warned = false, large = false, unrolled = false;
};

/// opt names a file as in `!DIFile(filename: "u.cu", directory: "/home")`; the folder is the part that clang found in
/// common with the one of work.
std::string whole_path(const std::string& file, const std::string& code) {
  const std::string start = "!DIFile(filename: \"" + file + "\", directory: \"";
  const std::size_t at = code.find(start);
  const std::size_t begin = at == std::string::npos ? code.size() : at + start.size();
  const std::string folder = code.substr(begin, code.find('"', begin) - begin);
  std::error_code error;
  return std::filesystem::absolute(std::filesystem::path(folder) / file, error).lexically_normal().string();
}

/// opt writes "warning: file:line:column: loop not unrolled: ..." in the end, and "remark: file:line:column: " with a
/// reason whenever a pass gives up, which a later one may not; each once for every copy of the loop.
std::vector<RefusedLoop> refused_loops(const std::string& errors, const std::string& code) {
  std::vector<RefusedLoop> loops;
  for (const std::string& line : lines_of(errors)) {
    const std::size_t begin = line.find(": ") + 2, end = line.find(": ", begin);
    if ((!line.starts_with("warning: ") && !line.starts_with("remark: ")) || end == std::string::npos) continue;
    const std::string_view what = std::string_view(line).substr(end + 2);
    const std::size_t position = std::min(line.find(':', begin), end);
    const std::string place =
        whole_path(line.substr(begin, position - begin), code) + line.substr(position, end - position);
    auto known = std::find_if(loops.begin(), loops.end(), [&](const RefusedLoop& one) { return one.place == place; });
    if (known == loops.end()) known = loops.insert(known, RefusedLoop{place});
    RefusedLoop& loop = *known;
    loop.warned = loop.warned || what.starts_with("loop not unrolled");
    loop.large = loop.large || (what.starts_with("Unable") && what.find("size is too large") != std::string_view::npos);
    loop.unrolled = loop.unrolled || what.starts_with("completely unrolled");
  }
  return loops;
}

}  // namespace

std::string with_whole_unrolling(std::string code) {
  return with_replaced(std::move(code), "\"llvm.loop.unroll.enable\"", whole);
}

bool may_have_counted_barrier_loops(const std::string& code) {
  return code.find("\"llvm.loop.unroll.count\"") != std::string::npos && code.find(barrier) != std::string::npos;
}

std::string with_plain_barriers(const std::string& code) {
  return with_replaced(with_replaced(code, barrier, plain), whole, later_whole).append(declaration).append("\n");
}

std::string with_true_barriers(const std::string& code) {
  std::string result = with_replaced(with_replaced(code, plain, barrier), later_whole, whole);
  const std::size_t at = result.find(declaration);
  return at == std::string::npos ? result : result.erase(at, result.find('\n', at) - at);
}

std::string unrolling_advisories(const std::string& errors, const std::string& code) {
  std::string messages;
  for (const RefusedLoop& loop : refused_loops(errors, code)) {
    const bool large = loop.large && !loop.unrolled;
    if (!loop.warned && !large) continue;
    messages += loop.place + ": warning: this loop is not unrolled: " +
                (large ? "it would be too large\n"
                       : "its number of turns is not known; a counter that grows by a constant between constants tells "
                         "it\n");
  }
  return messages;
}

}  // namespace teslasim::cuda
