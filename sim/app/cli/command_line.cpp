// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <charconv>

#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/base/output_place.h"
#include "sim/run/console.h"
#include "sim/run/other_words.h"
#include "sim/run/version.h"

namespace teslasim {
namespace {

namespace po = boost::program_options;

constexpr std::array<Option, 8> common{{
    {"help", 'h', Arity::flag, "", "show this help", Listing::common},
    {"help-all", 0, Arity::flag, "", "show every option", Listing::common},
    {"version", 0, Arity::flag, "", "print the version", Listing::rare},
    {"quiet", 'q', Arity::flag, "", "print errors only", Listing::common},
    {"verbose", 'v', Arity::flag, "", "say more (repeat for more)", Listing::rare},
    {"warning", 'W', Arity::values, "error=CODE|ignore=CODE", "stop at a warning, or drop it", Listing::rare},
    {"color", 0, Arity::value, "auto|always|never", "colours; NO_COLOR is honoured", Listing::rare},
    {"progress", 0, Arity::value, "auto|tty|plain|json|none", "how progress is shown on stderr", Listing::rare},
}};

/// "--json" and "--json -" mean "--json=-", "--serve 80" means "--serve=80", and "--serve" "--serve=0": Boost would
/// take whatever follows as the value.
Arguments joined(const Arguments& arguments, std::span<const Option> options) {
  Arguments result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& one) {
      return is_optional(one.arity) && arguments[i] == "--" + std::string(one.name);
    });
    result.push_back(arguments[i]);
    if (option == options.end()) continue;
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    const bool numeric = option->arity == Arity::optional_number;
    const bool takes =
        numeric ? !next.empty() && next.find_first_not_of("0123456789") == std::string::npos : next == "-";
    result.back() += "=" + (takes ? next : numeric ? "0" : "-");
    if (takes) ++i;
  }
  return result;
}

po::options_description description(std::span<const Option> options) {
  po::options_description result;
  for (const Option& option : options) {
    std::string name(option.name);
    if (option.letter != 0) name += std::string(",") + option.letter;
    switch (option.arity) {
      case Arity::flag:
        result.add_options()(name.c_str(), "");
        break;
      case Arity::optional_value:
        result.add_options()(name.c_str(), po::value<std::string>()->implicit_value("-"), "");
        break;
      default:
        result.add_options()(name.c_str(), po::value<std::vector<std::string>>(), "");
    }
  }
  return result;
}

const Option* find_option(std::span<const Option> options, std::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&name](const Option& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

/// A long name behind one dash, as of nvcc: Boost takes its first letter for an option and the rest for the value.
bool has_one_dash(const std::string& token, std::span<const Option> options) {
  if (token.size() < 3 || token[0] != '-' || token[1] == '-') return false;
  return find_option(options, token.substr(1, token.find('=') - 1)) != nullptr;
}

[[noreturn]] void unknown_option(const std::string& given, std::span<const Option> options, std::string_view command) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + std::string(option.name));
  const std::string word = given.substr(0, given.find('='));
  const std::string meant = has_one_dash(given, options) ? "" : option_meant(given, options);
  const std::string near = meant.empty() ? nearest_word(word, names) : meant;
  const std::string see =
      fmt::format("teslasim{} --help-all lists the options", command.empty() ? "" : " " + std::string(command));
  usage_error("CLI-OPTION", "unknown option '" + word + "'", near.empty() ? see : "did you mean '" + near + "'?");
}

po::parsed_options run_parser(const Arguments& arguments, std::span<const Option> options, std::string_view command) {
  constexpr int style =
      static_cast<int>(po::command_line_style::unix_style) & ~static_cast<int>(po::command_line_style::allow_guessing);
  const po::options_description table = description(options);
  try {
    // What is not known is kept, so that the message can name the word exactly as it was typed.
    po::parsed_options parsed =
        po::command_line_parser(arguments).options(table).style(style).allow_unregistered().run();
    for (const po::option& option : parsed.options) {
      if (option.original_tokens.empty()) continue;
      const std::string& token = option.original_tokens.front();
      if (option.unregistered || has_one_dash(token, options)) unknown_option(token, options, command);
    }
    return parsed;
  } catch (const po::error_with_option_name& error) {
    usage_error("CLI-VALUE", "option '" + error.get_option_name() + "' is not given as it must be",
                "write '" + error.get_option_name() + " VALUE'; flags take no value");
  } catch (const po::error& error) {
    usage_error("CLI-VALUE", error.what());
  }
}

}  // namespace

ParsedOptions parse_options(const Arguments& arguments, std::span<const Option> options, std::string_view command) {
  const po::parsed_options parsed = run_parser(joined(arguments, options), options, command);
  ParsedOptions result;
  for (const po::option& given : parsed.options) {
    const Option* option = find_option(options, given.string_key);
    if (option == nullptr) {
      result.inputs_.insert(result.inputs_.end(), given.value.begin(), given.value.end());
      continue;
    }
    std::vector<std::string>& values = result.values_[given.string_key];
    const bool again = !values.empty() && (option->arity == Arity::value || is_optional(option->arity));
    if (again) usage_error("CLI-TWICE", fmt::format("option '--{}' is given twice", option->name), "give it once");
    if (given.value.empty()) values.emplace_back(is_optional(option->arity) ? "-" : "");
    values.insert(values.end(), given.value.begin(), given.value.end());
  }
  if (!result.has("help") && !result.has("help-all")) result.claim_outputs(options);
  return result;
}

