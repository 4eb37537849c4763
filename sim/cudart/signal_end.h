// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM in a program: tables, totals and report of what ran so far are written before it ends.
//
// A handler may call next to nothing, and the program may be anywhere: in its own code, in a wait, in a kernel. So a
// thread waits for the signal and ends the process as soon as nobody is in a call of the runtime; a kernel that runs
// stops within a fraction of a second.
#pragma once

namespace teslasim::cudart {

/// Once, when there is something to write.
void end_on_signals();

}  // namespace teslasim::cudart
