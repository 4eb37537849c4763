// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/operand_selector.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;
using Kind = Operand::Kind;
using Half = Operand::Half;

constexpr std::uint32_t sign_bit = 0x80000000U;
/// Of eight bytes, in the first cache (Collange 2010). Instructions of four bytes reach less of s[].
constexpr std::size_t cached_instructions = 512;
constexpr std::uint32_t short_shared_reach = 60;

SourceField field_of(const MachineInstruction& one, std::size_t position) {
  return form_row(one.instruction.opcode).sources(one.instruction.form)[position];
}

bool takes_shared(const MachineInstruction& one) {
  return field_of(one, 0) == SourceField::gpr_or_shared;
}

bool takes_constant(const MachineInstruction& one, std::size_t position) {
  const SourceField field = field_of(one, position);
  return field == SourceField::gpr_or_constant || field == SourceField::gpr_constant_or_count;
}

/// A constant as the instruction reads it.
std::uint32_t constant_of(const IrArgument& argument) {
  if (argument.half == Half::low) return argument.constant & 0xffffU;
  if (argument.half == Half::high) return argument.constant >> 16U;
  const std::uint32_t size = argument.constant & (argument.absolute ? ~sign_bit : ~0U);
  return size ^ (argument.negate ? sign_bit : 0U);
}

/// 16-bit products read 16 bits; everything else reads a word.
bool reads_word(const MachineInstruction& one, std::size_t position) {
  const ValueType type = one.instruction.source_type[position];
  return type != ValueType::u16 && type != ValueType::s16;
}

/// What may come under the guard of the load that it does on the way.
bool is_one_instruction(Op operation) {
  switch (operation) {
    case Op::add:
    case Op::subtract:
    case Op::minimum:
    case Op::maximum:
    case Op::float_add:
    case Op::float_multiply:
    case Op::float_multiply_add:
    case Op::float_minimum:
    case Op::float_maximum:
      return true;
    default:
      return false;
  }
}

}  // namespace

OperandSelector::OperandSelector(const IrFunction& function, MachineBuilder& builder, bool far_loads)
    : function_(function), builder_(builder), far_loads_(far_loads), uses_(function.uses()) {
  find_deferred();
}

void OperandSelector::find_deferred() {
  for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
    const std::vector<NodeIndex>& nodes = function_.blocks[block].nodes;
    const auto loads = std::count_if(nodes.begin(), nodes.end(),
                                     [this](NodeIndex node) { return function_.nodes[node].operation == Op::load; });
    if (nodes.size() - static_cast<std::size_t>(loads) > cached_instructions)
      read_in_large_blocks_.insert(nodes.begin(), nodes.end());
    for (std::size_t position = 0; position < nodes.size(); ++position) {
      const IrNode& node = function_.nodes[nodes[position]];
      if (node.operation == Op::launch_word && node.offset <= shared_reach_of(node.type))
        deferred_.insert(nodes[position]);
      if (node.operation == Op::variable_address) deferred_.insert(nodes[position]);
      if (node.operation != Op::load || node.type != ValueType::b32) continue;
      const bool fixed = node.arguments[0].is_constant();
      if (node.space == IrSpace::constant && fixed && node.arguments[0].constant + node.offset <= constant_reach)
        deferred_.insert(nodes[position]);
      if (node.space == IrSpace::shared && can_wait(block, position)) deferred_.insert(nodes[position]);
    }
  }
}

/// One reader, in this block, before anything is written.
bool OperandSelector::can_wait(BlockIndex block, std::size_t position) const {
  const std::vector<NodeIndex>& nodes = function_.blocks[block].nodes;
  const IrNode& load = function_.nodes[nodes[position]];
  const ValueIndex value = load.results[0];
  if (uses_[value] != 1) return false;
  for (std::size_t at = position + 1; at < nodes.size(); ++at) {
    const IrNode& node = function_.nodes[nodes[at]];
    for (const IrArgument& argument : node.arguments) {
      if (argument.value != value) continue;
      if (load.guarded && !is_one_instruction(node.operation)) return false;
      return node.operation != Op::phi && argument.half == Half::full;
    }
    if (row_of(node.operation).effect == IrEffect::writes) return false;
  }
  return false;
}

