// SPDX-License-Identifier: Apache-2.0
// cvt from floats, to integers and to floats. Order of steps: absolute value, negation, conversion with rounding,
// saturation; for f32 to f32: flushing, saturation, rounding to an integer.
// Rules: envytools documentation, Tesla conversions. Conversions that involve 64-bit values follow rules of their own
// (denormals kept, overflow flag, NaN payloads); they exist on compute capability 1.3 only.
// Not modelled: the "NaN to zero" debug mode.
#include "isa/semantics/convert.h"
#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/rounding.h"

namespace teslasim::semantics {

namespace {

// --- float to integer

std::uint64_t modify_sign(std::uint64_t bits, const Operand& operand, const BinaryFormat& format) {
  if (operand.absolute) bits &= ~format.sign_bit();
  return operand.negate ? bits ^ format.sign_bit() : bits;
}

IntegerValue rounded_integer(std::uint64_t bits, const BinaryFormat& format, Rounding mode) {
  const bool negative = (bits & format.sign_bit()) != 0;
  if (is_infinite(bits, format)) return {~std::uint64_t{0}, negative};
  return {round_to_magnitude(take_apart(bits, format), mode), negative};
}

std::uint32_t widened_f16(std::uint64_t bits);

/// From f16 and f32 to at most 32 bits: NaN gives 0, denormals count as zero, no overflow flag.
Converted narrow_float_to_integer(const Instruction& instruction, std::uint64_t source) {
  std::uint64_t bits = instruction.source_type[0] == ValueType::f16 ? widened_f16(source) : source;
  bits = flush(static_cast<std::uint32_t>(modify_sign(bits, instruction.source[0], binary32)));
  if (is_nan(bits, binary32)) return {};
  const IntegerValue value = rounded_integer(bits, binary32, instruction.rounding);
  const unsigned width = 8 * bytes_of(instruction.type);
  return {cut(clamped(value, width, is_signed(instruction.type)).bits, instruction.type), false};
}

/// From f64, or to 64 bits: NaN gives the most negative value; overflow sets O.
Converted wide_float_to_integer(const Instruction& instruction, std::uint64_t source) {
  const BinaryFormat format = format_of(instruction.source_type[0]);
  const std::uint64_t bits = modify_sign(source, instruction.source[0], format);
  const unsigned width = 8 * bytes_of(instruction.type);
  if (is_nan(bits, format)) return {std::uint64_t{1} << (width - 1), true};
  const IntegerValue value = rounded_integer(bits, format, instruction.rounding);
  Converted result = clamped(value, width, is_signed(instruction.type));
  constexpr std::uint64_t also_overflow = 0xffffffffU;  // found on hardware tests, perhaps an artefact of their model
  result.overflow = result.overflow || value.magnitude == also_overflow;
  result.bits = cut(result.bits, instruction.type);
  return result;
}

void float_to_integer(const Instruction& instruction, LaneContext& context) {
  if (is_wide(instruction.type) || is_wide(instruction.source_type[0])) {
    return convert_lanes(instruction, context,
                         [&](std::uint64_t source) { return wide_float_to_integer(instruction, source); });
  }
  convert_lanes(instruction, context,
                [&](std::uint64_t source) { return narrow_float_to_integer(instruction, source); });
}

/// f32 to u32 towards zero, the cast of C programs. Hosts convert to signed integers: the upper half is shifted down.
void f32_to_u32_toward_zero(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  map1(context, [=](std::uint32_t a) {
    constexpr float half = 0x1p31F;
    const std::uint32_t bits = modifier(a);
    const bool positive = static_cast<std::int32_t>(bits) > 0 && !is_nan(bits);
    const float value = positive ? as_float(bits) : 0.0F;
    const bool upper = value >= half;
    const float reduced = upper ? value - half : value;
    const bool too_large = reduced >= half;
    const auto integer = static_cast<std::uint32_t>(static_cast<std::int32_t>(too_large ? 0.0F : reduced));
    return too_large ? ~0U : integer | (upper ? 0x80000000U : 0U);
  });
  write_integer_flags<32>(context);
}

/// f32 to s32 towards zero, the cast of C programs.
void f32_to_s32_toward_zero(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  map1(context, [=](std::uint32_t a) {
    constexpr float limit = 0x1p31F;
    const std::uint32_t bits = modifier(a);
    const float value = is_nan(bits) ? 0.0F : as_float(bits);
    const bool too_large = value >= limit;
    const bool too_small = value < -limit;
    const float safe = too_large || too_small ? 0.0F : value;
    const auto integer = static_cast<std::uint32_t>(static_cast<std::int32_t>(safe));
    const std::uint32_t upper = too_large ? 0x7fffffffU : integer;
    return too_small ? 0x80000000U : upper;
  });
  write_integer_flags<32>(context);
}

// --- float to float

std::uint32_t widened_f16(std::uint64_t bits) {
  const std::uint64_t half = bits & 0xffffU;
  if (is_nan(half, binary16)) return f32_nan;
  const std::uint32_t sign = (half & binary16.sign_bit()) != 0 ? f32_sign : 0;
  if (is_infinite(half, binary16)) return sign | f32_infinity;
  const ExactNumber number = take_apart(half, binary16);
  if (number.significand == 0) return sign;
  return static_cast<std::uint32_t>(round_to_format(number, binary32, Rounding::nearest));
}

std::uint64_t narrowed_to_f16(std::uint32_t bits, Rounding mode) {
  constexpr std::uint64_t f16_nan = 0x7fffU;
  constexpr std::uint32_t never_rounds_up = 0x5dU;  // exponents up to here give zero in every mode
  if (is_nan(bits)) return f16_nan;
  const std::uint64_t sign = (bits & f32_sign) != 0 ? binary16.sign_bit() : 0;
  if ((bits & ~f32_sign) == f32_infinity) return sign | binary16.infinity();
  if ((bits >> 23U & 0xffU) <= never_rounds_up) return sign;
  return round_to_format(take_apart(bits, binary32), binary16, mode);
}

Converted narrow_float_to_float(const Instruction& instruction, std::uint64_t source) {
  const bool from_half = instruction.source_type[0] == ValueType::f16;
  auto bits = from_half ? widened_f16(source) : static_cast<std::uint32_t>(source);
  bits = finished(static_cast<std::uint32_t>(modify_sign(bits, instruction.source[0], binary32)));
  if (instruction.saturate) bits = saturated(bits);
  const bool finite = (bits & f32_infinity) != f32_infinity;
  if (instruction.round_to_integer && finite) {
    bits = static_cast<std::uint32_t>(round_to_integral(bits, binary32, instruction.rounding));
  }
  if (instruction.type != ValueType::f16) return {bits, false};
  return {narrowed_to_f16(bits, instruction.round_to_integer ? Rounding::zero : instruction.rounding), false};
}

std::uint64_t widened_f32(std::uint64_t bits) {
  constexpr unsigned fraction_shift = 52 - 23;
  const std::uint64_t sign = (bits & f32_sign) != 0 ? binary64.sign_bit() : 0;
  if (is_nan(bits, binary32)) {
    return sign | binary64.infinity() | (bits & binary32.fraction_mask()) << fraction_shift | std::uint64_t{1} << 51U;
  }
  if (is_infinite(bits, binary32)) return sign | binary64.infinity();
  const ExactNumber number = take_apart(bits & 0xffffffffU, binary32);
  return number.significand == 0 ? sign : round_to_format(number, binary64, Rounding::nearest);
}

std::uint64_t narrowed_f64(std::uint64_t bits, Rounding mode) {
  constexpr unsigned fraction_shift = 52 - 23;
  constexpr std::uint64_t quiet = std::uint64_t{1} << 22U;
  const std::uint64_t sign = (bits & binary64.sign_bit()) != 0 ? f32_sign : 0;
  if (is_nan(bits, binary64)) return sign | f32_infinity | (bits & binary64.fraction_mask()) >> fraction_shift | quiet;
  if (is_infinite(bits, binary64)) return sign | f32_infinity;
  const ExactNumber number = take_apart(bits, binary64);
  return number.significand == 0 ? sign : round_to_format(number, binary32, mode);
}

Converted wide_float_to_float(const Instruction& instruction, std::uint64_t source) {
  const bool from_f64 = instruction.source_type[0] == ValueType::f64;
  const bool to_f64 = instruction.type == ValueType::f64;
  std::uint64_t bits = from_f64 ? source : widened_f32(source);
  const bool nan = is_nan(bits, binary64);
  bits = nan ? bits | std::uint64_t{1} << 51U : modify_sign(bits, instruction.source[0], binary64);
  const bool finite = (bits & binary64.infinity()) != binary64.infinity();
  if (instruction.round_to_integer && from_f64 && to_f64 && finite) {
    bits = round_to_integral(bits, binary64, instruction.rounding);
  }
  return {to_f64 ? bits : narrowed_f64(bits, instruction.rounding), false};
}

void float_to_float(const Instruction& instruction, LaneContext& context) {
  if (is_wide(instruction.type) || is_wide(instruction.source_type[0])) {
    return convert_lanes(instruction, context,
                         [&](std::uint64_t source) { return wide_float_to_float(instruction, source); });
  }
  convert_lanes(instruction, context, [&](std::uint64_t source) { return narrow_float_to_float(instruction, source); });
}

/// f32 to f32 without rounding to an integer: flush, sign, clamp.
void f32_to_f32(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  const bool clamp = instruction.saturate;
  map1(context, [=](std::uint32_t a) {
    const std::uint32_t bits = finished(modifier(a));
    return clamp ? saturated(bits) : bits;
  });
  write_float_flags(context);
}

}  // namespace

Semantics bind_float_source(const Instruction& instruction) {
  const ValueType source = instruction.source_type[0];
  const ValueType target = instruction.type;
  if (instruction.opcode == Opcode::convert_float_int) {
    if (source == ValueType::f32 && instruction.rounding == Rounding::zero) {
      if (target == ValueType::s32) return &f32_to_s32_toward_zero;
      if (target == ValueType::u32) return &f32_to_u32_toward_zero;
    }
    return &float_to_integer;
  }
  if (source == ValueType::f32 && target == ValueType::f32 && !instruction.round_to_integer) return &f32_to_f32;
  return &float_to_float;
}

}  // namespace teslasim::semantics
