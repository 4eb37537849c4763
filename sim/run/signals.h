// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM: the first one asks the run to stop and write complete statistics, one more than a second later
// ends the program. What arrives within that second counts as the first one: `timeout`, for one, signals the program
// and its group.
#pragma once

namespace teslasim {

/// From now on signals are noted instead of ending the program. One that was noted before stays noted.
void catch_signals();
/// The same for a library inside the program of a user: what the program handles or ignores stays as it is, and
/// processes that it forks end as they always did. `also` runs in the handler of the first signal.
void catch_default_signals(void (*also)());
/// From now on SIGUSR1 and SIGUSR2 are wishes of the user's instead of ends.
void catch_wishes();
/// Whether `signal`, one of the two, has come since it was last asked for.
[[nodiscard]] bool take_wish(int signal);
/// Ends the process as the signal does by default; what a shell then sees is 130 or 143.
[[noreturn]] void end_by_signal(int signal);
/// Ctrl-C alone is noted, and SIGTERM goes on to end the program: for a session that Ctrl-C leads back to its prompt.
void catch_interrupts();
/// Whether one was noted since this was last asked for; it counts no more.
bool take_interrupt();
/// The signal that arrived first (SIGINT or SIGTERM), or 0.
[[nodiscard]] int caught_signal();

/// A file that may not grow any more (ulimit -f) is an error of the write from now on, not the end of the program.
void ignore_file_size_signal();

}  // namespace teslasim
