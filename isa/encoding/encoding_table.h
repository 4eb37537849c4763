// SPDX-License-Identifier: Apache-2.0
// The encoding table: one row per pattern of instruction words.
#pragma once

#include <array>
#include <span>

#include "isa/encoding/fields.h"

namespace teslasim {

/// Bits of both words (second word high) and the values they must have.
struct BitPattern {
  std::uint64_t mask = 0;
  std::uint64_t value = 0;

  friend constexpr BitPattern operator|(const BitPattern& left, const BitPattern& right) {
    return {left.mask | right.mask, left.value | right.value};
  }
};

inline constexpr std::size_t most_fields = 16;

struct EncodingRow {
  Opcode opcode = Opcode::nop;
  Form form = Form::long_form;
  std::uint8_t first_sm = 10;
  std::uint8_t bytes = 8;
  BitPattern fixed;                                 ///< what makes a word an instance of this row
  std::uint64_t usual = 0;                          ///< what compilers put into bits that have no effect here
  std::array<FieldFunction, most_fields> fields{};  ///< ends at the first null
};

/// All rows; where two patterns match the same words the earlier one counts.
[[nodiscard]] std::span<const EncodingRow> encoding_rows();

}  // namespace teslasim
