// SPDX-License-Identifier: Apache-2.0
#include "sim/run/warnings.h"

#include <algorithm>
#include <iterator>

#include "sim/run/console.h"

namespace teslasim {
namespace {

/// A configuration or launch file that is not accepted, or an input that is not.
ExitCode exit_code_of(const std::vector<Diagnostic>& errors) {
  const bool settings = std::all_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    return error.code.starts_with("CFG-") || error.code.starts_with("LAUNCH-");
  });
  return settings ? ExitCode::configuration : ExitCode::input;
}

}  // namespace

std::vector<Diagnostic> judged(const std::vector<Diagnostic>& warnings, const std::vector<WarningRule>& rules) {
  std::vector<Diagnostic> left;
  for (const Diagnostic& warning : warnings) {
    const auto rule = std::find_if(rules.rbegin(), rules.rend(), [&warning](const WarningRule& each) {
      return each.code == WarningRule::every || each.code == warning.code;
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
