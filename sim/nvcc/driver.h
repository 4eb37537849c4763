// SPDX-License-Identifier: Apache-2.0
// Runs the compilers: device code by frontend/clang, the host side by clang, other files by g++, then the linker.
#pragma once

#include <string>
#include <vector>

#include "sim/nvcc/command_line.h"

namespace teslasim::nvcc {

/// Returns the exit code. Throws InputError with what is wrong with the source, and when a program is missing.
int run(const Request& request);

}  // namespace teslasim::nvcc
