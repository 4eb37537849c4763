// SPDX-License-Identifier: Apache-2.0
// Impossible values of options, reported where the value is understood.
#pragma once

#include <string>

namespace teslasim {

/// A mistake on the command line.
[[noreturn]] void usage_error(std::string code, std::string message, std::string help = "");

}  // namespace teslasim
