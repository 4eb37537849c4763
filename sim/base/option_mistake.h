// SPDX-License-Identifier: Apache-2.0
// Mistakes within the value of an option, shown at their place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace teslasim {

/// What is wrong in the value of an option: `length` bytes from byte `begin` of `value`. 0: something is missing there.
struct OptionMistake {
  std::string_view option;  ///< with its dashes
  std::string value;
  std::size_t begin = 0, length = 0;
};

/// Throws InputError (usage): the message, the option as given, a caret below the mistake.
[[noreturn]] void refuse_option(std::string code, const OptionMistake& mistake, std::string message, std::string help);

}  // namespace teslasim
