// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, comparison, shifts, multiplication and logic. Words shared with floating point branch on the
// type.
#include <fmt/format.h>

#include <array>

#include "frontend/text/mnemonics.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

using Kind = Operand::Kind;

ValueType unsigned_of(ValueType type) {
  switch (type) {
    case ValueType::b16:
    case ValueType::s16:
      return ValueType::u16;
    case ValueType::b32:
    case ValueType::s32:
      return ValueType::u32;
    default:
      return type;
  }
}

ValueType signed_of(ValueType type) {
  switch (type) {
    case ValueType::b16:
    case ValueType::u16:
      return ValueType::s16;
    case ValueType::b32:
    case ValueType::u32:
      return ValueType::s32;
    default:
      return type;
  }
}

/// b16 and b32 in an operation that asks for a sign mean unsigned.
ValueType with_sign(ValueType type) {
  if (type == ValueType::b16) return ValueType::u16;
  return type == ValueType::b32 ? ValueType::u32 : type;
}

/// `$pN` as the last operand: the carry input. Without one: the register of the guard, or $p0.
void take_carry(Statement& s, Instruction& i, std::size_t plain_operands) {
  i.guard_flags = s.predicated ? s.guard.flags : 0;
  if (s.operands.size() <= plain_operands) return;
  const ParsedOperand& carry = s.operands[plain_operands];
  if (!carry.is(Kind::flags))
    fail("ASM-OPERAND", carry.where, "the carry input is a flag register", "write $p0 to $p3");
  if (s.predicated && s.guard.flags != carry.operand.index)
    fail("ASM-OPERAND", carry.where, "the carry input and the predicate share one field of the instruction",
         fmt::format("use $p{} for both", s.guard.flags));
  i.guard_flags = carry.operand.index;
}

Instruction integer_binary(Statement& s, Opcode opcode, ValueType type) {
  Instruction i;
  i.opcode = opcode;
  i.type = type;
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, type);
  s.set_source(i, 1, 2, type);
  return i;
}

Instruction add_family(Statement& s, Opcode opcode) {
  const bool carry = opcode == Opcode::addc;
  if (carry)
    s.expect_operands({3, 4});
  else
    s.expect_operands({3});
  const bool saturate = s.take("sat");
  const ValueType written = s.single_type();
  if (saturate && (written == ValueType::u32 || written == ValueType::u16))
    fail("ASM-TYPE", s.types_where(), "saturation is signed",
         fmt::format("write .sat.{}", type_name(signed_of(written))));
  Instruction i = integer_binary(s, opcode, saturate ? signed_of(written) : unsigned_of(written));
  i.saturate = saturate;
  if (carry) take_carry(s, i, 3);
  return i;
}

Instruction add_to_address(Statement& s) {
  s.expect_operands({3});
  (void)s.single_type();
  Instruction i;
  i.opcode = Opcode::add_address;
  i.type = ValueType::b32;
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, ValueType::b32);
  s.set_source(i, 1, 2, ValueType::u16);
  return i;
}

Instruction build_add(Statement& s) {
  if (!s.operands.empty() && s.operands[0].is(Kind::address)) return add_to_address(s);
  if (has_float_type(s)) return build_float_binary(s, Opcode::fadd, Opcode::dadd);
  return add_family(s, Opcode::add);
}

Instruction build_sub(Statement& s) {
  if (!has_float_type(s)) return add_family(s, Opcode::sub);
  Instruction i = build_float_binary(s, Opcode::fadd, Opcode::dadd);
  constexpr std::uint32_t sign = 0x80000000U;
  if (i.source[1].kind == Kind::immediate)
    i.source[1].immediate ^= sign;
  else
    i.source[1].negate = !i.source[1].negate;
  return i;
}

Instruction build_subr(Statement& s) {
  return add_family(s, Opcode::subr);
}
Instruction build_addc(Statement& s) {
  return add_family(s, Opcode::addc);
}

Instruction build_set(Statement& s) {
  if (has_float_type(s)) return build_float_comparison(s);
  s.expect_operands({3});
  const auto compare = s.take_if([](std::string_view word) -> std::optional<Relations> {
    for (std::size_t mask = 0; mask < integer_comparisons.size(); ++mask) {
      if (integer_comparisons[mask] == word) return static_cast<Relations>(mask);
    }
    return std::nullopt;
  });
  if (!compare) fail("ASM-OPCODE", s.base_where, "'set' needs a comparison", "for example set.lt.s32");
  Instruction i = integer_binary(s, Opcode::set, with_sign(s.single_type()));
  i.compare = *compare;
  return i;
}

Instruction extremum(Statement& s, Opcode integer, Opcode single, Opcode wide) {
  if (has_float_type(s)) return build_float_binary(s, single, wide);
  s.expect_operands({3});
  return integer_binary(s, integer, with_sign(s.single_type()));
}

Instruction build_max(Statement& s) {
  return extremum(s, Opcode::max, Opcode::fmax, Opcode::dmax);
}
Instruction build_min(Statement& s) {
  return extremum(s, Opcode::min, Opcode::fmin, Opcode::dmin);
}

Instruction build_shl(Statement& s) {
  s.expect_operands({3});
  return integer_binary(s, Opcode::shl, unsigned_of(s.single_type()));
}

Instruction build_shr(Statement& s) {
  s.expect_operands({3});
  return integer_binary(s, Opcode::shr, with_sign(s.single_type()));
}

