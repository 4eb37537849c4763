// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/memory_access.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

using Kind = Operand::Kind;
using Order = MemoryAccess::Order;

constexpr std::uint8_t physical_id = 0;

bool is_memory(Kind kind) {
  return kind == Kind::shared || kind == Kind::local || kind == Kind::global;
}

MemoryAccess access_of(const MachineInstruction& one, const Operand& operand, Order order) {
  MemoryAccess access{order, operand.kind};
  access.fixed = operand.kind != Kind::global && one.memory == no_register;
  access.begin = static_cast<std::uint32_t>(operand.offset);
  access.end =
      access.begin + std::max(4U, bytes_of(operand.type == ValueType::none ? one.instruction.type : operand.type));
  return access;
}

/// The order that the operation asks for by itself.
Order order_of(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  if (one.ordered || i.lock) return Order::fence;
  switch (i.opcode) {
    case Opcode::bar:
    case Opcode::atom:
    case Opcode::red:
      return Order::fence;
    case Opcode::joinat:
      return Order::last;
    case Opcode::mov_from_special:
      return i.source[0].index == physical_id ? Order::free : Order::everything;
    case Opcode::pmevent:
      return Order::everything;
    default:
      return i.form == Form::control_form || i.opcode == Opcode::nop ? Order::everything : Order::free;
  }
}

}  // namespace

MemoryAccess memory_access(const MachineInstruction& one) {
  const Order order = order_of(one);
  if (order != Order::free) return {order};
  const Instruction& i = one.instruction;
  if (i.store_target.kind != Kind::none) return access_of(one, i.store_target, Order::writes);
  if (is_memory(i.source[0].kind) && !one.launch_word) return access_of(one, i.source[0], Order::reads);
  return {};
}

bool conflict(const MemoryAccess& left, const MemoryAccess& right) {
  const auto either = [&](Order order) { return left.order == order || right.order == order; };
  if (either(Order::everything) || either(Order::last)) return true;
  if (either(Order::free)) return false;
  if (either(Order::fence)) return true;
  if (!either(Order::writes) || left.space != right.space) return false;
  if (!left.fixed || !right.fixed) return true;
  return left.begin < right.end && right.begin < left.end;
}

}  // namespace teslasim::compiler