bool OperandSelector::is_shared_operand(const IrArgument& argument) const {
  if (argument.is_constant() || argument.half == Half::high) return false;
  const IrDefinition& definition = function_.values[argument.value];
  const IrNode& node = function_.nodes[definition.node];
  if (!deferred_.contains(definition.node)) return false;
  return node.operation == Op::launch_word || (node.operation == Op::load && node.space == IrSpace::shared);
}

bool OperandSelector::is_constant_operand(const IrArgument& argument) const {
  if (argument.is_constant() || argument.half != Half::full) return false;
  const IrDefinition& definition = function_.values[argument.value];
  const IrNode& node = function_.nodes[definition.node];
  if (!deferred_.contains(definition.node)) return false;
  return node.operation == Op::variable_address || (node.operation == Op::load && node.space == IrSpace::constant);
}

VirtualRegister OperandSelector::in_register(const IrArgument& argument) {
  if (argument.is_constant()) return builder_.materialise(constant_of(argument));
  const IrDefinition& definition = function_.values[argument.value];
  const IrNode& node = function_.nodes[definition.node];
  if (!deferred_.contains(definition.node)) return builder_.register_of(argument.value);
  if (node.operation == Op::launch_word) return builder_.load_launch_word(node, far_loads_);
  MachineInstruction move;
  Instruction& i = move.instruction;
  i.destination[0].kind = Kind::gpr;
  const VirtualRegister result = builder_.new_register();
  move.result = RegisterTuple(result);
  if (is_shared_operand(argument)) {
    const bool is_far = far_loads_ && node.operation == Op::load && !is_near(argument);
    i.opcode = is_far ? Opcode::load_shared : Opcode::mov;
    set_shared(move, node, is_far ? whole_reach : shared_reach);
    set_guard(move, node);
  } else {
    i.opcode = Opcode::load_constant;
    i.source[0].type = ValueType::b32;
    set_constant(move, 0, node);
  }
  builder_.append(move);
  return result;
}

/// Comparisons joined by `and` and `or`, when the words that they make are read by nobody else.
std::optional<std::vector<ChainLink>> OperandSelector::chain_of(const IrArgument& truth) const {
  const IrNode* node = function_.source(truth);
  if (node == nullptr || uses_[truth.value] != 1) return std::nullopt;
  if (node->operation == Op::compare || node->operation == Op::float_compare)
    return std::vector<ChainLink>{{truth.value, false}};
  if (node->operation != Op::bit_and && node->operation != Op::bit_or) return std::nullopt;
  auto left = chain_of(node->arguments[0]), right = chain_of(node->arguments[1]);
  if (!left || !right) return std::nullopt;
  for (unsigned order = 0; order < 2; ++order) {
    std::vector<ChainLink> links = *left;
    links.push_back({right->front().comparison, node->operation == Op::bit_or});
    if (right->size() == 1 && builder_.is_in_order(links)) return links;
    std::swap(left, right);
  }
  return std::nullopt;
}

std::pair<VirtualRegister, bool> OperandSelector::flags_of(const IrArgument& condition) {
  if (const auto links = chain_of(condition); links && links->size() > 1) {
    if (const auto flags = builder_.chained_flags(condition.value, *links)) return {*flags, false};
  }
  const IrNode* inverted = function_.source(condition);
  if (inverted != nullptr && inverted->operation == Op::bit_not && uses_[condition.value] == 1) {
    const auto [flags, negated] = flags_of(inverted->arguments[0]);
    return {flags, !negated};
  }
  if (inverted != nullptr && inverted->operation == Op::bit_not)
    return {builder_.flags_of(inverted->arguments[0]), true};
  return {builder_.flags_of(condition), false};
}

void OperandSelector::set_guard(MachineInstruction& one, const IrNode& access) {
  if (!access.guarded) return;
  const auto [flags, negated] = flags_of(access.arguments.back());
  one.guard = flags;
  one.instruction.condition = negated ? condition_false : condition_true;
  one.fresh_result = true;
}

/// The guarded load that an instruction does on the way: what comes of it counts under the same guard only.
const IrNode* OperandSelector::guarded_source(const IrArgument& argument) const {
  if (!is_shared_operand(argument)) return nullptr;
  const IrNode& node = function_.definition(argument.value);
  return node.guarded ? &node : nullptr;
}

