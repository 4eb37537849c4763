// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/slurm_request.h"

#include <algorithm>
#include <cctype>

#include "sim/run/usage_error.h"

namespace teslasim {
namespace {

/// Slurm takes a list of partitions, too.
bool is_partition(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ',';
  });
}

/// Adds what a quotation at `at` contains; returns the place behind it.
std::size_t take_quoted(std::string_view text, std::size_t at, std::string& word) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\' && quote == '"' && at + 1 < text.size()) ++at;
    word += text[at];
  }
  if (at >= text.size())
    usage_error("CLI-VALUE", "a quotation does not end in '" + std::string(text) + "'", "close it");
  return at + 1;
}

}  // namespace

std::optional<SlurmRequest> place_of_points(const std::string& text) {
  constexpr std::string_view slurm = "slurm", partitioned = "slurm:";
  if (text.empty() || text == "local") return std::nullopt;
  SlurmRequest request;
  if (text == slurm) return request;
  if (text.starts_with(partitioned) && is_partition(std::string_view(text).substr(partitioned.size()))) {
    request.partition = text.substr(partitioned.size());
    return request;
  }
  usage_error("CLI-VALUE", "--on takes local, slurm or slurm:PARTITION, got '" + text + "'", "for example --on slurm");
}

std::vector<std::string> quoted_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const char character = text[at];
    if (std::isspace(static_cast<unsigned char>(character)) != 0) {
      in_word = false;
      ++at;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (character == '\'' || character == '"') {
      at = take_quoted(text, at, words.back());
      continue;
    }
    if (character == '\\' && at + 1 < text.size()) ++at;
    words.back() += text[at++];
  }
  return words;
}

}  // namespace teslasim
