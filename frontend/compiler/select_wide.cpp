// SPDX-License-Identifier: Apache-2.0
// Sums of two words, conversions, double precision.
#include <string>
#include <utility>

#include "frontend/compiler/select_arithmetic.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;
using Kind = Operand::Kind;

RegisterTuple results_of(const SelectionContext& c, const IrNode& node) {
  RegisterTuple tuple;
  for (const ValueIndex value : node.results) tuple.add(c.builder.register_of(value));
  return tuple;
}

/// The carry goes from the lower words to the upper ones in a flag register.
void select_wide_sum(const SelectionContext& c, const IrNode& node) {
  const bool difference = node.operation == Op::subtract_64;
  IrArgument upper = node.arguments[3];
  VirtualRegister inverted = no_register;
  if (difference && upper.is_constant()) upper = constant_argument(~upper.constant);
  if (difference && !upper.is_constant()) {
    MachineInstruction complement;
    complement.instruction.opcode = Opcode::logic_pass;
    complement.instruction.destination[0].kind = Kind::gpr;
    c.operands.set_register(complement, 1, upper);
    complement.instruction.source[1].invert = true;
    inverted = c.builder.new_register();
    complement.result = RegisterTuple(inverted);
    c.builder.append(complement);
  }
  MachineInstruction low;
  low.instruction.opcode = difference ? Opcode::sub : Opcode::add;
  low.instruction.type = ValueType::u32;
  low.instruction.destination[0].kind = Kind::gpr;
  low.result = RegisterTuple(c.builder.register_of(node.results[0]));
  c.operands.set_register(low, 0, node.arguments[0]);
  c.operands.set_register(low, 1, node.arguments[2]);
  MachineInstruction high;
  high.instruction.opcode = Opcode::addc;
  high.instruction.type = ValueType::u32;
  high.instruction.destination[0].kind = Kind::gpr;
  high.result = RegisterTuple(c.builder.register_of(node.results[1]));
  c.operands.set_register(high, 0, node.arguments[1]);
  if (inverted == no_register) {
    c.operands.set_register(high, 1, upper);
  } else {
    high.instruction.source[1].kind = Kind::gpr;
    high.source[1] = RegisterTuple(inverted);
  }
  const VirtualRegister carry = c.builder.new_carry();
  low.flag_result = carry;
  low.instruction.flag_destination = 0;
  high.guard = carry;
  c.builder.append(low);
  c.builder.append(high);
}

bool is_float_type(ValueType type) {
  return type == ValueType::f16 || type == ValueType::f32 || type == ValueType::f64;
}

void select_conversion(const SelectionContext& c, const IrNode& node) {
  const bool to = is_float_type(node.type), from = is_float_type(node.source_type);
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.opcode = to     ? (from ? Opcode::convert_float_float : Opcode::convert_int_float)
             : from ? Opcode::convert_float_int
                    : Opcode::convert_int_int;
  i.type = node.type;
  i.source_type[0] = node.source_type;
  i.rounding = node.rounding;
  i.saturate = node.saturate;
  i.round_to_integer = node.round_to_integer;
  i.destination[0].kind = Kind::gpr;
  one.result = results_of(c, node);
  const bool half_source = bytes_of(node.source_type) == 2, half_result = bytes_of(node.type) == 2;
  c.operands.set_words(one, 0, node.arguments);
  if (half_source) i.source[0].half = Operand::Half::low;
  if (half_result) i.destination[0].half = Operand::Half::low;
  c.builder.append(one);
}

Opcode double_opcode(Op operation) {
  switch (operation) {
    case Op::double_add:
      return Opcode::dadd;
    case Op::double_multiply:
      return Opcode::dmul;
    case Op::double_multiply_add:
      return Opcode::dfma;
    case Op::double_minimum:
      return Opcode::dmin;
    case Op::double_maximum:
      return Opcode::dmax;
    default:
      return Opcode::dset;
  }
}

void select_double(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.opcode = double_opcode(node.operation);
  i.type = ValueType::f64;
  i.rounding = node.rounding;
  i.compare = node.compare;
  i.destination[0].kind = Kind::gpr;
  one.result = results_of(c, node);
  for (std::size_t k = 0; 2 * k < node.arguments.size(); ++k) {
    c.operands.set_words(one, k, {node.arguments[2 * k], node.arguments[2 * k + 1]});
  }
  c.builder.append(one);
  if (node.operation == Op::double_compare) c.builder.note_definition(node.results[0]);
}

}  // namespace

void select_wide_arithmetic(const SelectionContext& c, const IrNode& node) {
  switch (node.operation) {
    case Op::add_64:
    case Op::subtract_64:
      return select_wide_sum(c, node);
    case Op::convert:
      return select_conversion(c, node);
    case Op::double_add:
    case Op::double_multiply:
    case Op::double_multiply_add:
    case Op::double_minimum:
    case Op::double_maximum:
    case Op::double_compare:
      return select_double(c, node);
    default:
      throw InternalError("no instruction for '" + std::string(row_of(node.operation).word) + "'");
  }
}

}  // namespace teslasim::compiler
