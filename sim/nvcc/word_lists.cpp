// SPDX-License-Identifier: Apache-2.0
#include "sim/nvcc/word_lists.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"

namespace teslasim::nvcc {
namespace {

/// Cuts at each of `ends` that stands outside of quotes.
std::vector<std::string> words_of(const std::string& text, std::string_view ends) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  char before = ' ';
  for (const char c : text + ends.front()) {
    const bool is_quote = c == '"' && before != '\\';
    before = c;
    if (is_quote) {
      quoted = !quoted;
    } else if (quoted || ends.find(c) == std::string_view::npos) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

[[noreturn]] void refuse(std::string message) {
  Diagnostic problem;
  problem.code = "CLI-VALUE";
  problem.message = std::move(message);
  problem.help = "an options file holds words of the command line";
  throw InputError(ExitCode::usage, std::move(problem));
}

/// The files that a word with -optf names: "" when the next word does; nothing for another word.
std::optional<std::string> options_files_of(const std::string& word) {
  for (const std::string_view name : {"-optf", "--options-file"}) {
    if (word == name) return "";
    if (word.starts_with(name) && word[name.size()] == '=') return word.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::vector<std::string> expanded(const std::vector<std::string>& words, unsigned depth) {
  constexpr unsigned deepest = 16;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::optional<std::string> files = options_files_of(words[i]);
    if (!files || (files->empty() && i + 1 == words.size())) {
      all.push_back(words[i]);
      continue;
    }
    if (files->empty()) files = words[++i];
    for (const std::string& path : list_of(*files)) {
      const TextFile file = read_text_file(path);
      if (!file.error.empty()) refuse(fmt::format("the options file '{}' cannot be read: {}", path, file.error));
      if (depth == deepest) refuse(fmt::format("the options file '{}' leads to itself", path));
      const std::vector<std::string> inner = expanded(words_of(file.text, " \t\r\n"), depth + 1);
      all.insert(all.end(), inner.begin(), inner.end());
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> list_of(const std::string& value) {
  return words_of(value, " ,");
}

std::vector<std::string> with_options_files(const std::vector<std::string>& words) {
  return expanded(words, 0);
}

}  // namespace teslasim::nvcc
