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

/// The upper word of a product: that of 16-bit halves, with the carries of the two sums in between.
class UpperProduct {
 public:
  UpperProduct(const SelectionContext& c, const IrNode& node)
      : c_(c),
        left_(c.operands.in_register(node.arguments[0])),
        right_(c.operands.in_register(node.arguments[1])),
        result_(c.builder.register_of(node.results[0])) {}

  void run() {
    const VirtualRegister first = multiply(Half::low, Half::high, no_register);
    const Carried middle = append_with_carry(product(Half::high, Half::low, first), 3);
    const VirtualRegister upper = shift(Opcode::shr, middle.value);
    add_where_carried(upper, middle.carry);
    const VirtualRegister lower = shift(Opcode::shl, middle.value);
    const VirtualRegister most = multiply(Half::high, Half::high, upper);
    const Carried least = append_with_carry(product(Half::low, Half::low, lower), 2);
    add_carry(most, least.carry);
  }

 private:
  using Half = Operand::Half;
  struct Carried {
    VirtualRegister value, carry;
  };

  [[nodiscard]] MachineInstruction with_result(Opcode opcode, VirtualRegister result) const {
    MachineInstruction one;
    one.instruction.opcode = opcode;
    one.instruction.type = ValueType::u32;
    one.instruction.destination[0].kind = Kind::gpr;
    one.result = RegisterTuple(result);
    return one;
  }
  static void read(MachineInstruction& one, std::size_t position, VirtualRegister source, Half half = Half::full) {
    one.instruction.source[position].kind = Kind::gpr;
    one.instruction.source[position].half = half;
    one.source[position] = RegisterTuple(source);
  }

  [[nodiscard]] MachineInstruction product(Half left, Half right, VirtualRegister sum) const {
    MachineInstruction one = with_result(sum == no_register ? Opcode::mul : Opcode::mad, c_.builder.new_register());
    one.instruction.source_type[0] = one.instruction.source_type[1] = ValueType::u16;
    read(one, 0, left_, left);
    read(one, 1, right_, right);
    if (sum != no_register) read(one, 2, sum);
    return one;
  }
  [[nodiscard]] VirtualRegister multiply(Half left, Half right, VirtualRegister sum) const {
    return c_.builder.append(product(left, right, sum)).result[0];
  }
  /// `instructions`: from this one to the last that reads its carry.
  [[nodiscard]] Carried append_with_carry(MachineInstruction one, std::size_t instructions) const {
    one.flag_result = c_.builder.new_carry(instructions);
    one.instruction.flag_destination = 0;
    return {c_.builder.append(one).result[0], one.flag_result};
  }
  [[nodiscard]] VirtualRegister shift(Opcode opcode, VirtualRegister value) const {
    MachineInstruction one = with_result(opcode, c_.builder.new_register());
    read(one, 0, value);
    one.instruction.source[1].kind = Kind::immediate;
    one.instruction.source[1].immediate = 16;
    return c_.builder.append(one).result[0];
  }
  void read_constant(MachineInstruction& one, std::size_t position, std::uint32_t constant) const {
    const auto offset = c_.builder.literal(constant);
    if (!offset) return read(one, position, c_.builder.materialise(constant));
    Operand& operand = one.instruction.source[position];
    operand.kind = Kind::constant;
    operand.bank = 1;
    operand.offset = static_cast<std::int32_t>(*offset);
  }
  /// The carry is worth 2^32, and so 2^16 in a word that was shifted.
  void add_where_carried(VirtualRegister value, VirtualRegister carry) const {
    MachineInstruction one = with_result(Opcode::add, value);
    read(one, 0, value);
    read_constant(one, 1, 1U << 16U);
    one.guard = carry;
    one.instruction.condition = condition_carry;
    c_.builder.append(one);
  }
  void add_carry(VirtualRegister value, VirtualRegister carry) const {
    MachineInstruction one = with_result(Opcode::addc, result_);
    read(one, 0, value);
    read_constant(one, 1, 0);
    one.guard = carry;
    c_.builder.append(one);
  }

  const SelectionContext& c_;
  VirtualRegister left_, right_, result_;
};

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
    case Op::upper_product:
      return UpperProduct(c, node).run();
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
