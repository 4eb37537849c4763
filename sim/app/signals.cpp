// SPDX-License-Identifier: Apache-2.0
#include "sim/app/signals.h"

#include <csignal>

namespace teslasim {
namespace {

// A signal handler can reach nothing but such a variable.
volatile std::sig_atomic_t noted = 0;

extern "C" void note_signal(int signal) {
  noted = signal;
}

}  // namespace

void catch_signals() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  // The handler is removed when it runs, so that a second signal ends the program at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() {
  return noted;
}

}  // namespace teslasim
