// SPDX-License-Identifier: Apache-2.0
// main() of the test programs that link SystemC: GoogleTest runs inside sc_main.
#include <gtest/gtest.h>

#include "sim/engine/simulation.h"

// SystemC's kernel keeps timed notifications in a pool and does not give back those that are still pending, or were
// cancelled, when a context ends; a process that builds many contexts can lose whole blocks of that pool. That is not
// ours.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier): LeakSanitizer's name
  return "leak:sc_core::sc_event_timed::allocate\n";
}

extern "C" int sc_main(int argc, char* argv[]) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char* argv[]) {
  return teslasim::enter_systemc(argc, argv);
}
