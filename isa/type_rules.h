// SPDX-License-Identifier: Apache-2.0
// The part of `encoding_problem` that concerns types and modifiers: which an operation has in which form.
#pragma once

#include <optional>

#include "isa/forms.h"

namespace teslasim {

[[nodiscard]] std::optional<EncodingProblem> check_types(const Instruction& instruction);
[[nodiscard]] std::optional<EncodingProblem> check_modifiers(const Instruction& instruction);

}  // namespace teslasim
