// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/machine_builder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace teslasim::compiler {
namespace {

constexpr std::size_t flag_registers = 4;
/// $a1 to $a6; the seventh may be one for the whole warp (envytools).
constexpr std::size_t address_registers = 6;

bool can_set_flags(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  return i.form == Form::long_form && i.destination[0].kind == Operand::Kind::gpr && !i.predicated() &&
         form_row(i.opcode).flags == FlagField::optional_flags && i.opcode != Opcode::mov;
}

}  // namespace

MachineBuilder::MachineBuilder(const IrFunction& function, MachineFunction& machine)
    : function_(function), machine_(machine), registers_(function.values.size(), no_register) {
  for (std::size_t at = 0; at < machine.literals.size(); ++at)
    literals_.emplace(machine.literals[at], static_cast<std::uint32_t>(4 * at));
}

void MachineBuilder::begin_block(BlockIndex block) {
  block_ = block;
  definitions_.clear();
  flags_.clear();
  spans_.clear();
  addresses_.clear();
}

MachineInstruction& MachineBuilder::append(const MachineInstruction& instruction) {
  std::vector<MachineInstruction>& code = machine_.blocks[block_].code;
  code.push_back(instruction);
  code.back().instruction.source_line = line_;
  return code.back();
}

VirtualRegister MachineBuilder::register_of(ValueIndex value) {
  VirtualRegister& found = registers_[value];
  if (found == no_register) {
    const bool thread = function_.definition(value).operation == IrOperation::thread_index;
    found = thread ? machine_.thread_index : new_register();
  }
  return found;
}

VirtualRegister MachineBuilder::materialise(std::uint32_t constant) {
  const VirtualRegister result = new_register();
  materialise_into(result, constant);
  return result;
}

void MachineBuilder::copy(VirtualRegister result, VirtualRegister source) {
  append(copy_of(result, source));
}

void MachineBuilder::note_flags(ValueIndex value, VirtualRegister flags) {
  flags_[value] = spans_.size();
  const std::size_t now = machine_.blocks[block_].code.size();
  spans_.push_back({now == 0 ? 0 : now - 1, now, flags});
}

VirtualRegister MachineBuilder::new_carry(std::size_t instructions) {
  const VirtualRegister flags = new_register(RegisterClass::flags);
  const std::size_t now = machine_.blocks[block_].code.size();
  spans_.push_back({now, now + instructions - 1, flags});
  return flags;
}

void MachineBuilder::extend_byte(VirtualRegister value) {
  MachineInstruction extend;
  extend.instruction.opcode = Opcode::convert_int_int;
  extend.instruction.type = ValueType::s32;
  extend.instruction.source_type[0] = ValueType::s8;
  extend.instruction.destination[0].kind = Operand::Kind::gpr;
  extend.instruction.source[0].kind = Operand::Kind::gpr;
  extend.source[0] = RegisterTuple(value);
  extend.result = RegisterTuple(value);
  append(extend);
}

void MachineBuilder::move_offset_to_address(MachineInstruction& one, Operand& operand) {
  MachineInstruction add;
  Instruction& i = add.instruction;
  i.opcode = Opcode::add_address;
  i.destination[0].kind = Operand::Kind::address;
  i.source[0].kind = Operand::Kind::address;
  i.source[1].kind = Operand::Kind::immediate;
  i.source[1].immediate = static_cast<std::uint32_t>(operand.offset);
  if (one.memory != no_register) add.source[0] = RegisterTuple(one.memory);
  one.memory = new_register(RegisterClass::address);
  add.result = RegisterTuple(one.memory);
  append(add);
  operand.offset = 0;
}

void MachineBuilder::materialise_into(VirtualRegister result, std::uint32_t constant) {
  append(constant_move(result, constant));
}

VirtualRegister MachineBuilder::load_launch_word(const IrNode& node, bool far_loads) {
  MachineInstruction move;
  Instruction& i = move.instruction;
  const bool is_far = node.offset > shared_reach_of(node.type);
  i.opcode = is_far && far_loads ? Opcode::load_shared : Opcode::mov;
  i.destination[0].kind = Operand::Kind::gpr;
  i.source[0].kind = Operand::Kind::shared;
  i.source[0].offset = static_cast<std::int32_t>(node.offset);
  i.source[0].type = node.type;
  if (is_far && !far_loads)
    move_offset_to_address(move, i.source[0]);
  else
    move.launch_word = true;
  const VirtualRegister result = new_register();
  move.result = RegisterTuple(result);
  append(move);
  return result;
}

std::optional<std::uint32_t> MachineBuilder::literal(std::uint32_t constant) {
  const auto found = literals_.find(constant);
  if (found != literals_.end()) return found->second;
  const auto offset = static_cast<std::uint32_t>(4 * machine_.literals.size());
  if (offset > constant_reach) return std::nullopt;
  machine_.literals.push_back(constant);
  literals_.emplace(constant, offset);
  return offset;
}

