// SPDX-License-Identifier: Apache-2.0
// The families of data operations: each binder picks the specialisation that an instruction needs. Private to
// isa/semantics; the rows of isa/opcodes.def name their family without `bind_`.
#pragma once

#include "isa/instruction.h"

namespace teslasim::semantics {

[[nodiscard]] Semantics bind_move(const Instruction& instruction);
[[nodiscard]] Semantics bind_logic(const Instruction& instruction);
[[nodiscard]] Semantics bind_integer_add(const Instruction& instruction);
[[nodiscard]] Semantics bind_integer_compare(const Instruction& instruction);
[[nodiscard]] Semantics bind_shift(const Instruction& instruction);
[[nodiscard]] Semantics bind_multiply(const Instruction& instruction);
[[nodiscard]] Semantics bind_convert(const Instruction& instruction);
[[nodiscard]] Semantics bind_float(const Instruction& instruction);
[[nodiscard]] Semantics bind_float_compare(const Instruction& instruction);
[[nodiscard]] Semantics bind_special(const Instruction& instruction);
[[nodiscard]] Semantics bind_double(const Instruction& instruction);

}  // namespace teslasim::semantics
