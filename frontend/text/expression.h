// SPDX-License-Identifier: Apache-2.0
// Numbers and integer expressions: 64-bit signed arithmetic with C precedence; float literals are f32 bit patterns.
#pragma once

#include <cstdint>

#include "frontend/text/cursor.h"
#include "frontend/text/symbols.h"

namespace teslasim::text {

struct Value {
  std::int64_t number = 0;
  bool is_float = false;  ///< a float literal (or a name for one): `number` holds f32 bits, `real` the value
  double real = 0.0;
  bool plain_decimal = false;    ///< a decimal integer and nothing else
  bool literal = false;          ///< an integer of any base and nothing else
  bool names_parameter = false;  ///< a .param name was used
  Span where;
};

/// Reads an expression and stops at the first character that cannot continue it (a '+' or '-' before '$' does not).
[[nodiscard]] Value parse_expression(Cursor& cursor, const Symbols& symbols);

/// The f32 bits of a float value; ASM-RANGE when it is too large for one.
[[nodiscard]] std::uint32_t single_bits(const Value& value);

/// `value` with its range checked: ASM-RANGE, saying `what` it is.
[[nodiscard]] std::int64_t checked(const Value& value, std::int64_t minimum, std::int64_t maximum,
                                   std::string_view what);

}  // namespace teslasim::text
