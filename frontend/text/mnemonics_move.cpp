// SPDX-License-Identifier: Apache-2.0
// `mov` in all its directions, and `movsh`. Which operation a mov is follows from its operands.
#include <fmt/format.h>

#include <array>

#include "frontend/text/mnemonics.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

using Kind = Operand::Kind;

bool is_half(const ParsedOperand& operand) {
  return operand.operand.half != Operand::Half::full;
}

/// A register operand with a type of its own must be written in the width of that type.
void check_register_type(const Statement& s, std::size_t type_position, const ParsedOperand& operand) {
  if (s.types.size() < 2 || operand.is(Kind::discard)) return;
  const Statement::Type& type = s.types[type_position];
  const unsigned bytes = bytes_of(type.type);
  const bool fits = is_half(operand) ? bytes == 2 : bytes >= 4;
  if (!fits)
    fail("ASM-TYPE", type.where, fmt::format("type .{} does not fit the register", type_name(type.type)),
         is_half(operand) ? "a half register is 16 bits" : "a full register is 32 bits");
}

/// The width of a destination in a load: as the register is written, as the type says for the bit bucket.
ValueType loaded_width(const ParsedOperand& destination, ValueType written) {
  const bool half = destination.is(Kind::discard) ? bytes_of(written) == 2 : is_half(destination);
  return half ? ValueType::b16 : ValueType::b32;
}

/// g[] and l[] accesses know signs only below 32 bits.
ValueType memory_type(ValueType type) {
  switch (bytes_of(type)) {
    case 1:
      return type;
    case 2:
      return type == ValueType::s16 ? type : ValueType::u16;
    case 8:
      return ValueType::b64;
    case 16:
      return ValueType::b128;
    default:
      return ValueType::b32;
  }
}

/// The access type of s[] and c[]: u8, u16, s16 or b32.
ValueType narrow_memory_type(const Statement& s, ValueType type, Span where) {
  if (type == ValueType::s8)
    fail("ASM-TYPE", where, "a byte of s[] or c[] is read without sign", "use cvt.rn.s32.s8 for a signed byte");
  if (bytes_of(type) > 4)
    fail("ASM-TYPE", where, fmt::format("'{}' between registers and s[] or c[] moves at most 32 bits", s.base),
         "move the words one by one");
  return access_type(type);
}

/// `.quad5`: only the lanes of the mask are written in each quad. The result is the mask of the others.
std::uint8_t take_quad_mask(Statement& s) {
  const auto lanes = s.take_if([](std::string_view word) -> std::optional<unsigned> {
    if (!word.starts_with("quad") || word.size() < 5 || word.size() > 6) return std::nullopt;
    unsigned mask = 0;
    for (const char digit : word.substr(4)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      mask = mask * 10 + static_cast<unsigned>(digit - '0');
    }
    return mask < 16 ? std::optional<unsigned>(mask) : std::nullopt;
  });
  return static_cast<std::uint8_t>(15U ^ lanes.value_or(15U));
}

Instruction store_to_shared(Statement& s) {
  const auto types = s.types_for(2);
  const ParsedOperand& data = s.operands[1];
  if (!data.is(Kind::gpr))
    fail("ASM-OPERAND", data.where, "only a register can be stored", "move the value into a register first");
  Instruction i;
  i.opcode = Opcode::store_shared;
  i.lock = s.take("unlock");
  i.type = is_half(data) ? ValueType::b16 : ValueType::b32;
  const ValueType access = narrow_memory_type(s, types[0], s.types[0].where);
  if (s.types.size() == 1 && bytes_of(types[0]) == 4 && is_half(data))
    fail("ASM-TYPE", s.types_where(), fmt::format("type .{} does not fit the register", type_name(types[0])),
         "use .b16, or a full register");
  check_register_type(s, 1, data);
  s.set_store_target(i, 0, access == ValueType::s16 ? ValueType::u16 : access);
  if (i.store_target.type == ValueType::s16) i.store_target.type = ValueType::u16;
  s.set_source(i, 0, 1, i.type);
  return i;
}

Instruction store_to_memory(Statement& s, Opcode opcode) {
  const auto types = s.types_for(2);
  const ParsedOperand& data = s.operands[1];
  if (!data.is(Kind::gpr))
    fail("ASM-OPERAND", data.where, "only a register can be stored", "move the value into a register first");
  Instruction i;
  i.opcode = opcode;
  i.type = memory_type(types[0]);
  check_register_type(s, 1, data);
  s.set_store_target(i, 0, i.type);
  s.set_source(i, 0, 1, i.type);
  return i;
}

Instruction load_from_memory(Statement& s, Opcode opcode) {
  const auto types = s.types_for(2);
  Instruction i;
  i.opcode = opcode;
  i.type = memory_type(types[1]);
  check_register_type(s, 0, s.operands[0]);
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  i.source[0].type = i.type;
  return i;
}

Instruction load_from_constant(Statement& s) {
  const auto types = s.types_for(2);
  Instruction i;
  i.opcode = Opcode::load_constant;
  i.type = loaded_width(s.operands[0], types[0]);
  check_register_type(s, 0, s.operands[0]);
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, types[1]);
  i.source[0].type = narrow_memory_type(s, types[1], s.types.back().where);
  return i;
}

