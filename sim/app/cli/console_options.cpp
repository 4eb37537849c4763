// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/console_options.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "sim/app/cli/explain.h"

namespace teslasim {
namespace {

Paint paint_for(const std::string& choice, int descriptor) {
  if (choice == "always") return Paint::colours;
  const char* no_colour = std::getenv("NO_COLOR");
  const bool refused = choice == "never" || (no_colour != nullptr && *no_colour != '\0');
  return !refused && isatty(descriptor) == 1 ? Paint::colours : Paint::plain;
}

ProgressStyle progress_for(const std::string& choice) {
  if (choice == "tty") return ProgressStyle::tty;
  if (choice == "plain") return ProgressStyle::plain;
  if (choice == "json") return ProgressStyle::json;
  if (choice == "none") return ProgressStyle::none;
  return isatty(STDERR_FILENO) == 1 ? ProgressStyle::tty : ProgressStyle::plain;
}

/// The codes of docs/explain: pages in capital letters.
std::vector<std::string> known_codes() {
  std::vector<std::string> codes;
  for (const ExplainPage& page : explain_pages()) {
    const bool code = std::none_of(page.name.begin(), page.name.end(), [](unsigned char c) { return std::islower(c); });
    if (code) codes.emplace_back(page.name);
  }
  return codes;
}

WarningRule rule_of(const std::string& text, const std::vector<std::string>& codes) {
  constexpr std::string_view form = "-W error=CODE or -W ignore=CODE; CODE may be 'all'";
  const std::size_t sign = text.find('=');
  const std::string action = text.substr(0, sign);
  if (sign == std::string::npos || (action != "error" && action != "ignore")) {
    usage_error("CLI-VALUE", "-W takes error=CODE or ignore=CODE, got '" + text + "'", std::string(form));
  }
  WarningRule rule{action == "error" ? WarningRule::Action::error : WarningRule::Action::ignore, text.substr(sign + 1)};
  if (rule.code == WarningRule::every || std::find(codes.begin(), codes.end(), rule.code) != codes.end()) return rule;
  const std::string near = nearest_word(rule.code, codes);
  usage_error("CLI-VALUE", "-W: there is no warning '" + rule.code + "'",
              near.empty() ? "the word in brackets behind 'warning' is meant" : "did you mean '" + near + "'?");
}

}  // namespace

ConsoleOptions console_options(const ParsedOptions& options) {
  constexpr std::array<std::string_view, 3> colours{"auto", "always", "never"};
  constexpr std::array<std::string_view, 5> progress{"auto", "tty", "plain", "json", "none"};
  ConsoleOptions console;
  console.quiet = options.has("quiet");
  console.verbosity = static_cast<unsigned>(options.count("verbose"));
  const std::string colour = options.choice("color", colours);
  console.errors = paint_for(colour, STDERR_FILENO);
  console.results = paint_for(colour, STDOUT_FILENO);
  console.progress = console.quiet ? ProgressStyle::none : progress_for(options.choice("progress", progress));
  console.warnings = warning_rules(options);
  return console;
}

std::vector<WarningRule> warning_rules(const ParsedOptions& options) {
  std::vector<WarningRule> rules;
  if (!options.has("warning")) return rules;
  const std::vector<std::string> codes = known_codes();
  for (const std::string& text : options.all("warning")) rules.push_back(rule_of(text, codes));
  return rules;
}

}  // namespace teslasim
