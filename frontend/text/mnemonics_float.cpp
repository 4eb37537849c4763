// SPDX-License-Identifier: Apache-2.0
// Single and double precision arithmetic, special functions, selection, conversions.
#include <fmt/format.h>

#include <array>

#include "frontend/text/mnemonics.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

using Kind = Operand::Kind;

bool is_float(ValueType type) {
  return type == ValueType::f16 || type == ValueType::f32 || type == ValueType::f64;
}

ValueType float_type(const Statement& s) {
  const ValueType type = s.single_type();
  if (type != ValueType::f32 && type != ValueType::f64)
    fail("ASM-TYPE", s.types_where(), fmt::format("'{}' has no type .{}", s.base, type_name(type)), "use .f32 or .f64");
  return type;
}

/// `mad` negates its product as a whole: two signs cancel.
void fold_product_sign(Instruction& i) {
  i.source[0].negate = i.source[0].negate != i.source[1].negate;
  i.source[1].negate = false;
}

Instruction unary(Statement& s, Opcode opcode) {
  s.expect_operands({2});
  Instruction i;
  i.opcode = opcode;
  i.type = s.single_type();
  if (i.type != ValueType::f32) fail("ASM-TYPE", s.types_where(), fmt::format("'{}' has the type .f32 only", s.base));
  i.saturate = s.take("sat");
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  if (s.take("neg")) i.source[0].negate = !i.source[0].negate;
  if (s.take("abs")) i.source[0].absolute = true;
  return i;
}

struct UnaryWord {
  std::string_view word;
  Opcode opcode;
};
constexpr std::array<UnaryWord, 6> unary_words{{{"rcp", Opcode::rcp},
                                                {"rsqrt", Opcode::rsqrt},
                                                {"lg2", Opcode::lg2},
                                                {"sin", Opcode::sin},
                                                {"cos", Opcode::cos},
                                                {"ex2", Opcode::ex2}}};

Instruction build_special_function(Statement& s) {
  const UnaryWord* row = unary_words.data();
  while (row->word != s.base) ++row;
  return unary(s, row->opcode);
}

Instruction build_pre(Statement& s) {
  if (s.take("sin")) return unary(s, Opcode::presin);
  if (s.take("ex2")) return unary(s, Opcode::preex2);
  fail("ASM-OPCODE", s.base_where, "'pre' prepares the argument of sin, cos or ex2", "write pre.sin or pre.ex2");
}

Instruction build_slct(Statement& s) {
  s.expect_operands({4});
  for (const Statement::Type& type : s.types) {
    if (bytes_of(type.type) != 4) fail("ASM-TYPE", type.where, "'slct' selects 32-bit values", "write slct.b32.f32");
  }
  if (s.types.empty()) fail("ASM-TYPE", s.base_where, "'slct' needs a type", "write slct.b32.f32");
  Instruction i;
  i.opcode = Opcode::slct;
  i.type = ValueType::b32;
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, ValueType::b32);
  s.set_source(i, 1, 2, ValueType::b32);
  s.set_source(i, 2, 3, ValueType::f32);
  i.select().negated = i.source[2].negate;
  i.source[2].negate = false;
  return i;
}

/// quadop.l0.add.sub.subr.pass.f32: the lane selected, then the operation of each lane of the quad.
Instruction build_quadop(Statement& s) {
  s.expect_operands({3});
  constexpr std::array<std::string_view, 4> names{"add", "subr", "sub", "pass"};
  Instruction i;
  i.opcode = Opcode::quadop;
  i.type = ValueType::f32;
  if (s.single_type() != i.type) fail("ASM-TYPE", s.types_where(), "'quadop' has the type .f32 only");
  const auto select = s.take_if([](std::string_view word) -> std::optional<std::uint8_t> {
    if (word.size() != 2 || word[0] != 'l' || word[1] < '0' || word[1] > '7') return std::nullopt;
    return static_cast<std::uint8_t>(word[1] - '0');
  });
  if (!select) fail("ASM-OPCODE", s.base_where, "'quadop' needs a lane", "for example quadop.l0.add.add.add.add.f32");
  QuadDetails& quad = i.quad();
  quad.selected = *select;
  for (QuadOperation& lane : quad.operation) {
    const auto operation = s.take_if([&](std::string_view word) -> std::optional<QuadOperation> {
      for (std::size_t n = 0; n < names.size(); ++n) {
        if (names[n] == word) return static_cast<QuadOperation>(n);
      }
      return std::nullopt;
    });
    if (!operation)
      fail("ASM-OPCODE", s.base_where, "'quadop' needs four operations", "add, sub, subr or pass for each lane");
    lane = *operation;
  }
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  s.set_source(i, 1, 2, i.type);
  return i;
}

/// .rn ... or .rni ...; the second of the pair says "to an integral value".
struct ConversionRounding {
  Rounding rounding = Rounding::nearest;
  bool integral = false;
};
std::optional<ConversionRounding> take_conversion_rounding(Statement& s) {
  return s.take_if([](std::string_view word) -> std::optional<ConversionRounding> {
    const bool integral = word.size() == 3 && word.back() == 'i';
    const auto rounding = parse_rounding(integral ? word.substr(0, 2) : word);
    if (!rounding) return std::nullopt;
    return ConversionRounding{*rounding, integral};
  });
}

