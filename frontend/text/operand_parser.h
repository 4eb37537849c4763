// SPDX-License-Identifier: Apache-2.0
// One operand of an instruction, as written. What it means for the instruction is decided later (instruction_parser).
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/text/cursor.h"
#include "frontend/text/expression.h"
#include "frontend/text/symbols.h"
#include "isa/instruction.h"

namespace teslasim::text {

struct ParsedOperand {
  enum class Shape : std::uint8_t { operand, number, texture, sampler, group };

  Shape shape = Shape::operand;
  Operand operand;             ///< shape operand
  bool access_given = false;   ///< memory: the access type was written (s[2].u16) or follows from a %name
  Value value;                 ///< shape number
  unsigned number = 0;         ///< texture, sampler
  std::vector<int> registers;  ///< group: register numbers, -1 for _
  Span where;

  [[nodiscard]] bool is(Operand::Kind kind) const { return shape == Shape::operand && operand.kind == kind; }
};

[[nodiscard]] ParsedOperand parse_operand(Cursor& cursor, const Symbols& symbols);

/// `$p0.ne`: a flag register and a condition. The condition is 5 (ne) when not written.
struct ParsedCondition {
  std::uint8_t flags = 0;
  std::uint8_t condition = 5;
  bool condition_given = false;
};
[[nodiscard]] ParsedCondition parse_condition_operand(Cursor& cursor);

/// `$p0|` before a destination, or -1 with nothing taken.
[[nodiscard]] int parse_flag_destination(Cursor& cursor);

}  // namespace teslasim::text
