// SPDX-License-Identifier: Apache-2.0
#include "isa/forms.h"

#include <array>

namespace teslasim {
namespace {

constexpr std::string_view none = ".";

// opcode, long, short, immediate, destination, flags, modifiers
constexpr std::array form_rows{
    FormRow{Opcode::mov, "S", "S", "I", 'r', 'o', ""},
    FormRow{Opcode::mov_from_flags, "F", none, none, 'g', '-', ""},
    FormRow{Opcode::mov_from_address, "A", none, none, 'g', '-', ""},
    FormRow{Opcode::mov_from_special, "X", none, none, 'g', '-', ""},
    FormRow{Opcode::mov_to_flags, "R", none, none, '-', '!', ""},
    FormRow{Opcode::shift_to_address, "S4", none, none, 'a', '-', ""},
    FormRow{Opcode::add_address, "AW", none, none, 'a', '-', ""},
    FormRow{Opcode::load_constant, "c", none, none, 'g', '-', ""},
    FormRow{Opcode::load_shared, "s", none, none, 'g', 'o', ""},
    FormRow{Opcode::store_shared, "R", none, none, '-', '-', ""},
    FormRow{Opcode::vote, "", none, none, '-', '!', ""},
    FormRow{Opcode::add, "SC", "SC", "SI", 'r', 'o', ""},
    FormRow{Opcode::sub, "SC", "SC", "SI", 'r', 'o', ""},
    FormRow{Opcode::subr, "SC", "SC", "SI", 'r', 'o', ""},
    FormRow{Opcode::addc, "SC", "SC", "SI", 'r', 'o', ""},
    FormRow{Opcode::set, "SC", none, none, 'r', 'o', ""},
    FormRow{Opcode::max, "SC", none, none, 'r', 'o', ""},
    FormRow{Opcode::min, "SC", none, none, 'r', 'o', ""},
    FormRow{Opcode::shl, "SH", none, none, 'r', 'o', ""},
    FormRow{Opcode::shr, "SH", none, none, 'r', 'o', ""},
    FormRow{Opcode::mul, "SC", "SC", "SI", 'r', 'o', ""},
    FormRow{Opcode::sad, "SCC", "RRD", none, 'r', 'o', ""},
    FormRow{Opcode::mad, "SCC", "SCD", "SID", 'r', 'o', ""},
    FormRow{Opcode::logic_and, "SC", none, "SI", 'r', 'o', "i01"},
    FormRow{Opcode::logic_or, "SC", none, "SI", 'r', 'o', "i01"},
    FormRow{Opcode::logic_xor, "SC", none, "SI", 'r', 'o', "i01"},
    FormRow{Opcode::logic_pass, "-C", none, "-I", 'r', 'o', "i1"},
    FormRow{Opcode::convert_int_int, "S", none, none, 'r', 'o', "n0a0"},
    FormRow{Opcode::convert_int_float, "S", none, none, 'r', 'o', "n0a0"},
    FormRow{Opcode::convert_float_int, "S", none, none, 'r', 'o', "n0a0"},
    FormRow{Opcode::convert_float_float, "S", none, none, 'r', 'o', "n0a0"},
    FormRow{Opcode::fadd, "SC", "SC", "SI", 'r', 'o', "n01"},
    FormRow{Opcode::fset, "SC", none, none, 'r', 'o', "n01a01"},
    FormRow{Opcode::fmax, "SC", none, none, 'r', 'o', "n01a01"},
    FormRow{Opcode::fmin, "SC", none, none, 'r', 'o', "n01a01"},
    FormRow{Opcode::presin, "S", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::preex2, "S", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::fmul, "SC", "SC", "SI", 'r', 'o', "n01"},
    FormRow{Opcode::slct, "SCC", none, none, 'r', 'o', ""},
    FormRow{Opcode::quadop, "RR", none, none, 'r', '-', ""},
    FormRow{Opcode::fmad, "SCC", "SCD", "SID", 'r', 'o', "n02"},
    FormRow{Opcode::rcp, "R", "R", none, 'r', '-', "n0a0"},
    FormRow{Opcode::rsqrt, "R", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::lg2, "R", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::sin, "R", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::cos, "R", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::ex2, "R", none, none, 'r', '-', "n0a0"},
    FormRow{Opcode::dfma, "RRR", none, none, 'r', 'o', "n02"},
    FormRow{Opcode::dadd, "RR", none, none, 'r', 'o', "n01"},
    FormRow{Opcode::dmul, "RR", none, none, 'r', 'o', "n0"},
    FormRow{Opcode::dmin, "RR", none, none, 'r', 'o', "n01a01"},
    FormRow{Opcode::dmax, "RR", none, none, 'r', 'o', "n01a01"},
    FormRow{Opcode::dset, "RR", none, none, 'r', 'o', "n01a01"},
    FormRow{Opcode::load_local, "l", none, none, 'g', '-', ""},
    FormRow{Opcode::store_local, "R", none, none, '-', '-', ""},
    FormRow{Opcode::load_global, "g", none, none, 'g', '-', ""},
    FormRow{Opcode::store_global, "R", none, none, '-', '-', ""},
    FormRow{Opcode::red, "R", none, none, '-', '-', ""},
    FormRow{Opcode::atom, "gRR", none, none, 'g', '-', ""},
    FormRow{Opcode::tex, "R", "R", none, 'g', '-', ""},
    FormRow{Opcode::bra, none, none, none, '-', '-', ""},
    FormRow{Opcode::call, none, none, none, '-', '-', ""},
    FormRow{Opcode::ret, none, none, none, '-', '-', ""},
    FormRow{Opcode::breakaddr, none, none, none, '-', '-', ""},
    FormRow{Opcode::brk, none, none, none, '-', '-', ""},
    FormRow{Opcode::joinat, none, none, none, '-', '-', ""},
    FormRow{Opcode::quadon, none, none, none, '-', '-', ""},
    FormRow{Opcode::quadpop, none, none, none, '-', '-', ""},
    FormRow{Opcode::bar, none, none, none, '-', '-', ""},
    FormRow{Opcode::trap, none, "", none, '-', '-', ""},
    FormRow{Opcode::brkpt, none, "", none, '-', '-', ""},
    FormRow{Opcode::nop, "", none, none, '-', '-', ""},
    FormRow{Opcode::pmevent, "", none, none, '-', '-', ""},
};
static_assert(form_rows.size() == opcode_count, "one row per operation");

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < form_rows.size(); ++i) {
    if (static_cast<std::size_t>(form_rows[i].opcode) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_order(), "rows in the order of opcodes.def");

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

bool is_control(Opcode opcode) {
  return info(opcode).unit == UnitClass::control && form_row(opcode).long_form == none;
}

bool has_form(Opcode opcode, Form form) {
  const FormRow& row = form_row(opcode);
  switch (form) {
    case Form::long_form:
      return row.long_form != none;
    case Form::short_form:
      return row.short_form != none;
    case Form::immediate_form:
      return row.immediate_form != none;
    case Form::control_form:
      return is_control(opcode);
  }
  return false;
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

OffsetField offset_field(char letter, Form form, const Operand& operand) {
  constexpr unsigned long_shared_bits = 5;
  constexpr unsigned short_shared_bits = 4;
  constexpr unsigned long_constant_bits = 7;
  constexpr unsigned short_constant_bits = 5;
  const bool is_long = form == Form::long_form;
  const std::int32_t unit = operand.kind == Operand::Kind::local ? 1 : shared_unit(operand.type);
  if (letter == 'c' || letter == 's' || letter == 'l') return wide_field(unit, operand.post_increment);
  if (operand.kind == Operand::Kind::shared)
    return narrow_field(is_long ? long_shared_bits : short_shared_bits, unit, operand.post_increment);
  return narrow_field(is_long ? long_constant_bits : short_constant_bits, unit, operand.post_increment);
}

}  // namespace teslasim