ValueType conversion_type(ValueType type) {
  if (type == ValueType::b16) return ValueType::u16;
  if (type == ValueType::b64) return ValueType::u64;
  return type == ValueType::b32 ? ValueType::u32 : type;
}

Opcode conversion(ValueType to, ValueType from) {
  if (is_float(to)) return is_float(from) ? Opcode::convert_float_float : Opcode::convert_int_float;
  return is_float(from) ? Opcode::convert_float_int : Opcode::convert_int_int;
}

Instruction build_cvt(Statement& s) {
  s.expect_operands({2});
  const auto types = s.types_for(2);
  Instruction i;
  i.type = conversion_type(types[0]);
  const ValueType from = conversion_type(types[1]);
  i.opcode = conversion(i.type, from);
  const auto rounding = take_conversion_rounding(s);
  if (rounding) i.rounding = rounding->rounding;
  if (!rounding && i.opcode == Opcode::convert_float_int)
    fail("ASM-OPCODE", s.base_where, "'cvt' from float to integer needs a rounding mode",
         "write .rzi to truncate, .rni for the nearest, .rmi or .rpi for down or up");
  const bool integral = rounding && rounding->integral;
  if (integral && !is_float(from))
    fail("ASM-OPCODE", s.base_where, "rounding to an integral value needs a float source", "drop the 'i'");
  i.round_to_integer = integral && i.opcode == Opcode::convert_float_float;
  i.saturate = s.take("sat") || s.take("ssat");
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, from);
  i.source_type[0] = from;
  if (s.take("neg") || s.take("scale")) i.source[0].negate = !i.source[0].negate;
  if (s.take("abs")) i.source[0].absolute = true;
  return i;
}

/// decuda's name for the negation of a float.
Instruction build_delta(Statement& s) {
  Instruction i = build_cvt(s);
  i.source[0].negate = true;
  return i;
}

constexpr OperandSyntax general = OperandSyntax::general;
constexpr auto rows = std::to_array<Mnemonic>({
    {"rcp", general, build_special_function},
    {"rsqrt", general, build_special_function},
    {"lg2", general, build_special_function},
    {"sin", general, build_special_function},
    {"cos", general, build_special_function},
    {"ex2", general, build_special_function},
    {"pre", general, build_pre},
    {"slct", general, build_slct},
    {"quadop", general, build_quadop},
    {"cvt", general, build_cvt},
    {"delta", general, build_delta},
});

}  // namespace

bool has_float_type(const Statement& statement) {
  return statement.has_type(ValueType::f32) || statement.has_type(ValueType::f64) || statement.has_type(ValueType::f16);
}

Rounding take_rounding(Statement& statement) {
  return statement.take_if([](std::string_view word) { return parse_rounding(word); }).value_or(Rounding::nearest);
}

Instruction build_float_binary(Statement& s, Opcode single, Opcode wide) {
  s.expect_operands({3});
  Instruction i;
  i.type = float_type(s);
  i.opcode = i.type == ValueType::f64 ? wide : single;
  i.rounding = take_rounding(s);
  i.saturate = s.take("sat");
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  s.set_source(i, 1, 2, i.type);
  if (i.opcode == Opcode::dmul || (i.opcode == Opcode::fmul && i.source[1].kind == Kind::immediate))
    fold_product_sign(i);
  return i;
}

Instruction build_float_mad(Statement& s) {
  if (s.base == "mac")
    s.expect_operands({3});
  else
    s.expect_operands({4});
  Instruction i;
  i.type = float_type(s);
  i.opcode = i.type == ValueType::f64 ? Opcode::dfma : Opcode::fmad;
  i.rounding = take_rounding(s);
  i.saturate = s.take("sat");
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  s.set_source(i, 1, 2, i.type);
  s.set_source(i, 2, s.base == "mac" ? 0 : 3, i.type);
  fold_product_sign(i);
  return i;
}

Instruction build_float_comparison(Statement& s) {
  s.expect_operands({3});
  const auto types = s.types_for(3);
  const auto compare = s.take_if([](std::string_view word) -> std::optional<Relations> {
    for (std::size_t mask = 0; mask < float_comparisons.size(); ++mask) {
      if (float_comparisons[mask] == word) return static_cast<Relations>(mask);
    }
    return std::nullopt;
  });
  if (!compare) fail("ASM-OPCODE", s.base_where, "'set' needs a comparison", "for example set.lt.u32.f32.f32");
  if (types[1] != types[2] || types[1] == ValueType::f16)
    fail("ASM-TYPE", s.types_where(), "'set' compares two values of one type", "for example set.lt.u32.f32.f32");
  Instruction i;
  i.opcode = types[1] == ValueType::f64 ? Opcode::dset : Opcode::fset;
  i.type = types[1];
  i.compare = *compare;
  s.set_destination(i, 0);
  s.set_source(i, 0, 1, i.type);
  s.set_source(i, 1, 2, i.type);
  return i;
}

std::span<const Mnemonic> float_mnemonics() {
  return rows;
}

}  // namespace teslasim::text
