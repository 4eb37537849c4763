// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/select_arithmetic.h"

#include <array>
#include <optional>
#include <utility>

#include "frontend/compiler/routines.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;
using Kind = Operand::Kind;

void finish(const SelectionContext& c, const IrNode& node, const MachineInstruction& one) {
  c.builder.append(one);
  c.builder.note_definition(node.results[0]);
}

/// Integers without sign unless the sum saturates.
void select_sum(const SelectionContext& c, const IrNode& node) {
  const bool difference = node.operation == Op::subtract;
  MachineInstruction one = c.with_result(node, difference ? Opcode::sub : Opcode::add);
  one.instruction.type = node.saturate ? ValueType::s32 : ValueType::u32;
  one.instruction.saturate = node.saturate;
  std::vector<IrArgument> arguments = node.arguments;
  // second - first, so that what must be the first source is.
  if (difference && (arguments[0].is_constant() ||
                     (c.operands.is_shared_operand(arguments[1]) && !c.operands.is_shared_operand(arguments[0])))) {
    one.instruction.opcode = Opcode::subr;
    std::swap(arguments[0], arguments[1]);
  }
  c.operands.set_sources(one, std::move(arguments), !difference);
  finish(c, node, one);
}

void select_product(const SelectionContext& c, const IrNode& node) {
  const bool with_sum = node.operation == Op::multiply_add_16 || node.operation == Op::multiply_add_24;
  const bool wide = node.operation == Op::multiply_24 || node.operation == Op::multiply_add_24;
  MachineInstruction one = c.with_result(node, with_sum ? Opcode::mad : Opcode::mul);
  Instruction& i = one.instruction;
  const bool with_sign = node.type == ValueType::s32;
  i.type = with_sign ? ValueType::s32 : ValueType::u32;
  i.product_24 = wide;
  i.high = node.high;
  i.saturate = node.saturate;
  const ValueType factor = wide ? i.type : with_sign ? ValueType::s16 : ValueType::u16;
  i.source_type[0] = i.source_type[1] = factor;
  if (node.subtract_product) i.mad_operation = AddKind::subr;
  c.operands.set_sources(one, node.arguments, true);
  finish(c, node, one);
}

void select_logic(const SelectionContext& c, const IrNode& node) {
  const Opcode opcode = node.operation == Op::bit_and  ? Opcode::logic_and
                        : node.operation == Op::bit_or ? Opcode::logic_or
                                                       : Opcode::logic_xor;
  MachineInstruction one = c.with_result(node, opcode);
  std::vector<IrArgument> arguments = node.arguments;
  // What is complemented on the way needs no instruction of its own.
  bool inverted[2] = {false, false};
  for (std::size_t k = 0; k < 2; ++k) {
    const IrNode* inner = c.function.source(arguments[k]);
    if (inner == nullptr || inner->operation != Op::bit_not || inner->arguments[0].is_constant()) continue;
    if (c.operands.is_shared_operand(inner->arguments[0]) || c.operands.is_shared_operand(arguments[1 - k])) continue;
    arguments[k] = inner->arguments[0];
    inverted[k] = true;
  }
  c.operands.set_sources(one, std::move(arguments), !inverted[0] && !inverted[1]);
  for (std::size_t k = 0; k < 2; ++k) one.instruction.source[k].invert = inverted[k];
  finish(c, node, one);
}

void select_complement(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one = c.with_result(node, Opcode::logic_pass);
  c.operands.set_register(one, 1, node.arguments[0]);
  one.instruction.source[1].invert = true;
  finish(c, node, one);
}

void select_shift(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one = c.with_result(node, node.operation == Op::shift_left ? Opcode::shl : Opcode::shr);
  one.instruction.type = node.type == ValueType::s32 ? ValueType::s32 : ValueType::u32;
  c.operands.set_sources(one, node.arguments, false);
  finish(c, node, one);
}

Relations mirrored(Relations relations) {
  const auto bits = static_cast<unsigned>(relations);
  return static_cast<Relations>((bits & 10U) | (bits & 1U) << 2U | (bits & 4U) >> 2U);
}

void select_comparison(const SelectionContext& c, const IrNode& node, Opcode opcode, ValueType type) {
  MachineInstruction one = c.with_result(node, opcode);
  one.instruction.type = type;
  one.instruction.compare = node.compare;
  std::vector<IrArgument> arguments = node.arguments;
  const bool swap = arguments[0].is_constant() ||
                    (c.operands.is_shared_operand(arguments[1]) && !c.operands.is_shared_operand(arguments[0]));
  if (swap) {
    std::swap(arguments[0], arguments[1]);
    one.instruction.compare = mirrored(node.compare);
  }
  c.operands.set_sources(one, std::move(arguments), false);
  finish(c, node, one);
}

