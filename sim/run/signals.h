// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM: the first one asks the run to stop and write complete statistics, one more than a second later
// ends the program. What arrives within that second counts as the first one: `timeout`, for one, signals the program
// and its group.
#pragma once

namespace teslasim {

/// From now on signals are noted instead of ending the program. One that was noted before stays noted.
void catch_signals();
/// The signal that arrived first (SIGINT or SIGTERM), or 0.
[[nodiscard]] int caught_signal();

/// A file that may not grow any more (ulimit -f) is an error of the write from now on, not the end of the program.
void ignore_file_size_signal();

}  // namespace teslasim
