// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/text_random_operands.h"

namespace teslasim::test {
namespace {

using Kind = Operand::Kind;
using Half = Operand::Half;

}  // namespace

Operand RandomOperands::register_operand(bool half) {
  Operand operand;
  operand.kind = Kind::gpr;
  operand.index = static_cast<std::uint8_t>(chance(80) ? 4 * below(8) : below(128));
  if (half) operand.half = chance(50) ? Half::low : Half::high;
  return operand;
}

void RandomOperands::add_address(Operand& operand, char letter) {
  const OffsetField plain = offset_field(letter, form_, operand);
  if (chance(30)) {
    operand.address_register = static_cast<std::uint8_t>(1 + below(4));
    operand.post_increment = chance(30);
  }
  const OffsetField field = operand.post_increment ? offset_field(letter, form_, operand) : plain;
  const auto steps = static_cast<unsigned>((field.maximum - field.minimum) / field.unit + 1);
  operand.offset =
      (field.minimum + field.unit - 1) / field.unit * field.unit + static_cast<std::int32_t>(below(steps)) * field.unit;
}

Operand RandomOperands::memory_operand(Kind kind, char letter, ValueType access) {
  Operand operand;
  operand.kind = kind;
  operand.type = access;
  if (kind == Kind::global) {
    operand.index = static_cast<std::uint8_t>(below(128));
    operand.bank = static_cast<std::uint8_t>(chance(80) ? 14 : below(16));
    return operand;
  }
  if (kind == Kind::constant) operand.bank = static_cast<std::uint8_t>(below(form_ == Form::short_form ? 2 : 16));
  add_address(operand, letter);
  return operand;
}

Operand RandomOperands::immediate(char letter, ValueType type) {
  Operand operand;
  operand.kind = Kind::immediate;
  operand.immediate = static_cast<std::uint32_t>(random_());
  if (letter == 'H') operand.immediate &= 127;
  if (letter == '4') operand.immediate &= 15;
  if (letter == 'W' || bytes_of(type) == 2) operand.immediate &= 0xffff;
  return operand;
}

}  // namespace teslasim::test