void OperandSelector::set_register(MachineInstruction& one, std::size_t position, const IrArgument& argument) {
  Operand& operand = one.instruction.source[position];
  operand.kind = Kind::gpr;
  const bool constant = argument.is_constant();
  operand.half = reads_word(one, position)                  ? Half::full
                 : argument.half == Half::high && !constant ? Half::high
                                                            : Half::low;
  operand.negate = argument.negate && !constant;
  operand.absolute = argument.absolute && !constant;
  const VirtualRegister source = in_register(argument);
  one.source[position] = RegisterTuple(source);
}

void OperandSelector::set_words(MachineInstruction& one, std::size_t position, const std::vector<IrArgument>& words) {
  one.instruction.source[position].kind = Kind::gpr;
  for (const IrArgument& word : words) {
    one.source[position].add(in_register(word));
    if (word.is_constant()) continue;  // its sign is in the register
    Operand& operand = one.instruction.source[position];
    operand.negate = operand.negate || word.negate;
    operand.absolute = operand.absolute || word.absolute;
  }
}

OperandSelector::Base OperandSelector::base_of(IrArgument at, std::uint32_t offset) const {
  constexpr std::uint32_t address_bits = 0xffff;
  while (!at.is_constant()) {
    const IrNode* sum = function_.source(at);
    if (sum->operation != Op::add || !sum->arguments[1].is_constant() || sum->saturate) break;
    offset += sum->arguments[1].constant;
    at = sum->arguments[0];
  }
  if (at.is_constant()) offset += at.constant;
  return {at, offset & address_bits};
}

void OperandSelector::set_address(MachineInstruction& one, Operand& operand, const IrArgument& base,
                                  std::uint32_t offset_to_base, std::uint32_t reach) {
  auto [at, offset] = base_of(base, offset_to_base);
  unsigned shift = 0;
  // Accesses side by side share an address register that stands at the beginning of their window.
  // Offsets below 0 all go to the address register, whose sums wrap around at 16 bits.
  constexpr std::uint32_t first_negative = 0x8000;
  std::uint32_t window = offset <= reach ? 0 : offset >= first_negative ? offset : offset & ~(std::bit_ceil(reach) - 1);
  // Operands count in the size of the access; what is left over may become whole with the base.
  window += (offset - window) % bytes_of(operand.type);
  operand.offset = static_cast<std::int32_t>(offset - window);
  if (at.is_constant()) {
    if (window != 0) one.memory = builder_.address_of(constant_argument(0), 0, window);
    return;
  }
  if (const IrNode* shifted = function_.source(at);
      shifted->operation == Op::shift_left && shifted->arguments[1].is_constant() &&
      shifted->arguments[1].constant <= 15 && !shifted->arguments[0].is_constant() &&
      !is_shared_operand(shifted->arguments[0]) && !is_constant_operand(shifted->arguments[0])) {
    shift = shifted->arguments[1].constant;
    at = shifted->arguments[0];
  }
  if (is_shared_operand(at) || is_constant_operand(at)) {
    // Not known by value: a register of its own.
    MachineInstruction move;
    Instruction& i = move.instruction;
    i.opcode = Opcode::shift_to_address;
    i.destination[0].kind = Kind::address;
    i.source[1].kind = Kind::immediate;
    i.source[1].immediate = 0;
    i.source[0].kind = Kind::gpr;
    move.source[0] = RegisterTuple(in_register(at));
    one.memory = builder_.new_register(RegisterClass::address);
    move.result = RegisterTuple(one.memory);
    builder_.append(move);
    operand.offset = static_cast<std::int32_t>(offset);
    if (window != 0) builder_.move_offset_to_address(one, operand);
  } else {
    one.memory = builder_.address_of(at, shift, window);
  }
}

void OperandSelector::set_shared(MachineInstruction& one, const IrNode& node, std::uint32_t reach) {
  Operand& operand = one.instruction.source[0];
  operand.kind = Kind::shared;
  operand.type = node.type;
  one.launch_word = node.operation == Op::launch_word;
  one.ordered = node.is_volatile;
  if (one.launch_word) {
    operand.offset = static_cast<std::int32_t>(node.offset);
    return;
  }
  // In code larger than the cache four bytes less are worth more than another address register.
  const bool large = read_in_large_blocks_.contains(function_.values[node.results[0]].node);
  const bool near = large && reach == shared_reach && operand.type == ValueType::b32;
  set_address(one, operand, node.arguments[0], node.offset, near ? short_shared_reach : reach);
}

