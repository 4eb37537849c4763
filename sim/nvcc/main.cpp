// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/nvcc/command_line.h"
#include "sim/nvcc/driver.h"
#include "sim/run/console.h"

// SystemC asks for it when the linker takes a file that simulates; this program simulates nothing.
extern "C" __attribute__((visibility("default"))) int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}

int main(int argc, char* argv[]) {
  teslasim::keep_standard_streams();
  try {
    return teslasim::nvcc::run(
        teslasim::nvcc::read_command_line(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc)));
  } catch (const teslasim::InputError& error) {
    teslasim::print_diagnostics(error.diagnostics(), teslasim::Paint::plain);
    return static_cast<int>(error.exit_code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "teslasim-nvcc: internal error: %s\n", error.what());
    return static_cast<int>(teslasim::ExitCode::internal);
  }
}