void select_extreme(const SelectionContext& c, const IrNode& node) {
  const bool floats = node.operation == Op::float_minimum || node.operation == Op::float_maximum;
  const bool least = node.operation == Op::minimum || node.operation == Op::float_minimum;
  MachineInstruction one = c.with_result(node, floats  ? (least ? Opcode::fmin : Opcode::fmax)
                                               : least ? Opcode::min
                                                       : Opcode::max);
  one.instruction.type = floats ? ValueType::f32 : node.type == ValueType::s32 ? ValueType::s32 : ValueType::u32;
  c.operands.set_sources(one, node.arguments, true);
  finish(c, node, one);
}

void select_float(const SelectionContext& c, const IrNode& node) {
  const bool with_sum = node.operation == Op::float_multiply_add;
  const Opcode opcode = with_sum ? Opcode::fmad : node.operation == Op::float_add ? Opcode::fadd : Opcode::fmul;
  MachineInstruction one = c.with_result(node, opcode);
  one.instruction.type = ValueType::f32;
  one.instruction.rounding = node.rounding;
  one.instruction.saturate = node.saturate;
  std::vector<IrArgument> arguments = node.arguments;
  if (opcode != Opcode::fadd) {
    // The sign of a product is that of its first factor.
    arguments[0].negate = arguments[0].negate != arguments[1].negate;
    arguments[1].negate = false;
  }
  const bool negated = arguments[0].negate && opcode != Opcode::fadd;
  arguments[0].negate = negated ? false : arguments[0].negate;
  c.operands.set_sources(one, std::move(arguments), true);
  if (negated) one.instruction.source[0].negate = true;
  finish(c, node, one);
}

void select_special(const SelectionContext& c, const IrNode& node, Opcode opcode) {
  MachineInstruction one = c.with_result(node, opcode);
  one.instruction.type = ValueType::f32;
  if (node.arguments[0].is_constant()) {
    c.operands.set_register(
        one, 0, constant_argument(node.arguments[0].constant ^ (node.arguments[0].negate ? 0x80000000U : 0U)));
  } else {
    c.operands.set_sources(one, node.arguments, false);
  }
  finish(c, node, one);
}

/// The other value, and over it, where the condition says so, the first.
void select_choice(const SelectionContext& c, const IrNode& node) {
  const IrArgument &taken = node.arguments[1], &other = node.arguments[2];
  const VirtualRegister result = c.builder.register_of(node.results[0]);
  // A guarded move has no immediate, so a constant goes first; of two values, one that is read elsewhere too, so that
  // the other can be computed under the guard.
  const auto is_own = [&](const IrArgument& value) { return !value.is_constant() && c.uses[value.value] == 1; };
  const bool swap = !other.is_constant() && (taken.is_constant() || (is_own(other) && !is_own(taken)));
  const IrArgument& first = swap ? taken : other;
  const IrArgument& second = swap ? other : taken;
  const VirtualRegister second_register = c.operands.in_register(second);
  if (first.is_constant())
    c.builder.materialise_into(result, first.constant);
  else
    c.builder.copy(result, c.operands.in_register(first));
  MachineInstruction move = copy_of(result, second_register);
  const auto [flags, negated] = c.flags_of(node.arguments[0]);
  move.guard = flags;
  move.instruction.condition = swap != negated ? condition_false : condition_true;
  c.builder.append(move);
}

void select_vote(const SelectionContext& c, const IrNode& node) {
  MachineInstruction vote;
  Instruction& i = vote.instruction;
  i.opcode = Opcode::vote;
  i.vote().kind = node.vote;
  if (node.arguments[0].is_constant()) {
    i.condition = node.arguments[0].constant != 0 ? condition_always : condition_never;
  } else {
    const auto [flags, negated] = c.flags_of(node.arguments[0]);
    vote.guard = flags;
    i.condition = negated ? condition_false : condition_true;
  }
  i.flag_destination = 0;
  const VirtualRegister flags = c.builder.new_register(RegisterClass::flags);
  vote.flag_result = flags;
  c.builder.append(vote);
  c.builder.note_flags(node.results[0], flags);
  const VirtualRegister result = c.builder.register_of(node.results[0]);
  const VirtualRegister truth = c.builder.materialise(~0U);
  c.builder.materialise_into(result, 0);
  MachineInstruction move = copy_of(result, truth);
  move.guard = flags;
  move.instruction.condition = condition_true;
  c.builder.append(move);
}

/// The counter of a clock and its kin.
void select_special_register(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one = c.with_result(node, Opcode::mov_from_special);
  one.instruction.source[0].kind = Kind::special;
  one.instruction.source[0].index = static_cast<std::uint8_t>(node.number);
  c.builder.append(one);
}

