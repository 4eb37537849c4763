// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/foreign_headers.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

constexpr std::string_view mark = "TESLASIM_CUDA_HEADERS";

/// What cannot be read does not count: no compiler could read it either.
bool has_foreign_runtime(const std::string& folder) {
  const std::filesystem::path header = std::filesystem::path(folder) / "cuda_runtime.h";
  std::error_code error;
  if (!std::filesystem::is_regular_file(header, error)) return false;
  const TextFile file = read_text_file(header.string(), largest_text, FileOwner::program);
  return file.error.empty() && file.text.find(mark) == std::string::npos;
}

}  // namespace

std::vector<std::string> folder_words(const std::string& folder) {
  if (has_foreign_runtime(folder)) return {"-idirafter", folder};
  return {"-I" + folder};
}

std::vector<std::string> with_own_headers_first(const std::vector<std::string>& words) {
  constexpr std::string_view option = "-I", system = "-isystem";
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool takes_next = (word == option || word == system) && i + 1 < words.size();
    if (takes_next && has_foreign_runtime(words[i + 1])) {
      result.emplace_back("-idirafter");
    } else if (word.starts_with(option) && word != option) {
      const std::vector<std::string> added = folder_words(word.substr(option.size()));
      result.insert(result.end(), added.begin(), added.end());
    } else {
      result.push_back(word);
    }
  }
  return result;
}

}  // namespace teslasim::cuda
