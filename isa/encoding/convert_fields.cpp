// SPDX-License-Identifier: Apache-2.0
// Fields of cvt: types on both sides, sign and absolute value of the source, rounding, saturation. The rounding field
// is kept also where it has no effect, so that the text of a binary shows what its words say.
#include <array>
#include <optional>

#include "isa/encoding/fields.h"

namespace teslasim::fields {
namespace {

using Half = Operand::Half;

constexpr unsigned size_bit = 58;
constexpr unsigned sign_bit = 59;  ///< integer result: signed; float to float: round to an integer
constexpr unsigned wide_bit = 54;  ///< 64-bit types
constexpr unsigned source_low = 46;
constexpr std::uint8_t double_sm = 13;

void source_modifiers(FieldCodec& codec, Instruction& instruction) {
  codec.flag(61, instruction.source[0].negate);
  codec.flag(52, instruction.source[0].absolute);
  codec.bits(49, 2, instruction.rounding);
}
void saturation(FieldCodec& codec, Instruction& instruction) {
  codec.flag(51, instruction.saturate);
}

/// A source type of integer conversions. Bytes come from the low byte of a register half or of a whole register.
struct IntegerSource {
  ValueType type;
  bool whole_register;
};
constexpr std::array integer_sources{IntegerSource{ValueType::u16, false}, IntegerSource{ValueType::u32, true},
                                     IntegerSource{ValueType::u8, false},  IntegerSource{ValueType::u8, true},
                                     IntegerSource{ValueType::s16, false}, IntegerSource{ValueType::s32, true},
                                     IntegerSource{ValueType::s8, false},  IntegerSource{ValueType::s8, true}};

/// The code of the source of `instruction`, or the number of codes when there is none.
std::size_t integer_source_code(const Instruction& instruction) {
  const Operand& operand = instruction.source[0];
  const ValueType type = instruction.source_type[0];
  const bool whole_register = operand.kind == Operand::Kind::gpr && operand.half == Half::full;
  std::size_t code = 0;
  for (const IntegerSource& source : integer_sources) {
    if (source.type == type && (bytes_of(type) != 1 || source.whole_register == whole_register)) break;
    ++code;
  }
  return code;
}

/// The type code of an integer source; it also tells where a byte comes from.
void integer_source(FieldCodec& codec, Instruction& instruction) {
  std::size_t code = codec.decoding() ? 0 : integer_source_code(instruction);
  codec.require(code < integer_sources.size(), "cvt has no such integer source");
  if (codec.failed()) return;
  codec.bits(source_low, 3, code);
  instruction.source_type[0] = integer_sources[code].type;
}

/// True when the integer source is the low byte of a whole register, which cannot be s[].
bool byte_of_whole_register(const FieldCodec& codec) {
  const std::size_t code = codec.peek(source_low, 3);
  return integer_sources[code].whole_register && bytes_of(integer_sources[code].type) == 1;
}

void convert_operands(FieldCodec& codec, Instruction& instruction) {
  result(codec, instruction);
  const bool is_wide = bytes_of(instruction.source_type[0]) == 8;
  const bool has_source_code = instruction.opcode == Opcode::convert_int_int ||
                               (instruction.opcode == Opcode::convert_int_float && codec.peek(wide_bit, 1) == 0);
  if (is_wide) {
    Instruction view = instruction;
    view.type = instruction.source_type[0];
    first_register(codec, view);
    instruction.source[0] = view.source[0];
  } else if (has_source_code && byte_of_whole_register(codec)) {
    first_register_word(codec, instruction);
  } else {
    first_by_source_type(codec, instruction);
  }
}

/// The two type bits of a conversion with a 64-bit side: result size and source size.
struct WideTypes {
  ValueType narrow_result;
  ValueType wide_result;
  ValueType narrow_source;
  ValueType wide_source;
};

void wide_types(FieldCodec& codec, Instruction& instruction, const WideTypes& types) {
  bool result_wide = instruction.type == types.wide_result;
  bool source_wide = instruction.source_type[0] == types.wide_source;
  codec.require(codec.sm() >= double_sm, "64-bit conversions exist on sm_13 only");
  codec.flag(size_bit, result_wide);
  codec.flag(source_low, source_wide);
  codec.require(result_wide || source_wide, "one side of this conversion must have 64 bits");
  if (codec.decoding()) {
    instruction.type = result_wide ? types.wide_result : types.narrow_result;
    instruction.source_type[0] = source_wide ? types.wide_source : types.narrow_source;
    return;
  }
  codec.require(instruction.type == (result_wide ? types.wide_result : types.narrow_result) &&
                    instruction.source_type[0] == (source_wide ? types.wide_source : types.narrow_source),
                "cvt has no such types");
}

/// Whether one side has 64 bits; claims the bit that says so.
bool wide_conversion(FieldCodec& codec, const Instruction& instruction) {
  bool is_wide = bytes_of(instruction.type) == 8 || bytes_of(instruction.source_type[0]) == 8;
  codec.flag(wide_bit, is_wide);
  return is_wide;
}

void float_type(FieldCodec& codec, ValueType& type, unsigned bit) {
  codec.require(codec.decoding() || type == ValueType::f32 || type == ValueType::f16, "cvt has no such float type");
  bool is_word = type == ValueType::f32;
  codec.flag(bit, is_word);
  type = is_word ? ValueType::f32 : ValueType::f16;
}

void integer_result(FieldCodec& codec, Instruction& instruction) {
  const unsigned bytes = bytes_of(instruction.type);
  codec.require(codec.decoding() || bytes == 2 || bytes == 4, "cvt has no such integer result");
  bool is_word = bytes == 4;
  bool is_signed_type = is_signed(instruction.type);
  codec.flag(size_bit, is_word);
  codec.flag(sign_bit, is_signed_type);
  if (is_word) instruction.type = is_signed_type ? ValueType::s32 : ValueType::u32;
  if (!is_word) instruction.type = is_signed_type ? ValueType::s16 : ValueType::u16;
}

}  // namespace

void convert_int_int_types(FieldCodec& codec, Instruction& instruction) {
  source_modifiers(codec, instruction);
  saturation(codec, instruction);
  integer_result(codec, instruction);
  integer_source(codec, instruction);
  if (!codec.failed()) convert_operands(codec, instruction);
}

void convert_int_float_types(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned wide_sign_bit = 48;
  source_modifiers(codec, instruction);
  saturation(codec, instruction);
  if (wide_conversion(codec, instruction)) {
    bool is_signed_type = is_signed(instruction.source_type[0]);
    codec.flag(wide_sign_bit, is_signed_type);
    wide_types(codec, instruction,
               {ValueType::f32, ValueType::f64, is_signed_type ? ValueType::s32 : ValueType::u32,
                is_signed_type ? ValueType::s64 : ValueType::u64});
  } else {
    float_type(codec, instruction.type, size_bit);
    integer_source(codec, instruction);
  }
  if (!codec.failed()) convert_operands(codec, instruction);
}

void convert_float_int_types(FieldCodec& codec, Instruction& instruction) {
  source_modifiers(codec, instruction);
  if (wide_conversion(codec, instruction)) {
    bool is_signed_type = is_signed(instruction.type);
    codec.flag(sign_bit, is_signed_type);
    wide_types(codec, instruction,
               {is_signed_type ? ValueType::s32 : ValueType::u32, is_signed_type ? ValueType::s64 : ValueType::u64,
                ValueType::f32, ValueType::f64});
  } else {
    integer_result(codec, instruction);
    float_type(codec, instruction.source_type[0], source_low);
  }
  if (!codec.failed()) convert_operands(codec, instruction);
}

void convert_float_float_types(FieldCodec& codec, Instruction& instruction) {
  source_modifiers(codec, instruction);
  codec.flag(sign_bit, instruction.round_to_integer);
  if (wide_conversion(codec, instruction)) {
    wide_types(codec, instruction, {ValueType::f32, ValueType::f64, ValueType::f32, ValueType::f64});
  } else {
    saturation(codec, instruction);
    float_type(codec, instruction.type, size_bit);
    float_type(codec, instruction.source_type[0], source_low);
  }
  if (!codec.failed()) convert_operands(codec, instruction);
}

}  // namespace teslasim::fields
