// SPDX-License-Identifier: Apache-2.0
#include "sim/app/warnings.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "sim/app/console.h"
#include "sim/app/explain.h"

namespace teslasim {
namespace {

constexpr std::string_view every = "all";

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
  if (rule.code == every || std::find(codes.begin(), codes.end(), rule.code) != codes.end()) return rule;
  const std::string near = nearest_word(rule.code, codes);
  usage_error("CLI-VALUE", "-W: there is no warning '" + rule.code + "'",
              near.empty() ? "the word in brackets behind 'warning' is meant" : "did you mean '" + near + "'?");
}

/// A configuration or launch file that is not accepted, or an input that is not.
ExitCode exit_code_of(const std::vector<Diagnostic>& errors) {
  const bool settings = std::all_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    return error.code.starts_with("CFG-") || error.code.starts_with("LAUNCH-");
  });
  return settings ? ExitCode::configuration : ExitCode::input;
}

}  // namespace

std::vector<WarningRule> warning_rules(const ParsedOptions& options) {
  std::vector<WarningRule> rules;
  if (!options.has("warning")) return rules;
  const std::vector<std::string> codes = known_codes();
  for (const std::string& text : options.all("warning")) rules.push_back(rule_of(text, codes));
  return rules;
}

std::vector<Diagnostic> judged(const std::vector<Diagnostic>& warnings, const std::vector<WarningRule>& rules) {
  std::vector<Diagnostic> left;
  for (const Diagnostic& warning : warnings) {
    const auto rule = std::find_if(rules.rbegin(), rules.rend(), [&warning](const WarningRule& each) {
      return each.code == every || each.code == warning.code;
    });
    if (rule != rules.rend() && rule->action == WarningRule::Action::ignore) continue;
    left.push_back(warning);
    if (rule == rules.rend()) continue;
    left.back().severity = Diagnostic::Severity::error;
    left.back().notes.push_back("a warning that -W error=" + rule->code + " makes an error");
  }
  return left;
}

std::vector<Diagnostic> settled(const std::vector<Diagnostic>& warnings, const std::vector<WarningRule>& rules) {
  std::vector<Diagnostic> left = judged(warnings, rules), errors;
  std::copy_if(left.begin(), left.end(), std::back_inserter(errors),
               [](const Diagnostic& each) { return each.severity == Diagnostic::Severity::error; });
  if (errors.empty()) return left;
  const ExitCode exit_code = exit_code_of(errors);
  throw InputError(exit_code, std::move(errors));
}

std::vector<Diagnostic> report_warnings(const std::vector<Diagnostic>& warnings, const ConsoleOptions& console) {
  std::vector<Diagnostic> left = settled(warnings, console.warnings);
  if (!console.quiet) print_diagnostics(left, console.errors);
  return left;
}

}  // namespace teslasim
