// SPDX-License-Identifier: Apache-2.0
// What -W asks of warnings: -W error=CODE makes one an error, -W ignore=CODE drops it; CODE may be "all". Of two that
// speak of the same warning the later one counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/app/command_line.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

struct ConsoleOptions;

/// One -W.
struct WarningRule {
  enum class Action : std::uint8_t { error, ignore };
  Action action = Action::error;
  std::string code;  ///< of a warning, or "all"
};

/// The rules in the order given; InputError (usage) for an action or a code that does not exist.
[[nodiscard]] std::vector<WarningRule> warning_rules(const ParsedOptions& options);

/// What is left of `warnings`, to be recorded with the run. Throws InputError with all that are errors now.
[[nodiscard]] std::vector<Diagnostic> settled(const std::vector<Diagnostic>& warnings,
                                              const std::vector<WarningRule>& rules);

/// What is left of warnings about a run that has ended: those that are errors now have this severity.
[[nodiscard]] std::vector<Diagnostic> judged(const std::vector<Diagnostic>& warnings,
                                             const std::vector<WarningRule>& rules);

/// Settles the warnings and, unless --quiet, prints them; returns what is left.
std::vector<Diagnostic> report_warnings(const std::vector<Diagnostic>& warnings, const ConsoleOptions& console);

}  // namespace teslasim
