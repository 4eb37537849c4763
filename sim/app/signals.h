// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM: the first one asks the run to stop and write complete statistics, the second one ends the
// program.
#pragma once

namespace teslasim {

/// From now on signals are noted instead of ending the program.
void catch_signals();
/// The signal that arrived (SIGINT or SIGTERM), or 0.
[[nodiscard]] int caught_signal();

}  // namespace teslasim
