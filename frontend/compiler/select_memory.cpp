// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/select_memory.h"

#include <utility>

#include "frontend/compiler/ptx_values.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;
using Kind = Operand::Kind;

/// CUDA's window of device memory.
constexpr std::uint8_t global_window = 14;

RegisterTuple results_of(const SelectionContext& c, const IrNode& node) {
  RegisterTuple tuple;
  for (const ValueIndex value : node.results) tuple.add(c.builder.register_of(value));
  return tuple;
}

Operand memory_operand(const SelectionContext& c, MachineInstruction& one, const IrNode& node, Kind kind) {
  Operand operand;
  operand.kind = kind;
  operand.type = node.type;
  if (kind == Kind::global) {
    operand.bank = global_window;
    one.memory = c.operands.in_register(node.arguments[0]);
  } else {
    c.operands.set_address(one, operand, node.arguments[0], node.offset, whole_reach);
  }
  return operand;
}

/// sm_10 has no load from s[] beside the first source of other instructions, which reaches 124 bytes.
void select_shared_load(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.destination[0].kind = Kind::gpr;
  one.result = results_of(c, node);
  Operand& operand = i.source[0];
  operand.kind = Kind::shared;
  // s8 is read without sign and extended by the translator's conversion.
  const bool byte_with_sign = node.type == ValueType::s8;
  operand.type = byte_with_sign ? ValueType::u8 : node.type;
  const std::uint32_t near = shared_reach_of(operand.type);
  const bool far_loads = c.options.sm >= 11;
  c.operands.set_address(one, operand, node.arguments[0], node.offset, far_loads ? whole_reach : near);
  if (!far_loads && static_cast<std::uint32_t>(operand.offset) > near) c.builder.move_offset_to_address(one, operand);
  i.opcode = static_cast<std::uint32_t>(operand.offset) <= near ? Opcode::mov : Opcode::load_shared;
  const VirtualRegister result = one.result[0];
  one.ordered = node.is_volatile;
  c.operands.set_guard(one, node);
  c.builder.append(one);
  if (byte_with_sign) c.builder.extend_byte(result);
}

void select_load(const SelectionContext& c, const IrNode& node) {
  if (node.space == IrSpace::shared) return select_shared_load(c, node);
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.destination[0].kind = Kind::gpr;
  one.result = results_of(c, node);
  i.type = node.type;
  if (node.space == IrSpace::constant) {
    i.opcode = Opcode::load_constant;
    i.type = ValueType::b32;
    i.source[0] = memory_operand(c, one, node, Kind::constant);
    if (node.type == ValueType::s8) i.source[0].type = ValueType::u8;
  } else if (node.space == IrSpace::local) {
    i.opcode = Opcode::load_local;
    i.source[0] = memory_operand(c, one, node, Kind::local);
  } else {
    i.opcode = Opcode::load_global;
    i.source[0] = memory_operand(c, one, node, Kind::global);
  }
  const VirtualRegister result = one.result[0];
  one.ordered = node.is_volatile;
  c.operands.set_guard(one, node);
  c.builder.append(one);
  if (node.space == IrSpace::constant && node.type == ValueType::s8) c.builder.extend_byte(result);
}

void select_store(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  c.operands.set_words(one, 0, {node.arguments.begin() + 1, node.arguments.end() - (node.guarded ? 1 : 0)});
  i.type = node.type;
  if (node.space == IrSpace::shared) {
    i.opcode = Opcode::store_shared;
    i.type = ValueType::b32;
    i.store_target = memory_operand(c, one, node, Kind::shared);
    if (i.store_target.type == ValueType::s8) i.store_target.type = ValueType::u8;
    if (i.store_target.type == ValueType::s16) i.store_target.type = ValueType::u16;
  } else if (node.space == IrSpace::local) {
    i.opcode = Opcode::store_local;
    i.store_target = memory_operand(c, one, node, Kind::local);
  } else {
    i.opcode = Opcode::store_global;
    i.store_target = memory_operand(c, one, node, Kind::global);
  }
  one.ordered = node.is_volatile;
  c.operands.set_guard(one, node);
  c.builder.append(one);
}