void ParsedOptions::claim_outputs(std::span<const Option> options) const {
  std::string made;
  for (const Option& option : options) made = option.use == FileUse::makes ? text(option.name) : made;
  for (const Option& option : options) {
    if (option.use == FileUse::other || option.use == FileUse::makes) continue;
    for (const std::string& given : all(option.name)) {
      const std::size_t equals = option.use == FileUse::writes_named ? given.find('=') : std::string::npos;
      const std::string path = equals == std::string::npos ? given : given.substr(equals + 1);
      const bool named = option.use != FileUse::writes_named || equals != std::string::npos;
      if (named && !path.empty() && path != "-" && !is_below(path, made)) claim_output(path);
    }
  }
}

std::string ParsedOptions::text(std::string_view name, std::string otherwise) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second.front();
  return otherwise;
}

std::vector<std::string> ParsedOptions::all(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::size_t ParsedOptions::count(std::string_view name) const {
  return all(name).size();
}

std::uint64_t ParsedOptions::number(std::string_view name, std::uint64_t otherwise, std::uint64_t maximum) const {
  if (!has(name)) return otherwise;
  const std::string given = text(name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc{} || end != given.data() + given.size() || value > maximum) {
    usage_error("CLI-VALUE", fmt::format("--{} takes a whole number from 0 to {}, got '{}'", name, maximum, given));
  }
  return value;
}

double ParsedOptions::real(std::string_view name, double otherwise) const {
  if (!has(name)) return otherwise;
  const std::string given = text(name);
  double value = 0.0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc{} || end != given.data() + given.size() || !(value >= 0.0)) {
    usage_error("CLI-VALUE", fmt::format("--{} takes a number that is not negative, got '{}'", name, given));
  }
  return value;
}

std::string ParsedOptions::choice(std::string_view name, std::span<const std::string_view> choices) const {
  const std::string given = text(name, std::string(choices.front()));
  if (std::find(choices.begin(), choices.end(), given) != choices.end()) return given;
  const std::string near = nearest_word(given, {choices.begin(), choices.end()});
  usage_error("CLI-VALUE", fmt::format("--{} is one of {}, got '{}'", name, fmt::join(choices, ", "), given),
              near.empty() ? "" : "did you mean '" + near + "'?");
}

std::string option_meant(std::string_view given, std::span<const Option> options) {
  for (const OtherWord& word : other_words()) {
    const Option* const option = word.stands_in(given) ? find_option(options, word.option) : nullptr;
    if (option == nullptr) continue;
    const std::string name = fmt::format("--{}", option->name);
    if (option->arity == Arity::flag) return name;
    const std::string_view value = word.value.empty() ? option->value_name : word.value;
    return fmt::format("{}{}{}", name, is_optional(option->arity) || value.starts_with('-') ? '=' : ' ', value);
  }
  return {};
}

std::span<const Option> common_options() {
  return common;
}

std::vector<Option> with_common(std::span<const Option> own) {
  std::vector<Option> all(own.begin(), own.end());
  all.insert(all.end(), common.begin(), common.end());
  return all;
}

bool answered_help(const ParsedOptions& options, std::string_view command, std::span<const Option> own,
                   std::string_view more) {
  if (options.has("version")) {
    print_result(version_line() + "\n");
    return true;
  }
  if (!options.has("help") && !options.has("help-all")) return false;
  const auto row =
      std::find_if(commands().begin(), commands().end(), [command](auto& entry) { return entry.name == command; });
  const Listing listing = options.has("help-all") ? Listing::rare : Listing::common;
  print_result(fmt::format("usage: teslasim {}\n{}\n\n{}{}", row->synopsis, row->summary,
                           option_help(with_common(own), listing), more));
  return true;
}

std::string option_help(std::span<const Option> options, Listing up_to) {
  constexpr std::size_t text_column = 30;
  std::string text;
  for (const Option& option : options) {
    if (option.listing == Listing::rare && up_to == Listing::common) continue;
    std::string left = option.letter == 0 ? "      " : fmt::format("  -{}, ", option.letter);
    left += fmt::format("--{}", option.name);
    if (is_optional(option.arity)) {
      left += fmt::format("[={}]", option.value_name);
    } else if (option.arity != Arity::flag) {
      left += fmt::format(" {}", option.value_name);
    }
    text += left.size() < text_column ? fmt::format("{:<30}{}\n", left, option.text)
                                      : fmt::format("{}\n{:30}{}\n", left, "", option.text);
  }
  return text;
}

}  // namespace teslasim
