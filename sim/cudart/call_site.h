// SPDX-License-Identifier: Apache-2.0
// Where in the user's program something was called. The headers of CUDA C pass file and line, without debug
// information.
#pragma once

#include <string>

namespace teslasim::cudart {

struct CallSite {
  const char* file = nullptr;  ///< text of the program; null when the caller did not use our headers
  int line = 0;

  /// "main.cu:41", or "" when it is not known.
  [[nodiscard]] std::string text() const { return file == nullptr ? "" : file + (":" + std::to_string(line)); }
};

}  // namespace teslasim::cudart
