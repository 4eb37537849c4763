// SPDX-License-Identifier: Apache-2.0
#include "sim/run/usage_error.h"

#include "sim/base/diagnostic.h"

namespace teslasim {

void usage_error(std::string code, std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

}  // namespace teslasim
