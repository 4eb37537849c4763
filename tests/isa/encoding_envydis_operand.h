// SPDX-License-Identifier: Apache-2.0
// Operands and types in the notation of envydis. Only for tests.
#pragma once

#include <string>
#include <string_view>

#include "isa/instruction.h"

namespace teslasim {

[[nodiscard]] std::string_view type_text(ValueType type);
[[nodiscard]] std::string_view size_text(ValueType type);
[[nodiscard]] std::string address_text(const Operand& operand);
[[nodiscard]] std::string operand_text(const Operand& operand);
/// Consecutive registers from `first` for the bits of `mask`, "#" for those left out.
[[nodiscard]] std::string register_list(unsigned first, unsigned mask);

}  // namespace teslasim