void MachineBuilder::note_definition(ValueIndex value) {
  definitions_[value] = machine_.blocks[block_].code.size() - 1;
}

bool MachineBuilder::flag_is_free(std::size_t from, std::size_t to) const {
  for (std::size_t at = from; at <= to; ++at) {
    const auto busy = std::count_if(spans_.begin(), spans_.end(),
                                    [at](const FlagSpan& span) { return span.from <= at && at <= span.to; });
    if (static_cast<std::size_t>(busy) >= flag_registers) return false;
  }
  return true;
}

VirtualRegister MachineBuilder::flags_of(const IrArgument& condition) {
  std::vector<MachineInstruction>& code = machine_.blocks[block_].code;
  const std::size_t now = code.size();
  if (const auto known = flags_.find(condition.value); known != flags_.end()) {
    FlagSpan& span = spans_[known->second];
    if (span.to >= now || flag_is_free(span.to + 1, now)) {
      span.to = std::max(span.to, now);
      return span.flags;
    }
  }
  const auto defined = definitions_.find(condition.value);
  const bool attaches = defined != definitions_.end() && can_set_flags(code[defined->second]) &&
                        code[defined->second].flag_result == no_register && flag_is_free(defined->second, now);
  std::size_t from = now;
  const VirtualRegister flags = new_register(RegisterClass::flags);
  if (attaches) {
    from = defined->second;
    code[from].flag_result = flags;
    code[from].instruction.flag_destination = 0;
  } else {
    MachineInstruction test;
    Instruction& i = test.instruction;
    // What nvcc tests registers with: a move sets no flags.
    i.opcode = Opcode::convert_int_int;
    i.type = i.source_type[0] = ValueType::s32;
    i.destination[0].kind = Operand::Kind::discard;
    i.source[0].kind = Operand::Kind::gpr;
    test.source[0] = RegisterTuple(register_of(condition.value));
    test.flag_result = flags;
    i.flag_destination = 0;
    append(test);
  }
  flags_[condition.value] = spans_.size();
  spans_.push_back({from, code.size(), flags});
  return flags;
}

/// Each behind the one before it, in this block.
bool MachineBuilder::is_in_order(const std::vector<ChainLink>& links) const {
  std::optional<std::size_t> last;
  for (const ChainLink& link : links) {
    const auto defined = definitions_.find(link.comparison);
    if (defined == definitions_.end() || (last && *last >= defined->second)) return false;
    last = defined->second;
  }
  return true;
}

std::optional<VirtualRegister> MachineBuilder::chained_flags(ValueIndex value, const std::vector<ChainLink>& links) {
  std::vector<MachineInstruction>& code = machine_.blocks[block_].code;
  if (!is_in_order(links)) return std::nullopt;
  std::vector<std::size_t> places;
  for (const ChainLink& link : links) {
    const std::size_t place = definitions_.at(link.comparison);
    const MachineInstruction& one = code[place];
    if (!can_set_flags(one) || one.flag_result != no_register || one.guard != no_register) return std::nullopt;
    places.push_back(place);
  }
  if (!flag_is_free(places.front(), code.size())) return std::nullopt;
  const VirtualRegister flags = new_register(RegisterClass::flags);
  for (std::size_t at = 0; at < places.size(); ++at) {
    MachineInstruction& one = code[places[at]];
    one.flag_result = flags;
    one.instruction.flag_destination = 0;
    if (at == 0) continue;
    one.guard = flags;
    one.instruction.condition = links[at].either ? condition_false : condition_true;
  }
  flags_[value] = spans_.size();
  spans_.push_back({places.front(), code.size(), flags});
  return flags;
}

VirtualRegister MachineBuilder::address_of(const IrArgument& value, unsigned shift, std::uint32_t window) {
  const AddressKey key{value.value, shift, window};
  const auto found =
      std::find_if(addresses_.begin(), addresses_.end(), [&](const AddressUse& use) { return use.key == key; });
  if (found != addresses_.end()) {
    const AddressUse use = *found;
    addresses_.erase(found);
    addresses_.push_back(use);
    return use.address;
  }
  MachineInstruction move;
  Instruction& i = move.instruction;
  i.opcode = Opcode::shift_to_address;
  i.destination[0].kind = Operand::Kind::address;
  i.source[1].kind = Operand::Kind::immediate;
  if (window != 0) {
    i.opcode = Opcode::add_address;
    i.source[0].kind = Operand::Kind::address;
    i.source[1].immediate = window;
    if (!value.is_constant()) move.source[0] = RegisterTuple(address_of(value, shift, 0));
  } else {
    i.source[0].kind = Operand::Kind::gpr;
    i.source[1].immediate = shift;
    move.source[0] = RegisterTuple(register_of(value.value));
  }
  if (addresses_.size() == address_registers) addresses_.erase(addresses_.begin());
  const VirtualRegister address = new_register(RegisterClass::address);
  move.result = RegisterTuple(address);
  append(move);
  addresses_.push_back({key, address});
  return address;
}

}  // namespace teslasim::compiler