/// The product of mul24 and mad24 from the types of its operands: 16x16 or 24x24, low or high.
void set_product(Statement& s, Instruction& i, ValueType first, ValueType second) {
  first = with_sign(first);
  second = with_sign(second);
  i.product_24 = bytes_of(first) != 2;
  i.high = s.take("hi");
  if (!i.high) (void)s.take("lo");
  if (i.high && !i.product_24)
    fail("ASM-TYPE", s.base_where, "a 16-bit product has no high half", "it is 32 bits and fits: write .lo");
  i.type = is_signed(first) || is_signed(second) ? ValueType::s32 : ValueType::u32;
  s.set_source(i, 0, 1, first);
  s.set_source(i, 1, 2, second);
  i.source_type[0] = first;
  i.source_type[1] = second;
}

Instruction build_mul(Statement& s) {
  if (has_float_type(s)) return build_float_binary(s, Opcode::fmul, Opcode::dmul);
  if (s.base == "mul")
    fail("ASM-OPCODE", s.base_where, "there is no 32-bit integer multiplication",
         "use mul24, or build it from 16-bit parts");
  s.expect_operands({3});
  const auto types = s.types_for(3);
  Instruction i;
  i.opcode = Opcode::mul;
  s.set_destination(i, 0);
  set_product(s, i, types[1], types[2]);
  return i;
}

Instruction build_mad(Statement& s) {
  if (has_float_type(s)) return build_float_mad(s);
  s.expect_operands({4, 5});
  const auto types = s.types_for(4);
  constexpr std::array<std::string_view, 4> names{"add", "sub", "subr", "addc"};
  const auto operation = s.take_if([&](std::string_view word) -> std::optional<AddKind> {
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (names[n] == word) return static_cast<AddKind>(n);
    }
    return std::nullopt;
  });
  Instruction i;
  i.opcode = Opcode::mad;
  i.mad_operation = operation.value_or(AddKind::add);
  i.saturate = s.take("sat");
  s.set_destination(i, 0);
  set_product(s, i, types[1], types[2]);
  s.set_source(i, 2, 3, ValueType::u32);
  if (i.mad_operation == AddKind::addc)
    take_carry(s, i, 4);
  else
    s.expect_operands({4});
  return i;
}

Instruction build_sad(Statement& s) {
  s.expect_operands({4});
  const auto types = s.types_for(4);
  Instruction i;
  i.opcode = Opcode::sad;
  i.type = with_sign(types[1]);
  if (types[2] != types[1]) fail("ASM-TYPE", s.types_where(), "'sad' compares two values of one type");
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  s.set_source(i, 1, 2, i.type);
  s.set_source(i, 2, 3, ValueType::u32);
  return i;
}

struct LogicWord {
  std::string_view word;
  Opcode opcode;
  bool invert_first;
  bool invert_second;
};
/// decuda's names for the complemented combinations, besides the plain ones.
constexpr std::array<LogicWord, 8> logic_words{{{"and", Opcode::logic_and, false, false},
                                                {"or", Opcode::logic_or, false, false},
                                                {"xor", Opcode::logic_xor, false, false},
                                                {"norn", Opcode::logic_and, true, false},
                                                {"andn", Opcode::logic_and, false, true},
                                                {"nandn", Opcode::logic_or, true, false},
                                                {"orn", Opcode::logic_or, false, true},
                                                {"nxor", Opcode::logic_xor, false, true}}};

ValueType logic_type(const Statement& s) {
  return bytes_of(s.single_type()) == 2 ? ValueType::b16 : ValueType::b32;
}

/// A complemented number is just another number.
void fold_inverted_immediate(Operand& operand, ValueType type) {
  if (operand.kind != Kind::immediate || !operand.invert) return;
  operand.immediate = ~operand.immediate & (bytes_of(type) == 2 ? 0xffffU : 0xffffffffU);
  operand.invert = false;
}

Instruction build_logic(Statement& s) {
  s.expect_operands({3});
  const LogicWord* row = logic_words.data();
  while (row->word != s.base) ++row;
  Instruction i = integer_binary(s, row->opcode, logic_type(s));
  i.source[0].invert = i.source[0].invert != row->invert_first;
  i.source[1].invert = i.source[1].invert != row->invert_second;
  fold_inverted_immediate(i.source[1], i.type);
  return i;
}

Instruction build_not(Statement& s) {
  s.expect_operands({2});
  Instruction i;
  i.opcode = Opcode::logic_pass;
  i.type = logic_type(s);
  s.set_destination(i, 0);
  s.set_source(i, 1, 1, i.type);
  if (s.base == "not") i.source[1].invert = !i.source[1].invert;
  fold_inverted_immediate(i.source[1], i.type);
  return i;
}

constexpr OperandSyntax general = OperandSyntax::general;
constexpr auto rows = std::to_array<Mnemonic>({
    {"add", general, build_add},     {"sub", general, build_sub},    {"subr", general, build_subr},
    {"addc", general, build_addc},   {"set", general, build_set},    {"max", general, build_max},
    {"min", general, build_min},     {"shl", general, build_shl},    {"shr", general, build_shr},
    {"mul24", general, build_mul},   {"mul", general, build_mul},    {"mad24", general, build_mad},
    {"mad", general, build_mad},     {"mac", general, build_mad},    {"fma", general, build_mad},
    {"sad", general, build_sad},     {"and", general, build_logic},  {"or", general, build_logic},
    {"xor", general, build_logic},   {"norn", general, build_logic}, {"andn", general, build_logic},
    {"nandn", general, build_logic}, {"orn", general, build_logic},  {"nxor", general, build_logic},
    {"not", general, build_not},     {"pass", general, build_not},
});

}  // namespace

std::span<const Mnemonic> integer_mnemonics() {
  return rows;
}

}  // namespace teslasim::text