/// A word from s[] that no instruction can read in place, or one that is another's.
void select_copy(const SelectionContext& c, const IrNode& node) {
  const VirtualRegister result = c.builder.register_of(node.results[0]);
  if (node.operation == Op::launch_word)
    return c.builder.copy(result, c.builder.load_launch_word(node, c.options.sm >= 11));
  if (node.arguments[0].is_constant()) return c.builder.materialise_into(result, node.arguments[0].constant);
  c.builder.copy(result, c.operands.in_register(node.arguments[0]));
}

/// 0x80000000 stays what it is: the result has no sign.
void select_absolute(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one = c.with_result(node, Opcode::convert_int_int);
  one.instruction.type = ValueType::u32;
  one.instruction.source_type[0] = ValueType::s32;
  c.operands.set_register(one, 0, node.arguments[0]);
  one.instruction.source[0].absolute = true;
  finish(c, node, one);
}

void move_into(const SelectionContext& c, VirtualRegister result, const IrArgument& argument) {
  if (argument.is_constant()) return c.builder.materialise_into(result, argument.constant);
  c.builder.copy(result, c.operands.in_register(argument));
}

/// Operands move to where the routine reads them; the first register has the result then.
void select_call(const SelectionContext& c, const IrNode& node) {
  const MachineRoutine routine = routine_of(c.builder.machine(), node.number);
  for (std::size_t k = 0; k < routine.operand.size(); ++k) move_into(c, routine.operand[k], node.arguments[k]);
  MachineInstruction call;
  call.instruction.opcode = Opcode::call;
  call.instruction.form = Form::control_form;
  call.target = routine.block;
  for (std::size_t k = 0; k < routine.operand.size(); ++k) call.source[k] = RegisterTuple(routine.operand[k]);
  call.result = RegisterTuple(routine.operand[0]);
  c.builder.append(call);
  c.builder.copy(c.builder.register_of(node.results[0]), routine.operand[0]);
}

std::optional<Opcode> special_function(Op operation) {
  struct Row {
    Op operation;
    Opcode opcode;
  };
  constexpr auto rows = std::to_array<Row>({{Op::reciprocal, Opcode::rcp},
                                            {Op::reciprocal_root, Opcode::rsqrt},
                                            {Op::logarithm, Opcode::lg2},
                                            {Op::prepare_sine, Opcode::presin},
                                            {Op::prepare_power, Opcode::preex2},
                                            {Op::sine, Opcode::sin},
                                            {Op::cosine, Opcode::cos},
                                            {Op::power, Opcode::ex2}});
  for (const Row& row : rows) {
    if (row.operation == operation) return row.opcode;
  }
  return std::nullopt;
}

}  // namespace

void select_arithmetic(const SelectionContext& c, const IrNode& node) {
  switch (node.operation) {
    case Op::add:
    case Op::subtract:
      return select_sum(c, node);
    case Op::multiply_16:
    case Op::multiply_add_16:
    case Op::multiply_24:
    case Op::multiply_add_24:
      return select_product(c, node);
    case Op::sum_of_differences: {
      MachineInstruction one = c.with_result(node, Opcode::sad);
      one.instruction.type = node.type == ValueType::s32 ? ValueType::s32 : ValueType::u32;
      c.operands.set_sources(one, node.arguments, true);
      return finish(c, node, one);
    }
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
      return select_logic(c, node);
    case Op::bit_not:
      return select_complement(c, node);
    case Op::absolute:
      return select_absolute(c, node);
    case Op::routine_call:
      return select_call(c, node);
    case Op::shift_left:
    case Op::shift_right:
      return select_shift(c, node);
    case Op::compare:
      return select_comparison(c, node, Opcode::set, node.type == ValueType::s32 ? ValueType::s32 : ValueType::u32);
    case Op::float_compare:
      return select_comparison(c, node, Opcode::fset, ValueType::f32);
    case Op::minimum:
    case Op::maximum:
    case Op::float_minimum:
    case Op::float_maximum:
      return select_extreme(c, node);
    case Op::float_add:
    case Op::float_multiply:
    case Op::float_multiply_add:
      return select_float(c, node);
    case Op::select:
      return select_choice(c, node);
    case Op::vote:
      return select_vote(c, node);
    case Op::special_register:
      return select_special_register(c, node);
    case Op::launch_word:
    case Op::copy:
      return select_copy(c, node);
    default:
      if (const auto opcode = special_function(node.operation)) return select_special(c, node, *opcode);
      return select_wide_arithmetic(c, node);
  }
}

}  // namespace teslasim::compiler
