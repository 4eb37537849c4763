// SPDX-License-Identifier: Apache-2.0
// main() of the test programs that link SystemC: GoogleTest runs inside sc_main.
#include <gtest/gtest.h>

#include "sim/engine/simulation.h"

extern "C" int sc_main(int argc, char* argv[]) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char* argv[]) {
  return teslasim::enter_systemc(argc, argv);
}
