// SPDX-License-Identifier: Apache-2.0
// What fuzz targets ask of a reader: it reads its bytes, or refuses them with a message.
#pragma once

#include <cstdlib>

#include "sim/base/diagnostic.h"

namespace teslasim::test {

/// Runs `read`. A refusal that says nothing, and whatever else is thrown, ends the program.
template <typename Read>
void attempt(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    if (render(error.diagnostics()).empty()) std::abort();
  }
}

}  // namespace teslasim::test
