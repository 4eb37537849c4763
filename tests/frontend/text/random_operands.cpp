// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/text/random_operands.h"

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

void RandomOperands::add_address(Operand& operand, SourceField field) {
  const OffsetField plain = offset_field(field, form_, operand);
  if (chance(30)) {
    operand.address_register = static_cast<std::uint8_t>(1 + below(4));
    operand.post_increment = chance(30);
  }
  const OffsetField reach = operand.post_increment ? offset_field(field, form_, operand) : plain;
  const auto steps = static_cast<unsigned>((reach.maximum - reach.minimum) / reach.unit + 1);
  operand.offset =
      (reach.minimum + reach.unit - 1) / reach.unit * reach.unit + static_cast<std::int32_t>(below(steps)) * reach.unit;
}

Operand RandomOperands::memory_operand(Kind kind, SourceField field, ValueType access) {
  Operand operand;
  operand.kind = kind;
  operand.type = access;
  if (kind == Kind::global) {
    operand.index = static_cast<std::uint8_t>(below(128));
    operand.bank = static_cast<std::uint8_t>(chance(80) ? 14 : below(16));
    return operand;
  }
  if (kind == Kind::constant) operand.bank = static_cast<std::uint8_t>(below(form_ == Form::short_form ? 2 : 16));
  add_address(operand, field);
  return operand;
}

Operand RandomOperands::immediate(SourceField field, ValueType type) {
  Operand operand;
  operand.kind = Kind::immediate;
  operand.immediate = static_cast<std::uint32_t>(random_());
  if (field == SourceField::gpr_constant_or_count) operand.immediate &= 127;
  if (field == SourceField::number_4) operand.immediate &= 15;
  if (field == SourceField::number_16 || bytes_of(type) == 2) operand.immediate &= 0xffff;
  return operand;
}

}  // namespace teslasim::test
