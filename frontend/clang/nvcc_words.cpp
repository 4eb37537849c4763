// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/nvcc_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim::cuda {
namespace {

class WordReader {
 public:
  WordReader(const std::string& words, const std::string& option, CudaOptions start)
      : option_(option), chosen_(std::move(start)) {
    std::istringstream stream(words);
    for (std::string word; stream >> word;) words_.push_back(word);
    words_ = with_two_dashes(std::move(words_));
  }

  CudaOptions read() {
    for (; next_ < words_.size(); ++next_) take(words_[next_]);
    return std::move(chosen_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    Diagnostic problem;
    problem.code = "CLI-VALUE";
    problem.message = option_ + ": " + message;
    problem.help = "-D NAME=VALUE, -U NAME, -I DIR, -O 0..3, -arch sm_10, -maxrregcount N, -use_fast_math, -fmad=false";
    throw InputError(ExitCode::usage, std::move(problem));
  }

  /// The value of an option: behind '=', attached to a letter, or the next word.
  std::string value(const std::string& word, std::size_t name) {
    if (word.size() > name) return word.substr(word[name] == '=' ? name + 1 : name);
    if (next_ + 1 == words_.size()) refuse("'" + word + "' needs a value");
    return words_[++next_];
  }

  unsigned number(const std::string& word, std::size_t name, unsigned most) {
    const std::string text = value(word, name);
    unsigned result = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error != std::errc() || stop != text.data() + text.size() || result > most)
      refuse("'" + word + "': " + text + " is no number from 0 to " + std::to_string(most));
    return result;
  }

  /// The last word about a macro counts, without clang's warning.
  void define(const std::string& definition) {
    (void)forget(definition.substr(0, definition.find('=')));
    chosen_.definitions.push_back(definition);
  }
  const std::string& forget(const std::string& name) {
    std::erase_if(chosen_.definitions, [&](const std::string& one) { return one.substr(0, one.find('=')) == name; });
    std::erase(chosen_.removed, name);
    return name;
  }

  std::uint8_t level(const std::string& text) const {
    const std::string_view digits = std::string_view(text).substr(text.find('_') + 1);
    const bool known = text.starts_with("sm_") || text.starts_with("compute_");
    if (!known || digits.size() != 2 || digits[0] != '1' || digits[1] < '0' || digits[1] > '3')
      refuse("-arch is sm_10 to sm_13, not '" + text + "'");
    return static_cast<std::uint8_t>(10 + (digits[1] - '0'));
  }

  void take(const std::string& word) {
    constexpr std::string_view registers = "--maxrregcount", contraction = "--fmad", target = "--arch";
    if (word.starts_with("-D")) return define(value(word, 2));
    if (word.starts_with("-U")) return chosen_.removed.push_back(forget(value(word, 2)));
    if (word.starts_with("-I")) return chosen_.include_folders.push_back(value(word, 2));
    if (word == "--use_fast_math") {
      chosen_.code.fast_math = true;
    } else if (word.starts_with("-O")) {
      chosen_.code.optimization = number(word, 2, highest_optimization);
    } else if (word.starts_with(target)) {
      chosen_.code.sm = level(value(word, target.size()));
      chosen_.code.level_named = true;
    } else if (word.starts_with(registers)) {
      chosen_.code.maximum_registers = number(word, registers.size(), most_registers);
    } else if (word.starts_with(contraction)) {
      const std::string text = value(word, contraction.size());
      if (text != "true" && text != "false") refuse("-fmad is true or false");
      chosen_.code.contract = text == "true";
    } else {
      refuse("'" + word + "' is no option of the compiler here");
    }
  }

  static constexpr unsigned highest_optimization = 3, most_registers = 124;

  const std::string& option_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  CudaOptions chosen_;
};

}  // namespace

std::vector<std::string> with_two_dashes(std::vector<std::string> words) {
  constexpr std::array<std::string_view, 5> names{"arch", "maxrregcount", "use_fast_math", "ptx", "fmad"};
  for (std::string& word : words) {
    if (!word.starts_with('-') || word.starts_with("--")) continue;
    const std::string_view name = std::string_view(word).substr(1, word.find('=') - 1);
    if (std::find(names.begin(), names.end(), name) != names.end()) word.insert(0, "-");
  }
  return words;
}

CudaOptions options_of_words(const std::string& words, const std::string& option, CudaOptions start) {
  return WordReader(words, option, std::move(start)).read();
}

}  // namespace teslasim::cuda