void select_atomic(const SelectionContext& c, const IrNode& node) {
  const std::size_t words = node.type == ValueType::u64 ? 2 : 1;
  bool wanted = false;
  for (const ValueIndex value : node.results) wanted = wanted || c.uses[value] != 0;
  const bool returns =
      wanted || node.atomic == AtomicOperation::exch || node.atomic == AtomicOperation::cas || words == 2;
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.opcode = returns ? Opcode::atom : Opcode::red;
  i.type = node.type;
  i.atomic().operation = node.atomic;
  const auto words_from = [&](std::size_t at) {
    const auto first = node.arguments.begin() + static_cast<std::ptrdiff_t>(at);
    return std::vector<IrArgument>(first, first + static_cast<std::ptrdiff_t>(words));
  };
  Operand place = memory_operand(c, one, node, Kind::global);
  place.type = node.type;
  if (returns) {
    i.destination[0].kind = Kind::gpr;
    one.result = results_of(c, node);
    i.source[0] = place;
    c.operands.set_words(one, 1, words_from(1));
    if (node.atomic == AtomicOperation::cas) c.operands.set_words(one, 2, words_from(1 + words));
  } else {
    i.store_target = place;
    c.operands.set_words(one, 0, words_from(1));
  }
  c.builder.append(one);
}

/// Arguments and results share registers: the arguments are moved to new ones first.
void select_texture(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.opcode = Opcode::tex;
  TextureDetails& details = i.texture();
  const std::uint32_t slot = node.arguments[0].is_constant() ? node.arguments[0].constant - texture_handle : 0;
  details.texture = details.sampler = static_cast<std::uint8_t>(slot);
  details.coordinates = node.dimensions;
  details.texel_fetch = node.texel_fetch;
  i.destination[0].kind = Kind::gpr;
  for (std::size_t k = 0; k < node.results.size(); ++k) {
    if (c.uses[node.results[k]] == 0) continue;
    details.result_mask = static_cast<std::uint8_t>(details.result_mask | 1U << k);
    one.result.add(c.builder.register_of(node.results[k]));
  }
  if (one.result.empty()) return;
  i.source[0].kind = Kind::gpr;
  for (std::size_t k = 1; k < node.arguments.size(); ++k) {
    const VirtualRegister moved = c.builder.new_register();
    c.builder.copy(moved, c.operands.in_register(node.arguments[k]));
    one.source[0].add(moved);
  }
  one.result_again = true;
  c.builder.append(one);
}

}  // namespace

void select_memory(const SelectionContext& c, const IrNode& node) {
  switch (node.operation) {
    case Op::load:
      return select_load(c, node);
    case Op::store:
      return select_store(c, node);
    case Op::atomic:
      return select_atomic(c, node);
    case Op::locked_atomic:
      return select_locked_atomic(c, node);
    default:
      return select_texture(c, node);
  }
}

void select_system(const SelectionContext& c, const IrNode& node) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.form = Form::control_form;
  switch (node.operation) {
    case Op::barrier:
      i.opcode = Opcode::bar;
      i.barrier().number = static_cast<std::uint8_t>(node.number);
      break;
    case Op::trap:
      i.opcode = Opcode::trap;
      break;
    case Op::breakpoint:
      i.opcode = Opcode::brkpt;
      break;
    case Op::performance_event:
      i.opcode = Opcode::pmevent;
      i.form = Form::long_form;
      i.event().number = static_cast<std::uint8_t>(node.number & 15U);
      break;
    default:  // memory_barrier: accesses of a warp leave it in their order, which must not be changed here
      i.opcode = Opcode::nop;
      i.form = Form::long_form;
      one.ordered = one.order_only = true;
  }
  c.builder.append(one);
}

}  // namespace teslasim::compiler
