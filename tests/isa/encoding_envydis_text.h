// SPDX-License-Identifier: Apache-2.0
// Prints a decoded instruction in the notation of envydis, so that its output for real binaries can be compared with
// what our decoder understood, word for word. Only for tests.
#pragma once

#include <string>

#include "isa/instruction.h"

namespace teslasim {

[[nodiscard]] std::string envydis_text(const Instruction& instruction);

}  // namespace teslasim
