// SPDX-License-Identifier: Apache-2.0
#include "isa/forms.h"

#include <array>

namespace teslasim {
namespace {

using namespace row_words;  // NOLINT(google-build-using-namespace): for the rows

constexpr std::array<FormRow, opcode_count> form_rows{{
#define OPCODE(name, mnemonic, unit, issue_class, first_sm, family, description, ...) FormRow{__VA_ARGS__},
#include "isa/opcodes.def"
#undef OPCODE
}};

std::int32_t shared_unit(ValueType access) {
  return static_cast<std::int32_t>(bytes_of(access));
}

/// An offset field of `bits` bits in units: signed when the address register is incremented.
OffsetField narrow_field(unsigned bits, std::int32_t unit, bool post_increment) {
  const std::int32_t values = std::int32_t{1} << bits;
  if (post_increment) return {-values / 2 * unit, (values / 2 - 1) * unit, unit};
  return {0, (values - 1) * unit, unit};
}

OffsetField wide_field(std::int32_t unit, bool post_increment) {
  if (post_increment) return {-0x8000, 0x7fff, unit};
  return {0, 0xffff, unit};
}

}  // namespace

const FormRow& form_row(Opcode opcode) {
  return form_rows[static_cast<std::size_t>(opcode)];
}

const SourceFields& FormRow::sources(Form form) const {
  switch (form) {
    case Form::long_form:
      return long_form;
    case Form::short_form:
      return short_form;
    case Form::immediate_form:
      return immediate_form;
    case Form::control_form:
      break;
  }
  return without_sources;
}

bool has_form(Opcode opcode, Form form) {
  const FormRow& row = form_row(opcode);
  return form == Form::control_form ? row.has_control_form : row.sources(form).exists();
}

ValueType access_type(ValueType type) {
  switch (bytes_of(type)) {
    case 1:
      return ValueType::u8;
    case 2:
      return type == ValueType::s16 ? ValueType::s16 : ValueType::u16;
    default:
      return ValueType::b32;
  }
}

OffsetField offset_field(SourceField field, Form form, const Operand& operand) {
  constexpr unsigned long_shared_bits = 5;
  constexpr unsigned short_shared_bits = 4;
  constexpr unsigned long_constant_bits = 7;
  constexpr unsigned short_constant_bits = 5;
  const bool is_long = form == Form::long_form;
  const std::int32_t unit = operand.kind == Operand::Kind::local ? 1 : shared_unit(operand.type);
  if (field == constant_memory || field == shared_memory || field == local_memory)
    return wide_field(unit, operand.post_increment);
  if (operand.kind == Operand::Kind::shared)
    return narrow_field(is_long ? long_shared_bits : short_shared_bits, unit, operand.post_increment);
  return narrow_field(is_long ? long_constant_bits : short_constant_bits, unit, operand.post_increment);
}

}  // namespace teslasim
