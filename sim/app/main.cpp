// SPDX-License-Identifier: Apache-2.0
// Where the program starts. SystemC owns `main`'s way to `sc_main`; everything else is in run_program.
#include "sim/app/cli/command.h"
#include "sim/engine/simulation.h"
#include "sim/run/console.h"
#include "sim/run/signals.h"

extern "C" int sc_main(int argc, char* argv[]) {
  return teslasim::run_program(teslasim::Arguments(argv + (argc > 0 ? 1 : 0), argv + argc));
}

int main(int argc, char* argv[]) {
  teslasim::ignore_file_size_signal();
  teslasim::keep_standard_streams();
  return teslasim::enter_systemc(argc, argv);
}
