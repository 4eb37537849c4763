// SPDX-License-Identifier: Apache-2.0
// What -W asks of warnings: -W error=CODE makes one an error, -W ignore=CODE drops it; CODE may be "all". Of two that
// speak of the same warning the later one counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

struct ConsoleOptions;

/// One -W.
struct WarningRule {
  static constexpr std::string_view every = "all";
  enum class Action : std::uint8_t { error, ignore };
  Action action = Action::error;
  std::string code;  ///< of a warning, or "all"
};

/// What is left of `warnings`, to be recorded with the run. Throws InputError with all that are errors now.
[[nodiscard]] std::vector<Diagnostic> settled(const std::vector<Diagnostic>& warnings,
                                              const std::vector<WarningRule>& rules);

/// What is left of warnings about a run that has ended: those that are errors now have this severity.
[[nodiscard]] std::vector<Diagnostic> judged(const std::vector<Diagnostic>& warnings,
                                             const std::vector<WarningRule>& rules);

/// Settles the warnings and, unless --quiet, prints them; returns what is left.
std::vector<Diagnostic> report_warnings(const std::vector<Diagnostic>& warnings, const ConsoleOptions& console);

}  // namespace teslasim
