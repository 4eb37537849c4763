// SPDX-License-Identifier: Apache-2.0
// What `teslasim debug` does: a run in time, one thread, in a session.
#pragma once

#include <string>

#include "sim/run/console.h"
#include "sim/run/run_settings.h"

namespace teslasim {

/// `commands`: a file; empty: standard input. Returns the exit code: that of the run when it went to its end, 0 when
/// the user left, 2 when a command of the file could not be done. Throws InputError for what is wrong with the inputs.
[[nodiscard]] int debug_run(RunSettings settings, const std::string& commands, const ConsoleOptions& console);

}  // namespace teslasim
