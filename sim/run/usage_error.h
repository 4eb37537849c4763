// SPDX-License-Identifier: Apache-2.0
// Values of options that cannot be: said by whoever understands the value.
#pragma once

#include <string>

namespace teslasim {

/// A mistake on the command line.
[[noreturn]] void usage_error(std::string code, std::string message, std::string help = "");

}  // namespace teslasim
