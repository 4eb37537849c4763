// SPDX-License-Identifier: Apache-2.0
// What the options of every command say about colours, progress and warnings.
#pragma once

#include <vector>

#include "sim/app/cli/command_line.h"
#include "sim/run/console.h"

namespace teslasim {

/// Reads the common options, the environment (NO_COLOR) and what stdout and stderr are.
[[nodiscard]] ConsoleOptions console_options(const ParsedOptions& options);

/// The rules in the order given; InputError (usage) for an action or a code that does not exist.
[[nodiscard]] std::vector<WarningRule> warning_rules(const ParsedOptions& options);

}  // namespace teslasim
