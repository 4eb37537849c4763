// SPDX-License-Identifier: Apache-2.0
// What each operation can hold in each of its forms: kinds of operands, field widths, modifiers, types.
//
// Stands for the operand fields of the instruction words. `encoding_problem` answers "is there a word for this
// instruction, and if not, why"; the assembler puts its answer at the right operand. It does not know labels, the
// instruction set level (`required_sm`) or the alignment of instruction addresses.
// Sources: van der Laan 2008 (decuda), envytools documentation of the G80 family.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/instruction.h"

namespace teslasim {

/// Operands of one operation. One letter per source:
///   R register   S register or s[]   C register or c[]   H register, c[] or shift count
///   I immediate  W 16-bit immediate  4 immediate 0..15   D the destination register again
///   A address register   F flags   X special register   c s l g whole memory of that space   - ignored
struct FormRow {
  Opcode opcode;
  std::string_view long_form;  ///< "." when there is none
  std::string_view short_form;
  std::string_view immediate_form;
  char destination;            ///< r register or bit bucket, g register, a address register, - none
  char flags;                  ///< flag result: o optional, ! always, - none
  std::string_view modifiers;  ///< "n0 a0 i0"-style: negate, absolute, invert by source position, e.g. "n01a01"
};

[[nodiscard]] const FormRow& form_row(Opcode opcode);
[[nodiscard]] bool has_form(Opcode opcode, Form form);
/// Branches, barriers and the like: the control container.
[[nodiscard]] bool is_control(Opcode opcode);

/// Why there is no instruction word.
struct EncodingProblem {
  enum class Kind : std::uint8_t { form, operand, type, register_number, range };
  enum class Place : std::uint8_t { instruction, flags, destination, source_0, source_1, source_2, store_target };
  Kind kind = Kind::operand;
  Place place = Place::instruction;
  std::string message;
  std::string help;
};

/// The first problem of a finished instruction, or nothing when it can be encoded.
[[nodiscard]] std::optional<EncodingProblem> encoding_problem(const Instruction& instruction);

/// The access type that a source read as `type` has in s[] unless another is written.
[[nodiscard]] ValueType access_type(ValueType type);

/// Reach of the offset field of a memory operand.
struct OffsetField {
  std::int32_t minimum = 0;
  std::int32_t maximum = 0;
  std::int32_t unit = 1;
};
/// `letter` is the FormRow letter of the operand; `type` the access type (s[]) or operand type (c[]).
[[nodiscard]] OffsetField offset_field(char letter, Form form, const Operand& operand);

}  // namespace teslasim
