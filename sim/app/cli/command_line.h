// SPDX-License-Identifier: Apache-2.0
// The options of a command as a table, and what the user gave. Parsing is Boost.Program_options without guessing of
// abbreviations; unknown options and wrong values are InputErrors (usage) with a suggestion.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/cli/command.h"
#include "sim/run/usage_error.h"

namespace teslasim {

enum class Arity : std::uint8_t {
  flag,            ///< no value
  value,           ///< one value, given at most once
  values,          ///< one value each time, may be repeated
  optional_value,  ///< a value only after '='
  optional_number  ///< a whole number, after '=' or as the next word, or none
};
/// Which help lists the option: `--help` has the common ones, `--help-all` every one.
enum class Listing : std::uint8_t { common, rare };

/// What the command does with a file that the option names.
enum class FileUse : std::uint8_t {
  other,         ///< reads it, or it is no file
  writes,        ///< writes it; - is stdout
  writes_named,  ///< writes FILE of NAME=FILE
  makes,         ///< makes this folder, where other outputs may go
};

/// Whether it may stand without a value, which then is "-" or 0.
[[nodiscard]] constexpr bool is_optional(Arity arity) {
  return arity == Arity::optional_value || arity == Arity::optional_number;
}

struct Option {
  std::string_view name;  ///< long name without dashes
  char letter = 0;        ///< short name or 0
  Arity arity = Arity::flag;
  std::string_view value_name;  ///< e.g. "FILE"
  std::string_view text;        ///< one line
  Listing listing = Listing::common;
  FileUse use = FileUse::other;
};

/// What the user gave for one command.
class ParsedOptions {
 public:
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }
  /// The value, or `otherwise` when the option was not given.
  [[nodiscard]] std::string text(std::string_view name, std::string otherwise = "") const;
  [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
  /// A whole number; throws InputError (usage) when the text is something else or out of range.
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise,
                                     std::uint64_t maximum = ~0ULL) const;
  /// A number >= 0, possibly with a fraction.
  [[nodiscard]] double real(std::string_view name, double otherwise) const;
  /// One of `choices`; throws InputError (usage) otherwise.
  [[nodiscard]] std::string choice(std::string_view name, std::span<const std::string_view> choices) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }

  /// Files that options name as outputs: they can be written, and nothing else of the command is there. Those in a
  /// folder that the command makes are for the command to look at.
  void claim_outputs(std::span<const Option> options) const;

 private:
  friend ParsedOptions parse_options(const Arguments&, std::span<const Option>, std::string_view);
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> inputs_;
};

/// Parses `arguments` (without program and command name). `command` is for messages.
[[nodiscard]] ParsedOptions parse_options(const Arguments& arguments, std::span<const Option> options,
                                          std::string_view command);

/// What to write for a word from elsewhere (as typed, with dashes), e.g. "--config CONFIG"; empty when nothing is
/// known.
[[nodiscard]] std::string option_meant(std::string_view given, std::span<const Option> options);

/// Options that every command takes (help, quiet, color...), to be put behind a command's own.
[[nodiscard]] std::span<const Option> common_options();
[[nodiscard]] std::vector<Option> with_common(std::span<const Option> own);

/// The table of options as text, one line each.
[[nodiscard]] std::string option_help(std::span<const Option> options, Listing up_to);

/// Answers --help, --help-all and --version of a command on stdout; false when none was given.
[[nodiscard]] bool answered_help(const ParsedOptions& options, std::string_view command, std::span<const Option> own,
                                 std::string_view more = "");

}  // namespace teslasim