/// Can an operand name the word beside an address register for the value alone?
bool OperandSelector::is_near(const IrArgument& argument) const {
  const IrNode& node = function_.definition(argument.value);
  if (node.operation != Op::load) return true;
  return base_of(node.arguments[0], node.offset).offset <= shared_reach;
}

/// Bank 14 holds the addresses of variables, four bytes each.
void OperandSelector::set_constant(MachineInstruction& one, std::size_t position, const IrNode& node) {
  Operand& operand = one.instruction.source[position];
  operand.kind = Kind::constant;
  if (node.operation == Op::variable_address) {
    operand.bank = 14;
    operand.offset = static_cast<std::int32_t>(node.number);
    return;
  }
  operand.bank = 0;
  operand.offset = static_cast<std::int32_t>(node.arguments[0].constant + node.offset);
}

void OperandSelector::set_source(MachineInstruction& one, std::size_t position, const IrArgument& argument) {
  Operand& operand = one.instruction.source[position];
  const auto banked = [&] {
    return std::any_of(one.instruction.source.begin(), one.instruction.source.end(),
                       [](const Operand& other) { return other.kind == Kind::constant; });
  };
  if (argument.is_constant()) {
    const std::uint32_t value = constant_of(argument);
    if (field_of(one, position) == SourceField::number) {
      operand.kind = Kind::immediate;
      operand.immediate = value;
      return;
    }
    if (field_of(one, position) == SourceField::gpr_constant_or_count && value < 128) {
      operand.kind = Kind::immediate;
      operand.immediate = value;
      return;
    }
    if (takes_constant(one, position) && !banked() && reads_word(one, position)) {
      if (const auto offset = builder_.literal(value)) {
        operand.kind = Kind::constant;
        operand.bank = 1;
        operand.offset = static_cast<std::int32_t>(*offset);
        return;
      }
    }
    return set_register(one, position, constant_argument(value));
  }
  if (position == 0 && takes_shared(one) && is_shared_operand(argument)) {
    operand.negate = argument.negate;
    operand.absolute = argument.absolute;
    return set_shared(one, function_.definition(argument.value), shared_reach);
  }
  if (takes_constant(one, position) && reads_word(one, position) && is_constant_operand(argument) && !banked()) {
    operand.negate = argument.negate;
    operand.absolute = argument.absolute;
    set_constant(one, position, function_.definition(argument.value));
    return;
  }
  set_register(one, position, argument);
}

/// The immediate form reaches less of s[], and three of the address registers: only fixed addresses are read in it.
bool OperandSelector::fits_immediate_form(const IrArgument& argument) const {
  if (!is_shared_operand(argument)) return true;
  const IrNode& node = function_.definition(argument.value);
  if (node.operation == Op::launch_word) return node.offset <= shared_reach_of(node.type, immediate_shared_reach);
  return !node.guarded && node.arguments[0].is_constant() &&
         node.arguments[0].constant + node.offset <= shared_reach_of(node.type, immediate_shared_reach);
}

void OperandSelector::set_sources(MachineInstruction& one, std::vector<IrArgument> arguments, bool commutes) {
  Instruction& i = one.instruction;
  if (commutes && arguments.size() >= 2) {
    const bool second_is_shared =
        is_shared_operand(arguments[1]) &&
        (!is_shared_operand(arguments[0]) || (is_near(arguments[1]) && !is_near(arguments[0])));
    const bool first_is_fixed = arguments[0].is_constant() || is_constant_operand(arguments[0]);
    if (second_is_shared || (first_is_fixed && !arguments[1].is_constant())) {
      std::swap(arguments[0], arguments[1]);
      std::swap(i.source_type[0], i.source_type[1]);
    }
  }
  const FormRow& row = form_row(i.opcode);
  const bool immediate = arguments.size() == 2 && arguments[1].is_constant() && !arguments[0].is_constant() &&
                         row.immediate_form.exists() && fits_immediate_form(arguments[0]) && one.guard == no_register &&
                         !arguments[0].absolute && !arguments[1].absolute && i.rounding == Rounding::nearest;
  i.form = immediate ? Form::immediate_form : Form::long_form;
  for (std::size_t position = 0; position < arguments.size(); ++position)
    set_source(one, position, arguments[position]);
  if (i.source[0].kind == Kind::shared) {
    if (const IrNode* load = guarded_source(arguments[0])) set_guard(one, *load);
  }
}

}  // namespace teslasim::compiler