/// sm_10 reads s[] only as the operand of an ordinary mov; later chips also have a load with a wide offset.
Instruction load_from_shared(Statement& s) {
  const auto types = s.types_for(2);
  Instruction i;
  i.opcode = Opcode::mov;
  i.type = loaded_width(s.operands[0], types[0]);
  i.lock = s.take("lock");
  const bool forced = s.take("ld") || i.lock;
  i.sfu_hint = !forced && s.take("sfu");
  const std::uint8_t skipped = forced ? std::uint8_t{0} : take_quad_mask(s);
  check_register_type(s, 0, s.operands[0]);
  s.set_destination(i, 0);
  const ValueType access =
      s.operands[1].access_given ? s.operands[1].operand.type : narrow_memory_type(s, types[1], s.types.back().where);
  s.set_source(i, 0, 1, access);
  constexpr std::uint8_t first_with_load = 11;
  const OffsetField reach = offset_field(SourceField::gpr_or_shared, Form::long_form, i.source[0]);
  const std::int32_t offset = i.source[0].offset;
  const bool near = offset >= reach.minimum && offset <= reach.maximum;
  const bool plain = i.destination[0].kind == Kind::gpr && !i.sfu_hint && skipped == 0;
  if (forced || (!near && s.sm >= first_with_load && plain)) i.opcode = Opcode::load_shared;
  if (skipped != 0) i.move().skipped_lanes = skipped;
  if (i.opcode == Opcode::mov && !near && offset >= 0 && !i.source[0].post_increment)
    fail("ASM-RANGE", s.operands[1].where,
         fmt::format("s[{:#x}] is out of reach: {} accesses of a mov reach offset {:#x}", offset,
                     type_name(i.source[0].type), reach.maximum),
         "sm_10 has no load from s[] with a wide offset: use an address register (mov.b32 $ofs1, ...), "
         "or '.arch sm_11' if the target allows it");
  return i;
}

Instruction write_address(Statement& s) {
  (void)s.single_type();
  const ParsedOperand& from = s.operands[1];
  Instruction i;
  i.type = ValueType::b32;
  s.set_destination(i, 0);
  if (from.shape == ParsedOperand::Shape::number || from.is(Kind::address)) {
    i.opcode = Opcode::add_address;
    i.source[0].kind = Kind::address;
    i.source[1].kind = Kind::immediate;
    s.set_source(i, from.is(Kind::address) ? 0 : 1, 1, from.is(Kind::address) ? ValueType::b32 : ValueType::u16);
    return i;
  }
  i.opcode = Opcode::shift_to_address;
  i.source[1].kind = Kind::immediate;
  s.set_source(i, 0, 1, ValueType::b32);
  return i;
}

Instruction write_flags(Statement& s) {
  (void)s.single_type();
  Instruction i;
  i.opcode = Opcode::mov_to_flags;
  i.type = ValueType::b32;
  i.flag_destination = static_cast<std::int8_t>(s.operands[0].operand.index);
  s.remember(EncodingProblem::Place::flags, s.operands[0].where);
  s.set_source(i, 0, 1, ValueType::b32);
  return i;
}

Instruction read_special(Statement& s, Opcode opcode) {
  const ValueType type = s.single_type();
  if (bytes_of(type) != 4) fail("ASM-TYPE", s.types_where(), "this mov writes a full register", "write mov.b32");
  Instruction i;
  i.opcode = opcode;
  i.type = ValueType::b32;
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, ValueType::b32);
  if (opcode != Opcode::mov_from_flags) return i;
  i.guard_flags = i.source[0].index;
  if (s.predicated && s.guard.flags != i.guard_flags)
    fail("ASM-OPERAND", s.operands[1].where,
         "the flag register read and the predicate share one field of the instruction",
         fmt::format("use $p{} for both", s.guard.flags));
  return i;
}

Instruction move_register(Statement& s) {
  const auto types = s.types_for(2);
  Instruction i;
  i.opcode = Opcode::mov;
  i.type = bytes_of(types[0]) == 2 ? ValueType::b16 : ValueType::b32;
  if (bytes_of(types[0]) != bytes_of(types[1]) || bytes_of(types[0]) > 4 || bytes_of(types[0]) < 2)
    fail("ASM-TYPE", s.types_where(), "'mov' between registers moves 16 or 32 bits", "use cvt to change the width");
  i.sfu_hint = s.take("sfu");
  i.move().skipped_lanes = take_quad_mask(s);
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, types[1]);
  return i;
}

Instruction build_mov(Statement& s) {
  s.expect_operands({2});
  const ParsedOperand& to = s.operands[0];
  const ParsedOperand& from = s.operands[1];
  if (to.is(Kind::shared)) return store_to_shared(s);
  if (to.is(Kind::local)) return store_to_memory(s, Opcode::store_local);
  if (to.is(Kind::global)) return store_to_memory(s, Opcode::store_global);
  if (to.is(Kind::flags)) return write_flags(s);
  if (to.is(Kind::address)) return write_address(s);
  if (from.is(Kind::shared)) return load_from_shared(s);
  if (from.is(Kind::constant)) return load_from_constant(s);
  if (from.is(Kind::local)) return load_from_memory(s, Opcode::load_local);
  if (from.is(Kind::global)) return load_from_memory(s, Opcode::load_global);
  if (from.is(Kind::flags)) return read_special(s, Opcode::mov_from_flags);
  if (from.is(Kind::address)) return read_special(s, Opcode::mov_from_address);
  if (from.is(Kind::special)) return read_special(s, Opcode::mov_from_special);
  return move_register(s);
}

Instruction build_movsh(Statement& s) {
  s.expect_operands({3});
  (void)s.single_type();
  Instruction i;
  i.opcode = Opcode::shift_to_address;
  i.type = ValueType::b32;
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, ValueType::b32);
  s.set_source(i, 1, 2, ValueType::b32);
  return i;
}

constexpr auto rows = std::to_array<Mnemonic>(
    {{"mov", OperandSyntax::general, build_mov}, {"movsh", OperandSyntax::general, build_movsh}});

}  // namespace

std::span<const Mnemonic> move_mnemonics() {
  return rows;
}

}  // namespace teslasim::text
