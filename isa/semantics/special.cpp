// SPDX-License-Identifier: Apache-2.0
// Special functions: rcp, rsqrt, lg2, sin, cos, ex2, and the range reductions pre.sin and pre.ex2.
//
// Stands for the special-function unit. It cuts the significand into 64 or 128 segments and evaluates value + slope * x
// + curvature * x^2 in each, with a squarer that leaves out the lower half of its partial products (Oberman & Siu
// 2005). Tables, widths, rounding constants and the fixed-point formats between pre.* and sin, cos, ex2 are those that
// M. Koscielnicki found on the hardware (envytools, 2015), so results have the chip's bits. See
// docs/decisions/0015-special-functions.md.
#include <bit>

#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/float_wide.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/special_lane.h"
#include "isa/semantics/special_tables.h"
#include "isa/semantics/special_wide.h"

namespace teslasim::semantics {

namespace {

// --- fixed point: sign in bit 31, special in bit 30, 7 integer bits and 23 fraction bits

constexpr std::uint32_t fixed_special = 0x40000000U;  ///< infinity or NaN
constexpr std::uint32_t fixed_infinity = 0x40800000U;
constexpr unsigned fraction_bits = 23;
constexpr std::uint32_t fraction_mask = (1U << fraction_bits) - 1;
constexpr int f32_bias = 127;

/// Magnitude of a finite float as significand * 2^(exponent - 23).
struct Parts {
  std::uint32_t significand = 0;
  int exponent = 0;
};

Parts parts_of(std::uint32_t bits) {
  return {(bits & fraction_mask) | (1U << fraction_bits), static_cast<int>(bits >> fraction_bits & 0xffU) - f32_bias};
}

std::uint32_t fixed_for_ex2(std::uint32_t bits) {
  constexpr int integer_bits = 7;
  const std::uint32_t sign = bits & f32_sign;
  if (is_nan(bits)) return sign | fixed_special;
  const Parts parts = parts_of(bits);
  if (flush(bits) == sign) return sign;
  if (parts.exponent >= integer_bits) return sign | fixed_infinity;
  if (parts.exponent >= 0) return sign | parts.significand << static_cast<unsigned>(parts.exponent);
  const auto distance = static_cast<unsigned>(-parts.exponent);
  return sign | (distance > fraction_bits ? 0U : parts.significand >> distance);
}

/// In quarter turns, modulo 4. The 48-bit product with 2/pi keeps its upper 32 bits, so large operands lose their
/// fraction.
std::uint32_t fixed_for_sin(std::uint32_t bits) {
  constexpr std::uint64_t two_over_pi = 0xa2f983U;  // times 2^-24
  constexpr unsigned product_bits_dropped = 16;
  constexpr int bits_below_fraction = 24 - 16;  // of the kept product, for operands in [1, 2)
  constexpr std::uint32_t quadrant_and_fraction = 0x01ffffffU;
  constexpr int width = 64;
  const std::uint32_t sign = bits & f32_sign;
  if (is_nan(bits)) return sign | fixed_special;
  if ((bits & ~f32_sign) == f32_infinity) return sign | fixed_infinity;
  if (flush(bits) == sign) return sign;
  const Parts parts = parts_of(bits);
  const std::uint64_t product = parts.significand * two_over_pi >> product_bits_dropped;
  const int shift = bits_below_fraction - parts.exponent;
  std::uint64_t turns = 0;
  if (shift > 0 && shift < width) turns = product >> static_cast<unsigned>(shift);
  if (shift <= 0 && shift > -width) turns = product << static_cast<unsigned>(-shift);
  return sign | (static_cast<std::uint32_t>(turns) & quadrant_and_fraction);
}

// --- interpolation

/// About x^2 / 2^19 for x < 2^17: the partial products of a squarer without those below the result.
std::uint32_t square_without_tail(std::uint32_t x) {
  constexpr unsigned operand_bits = 17;
  std::uint32_t sum = 0;
  for (unsigned i = 1; i < operand_bits; ++i) {
    const std::uint32_t selected = 0U - (x >> i & 1U);
    sum += x >> (operand_bits + 1 - i) & selected;
  }
  return sum >> 1U;
}

/// Binary points of the three terms of one function, relative to that of the linear one.
struct Scale {
  unsigned value;
  unsigned curvature;
};

template <typename Table>
std::int64_t interpolated(const Table& table, std::uint32_t index, std::uint32_t rest, std::uint32_t square,
                          const Scale& scale) {
  const Segment& segment = table[index];
  return (std::int64_t{segment.value} << scale.value) + std::int64_t{segment.slope} * rest +
         (std::int64_t{segment.curvature} * square) * (std::int64_t{1} << scale.curvature);
}

/// Tables of 64 segments of one octave, or 128 of two.
constexpr unsigned rest_bits = 17;
constexpr std::uint32_t rest_mask = (1U << rest_bits) - 1;
constexpr std::uint32_t last_segment = 63;

/// Exponent field and fraction 0..2^23, or zero of the sign when the result is too small.
std::uint32_t packed(std::uint32_t sign, int exponent, std::uint32_t fraction) {
  exponent += static_cast<int>(fraction >> fraction_bits);
  if (exponent <= 0) return sign;
  return sign | static_cast<std::uint32_t>(exponent) << fraction_bits | (fraction & fraction_mask);
}

/// A positive fixed-point number whose bit `one` stands for 1, cut to 24 significant bits.
std::uint32_t cut_to_float(std::uint32_t sign, std::int64_t value, int one) {
  if (value == 0) return sign;
  const int top = 63 - std::countl_zero(static_cast<std::uint64_t>(value));
  const int surplus = top - static_cast<int>(fraction_bits);
  const std::int64_t significand = surplus >= 0 ? value >> surplus : value << -surplus;
  return packed(sign, f32_bias + top - one, static_cast<std::uint32_t>(significand) & fraction_mask);
}

// --- one lane of each function; operands flushed

std::uint32_t reciprocal(std::uint32_t bits, std::uint32_t square) {
  constexpr unsigned short_rest_bits = 16;
  constexpr std::int64_t rounding = 0x47e7;
  const std::uint32_t sign = bits & f32_sign;
  const std::uint32_t magnitude = bits & ~f32_sign;
  if (magnitude == 0) return sign | f32_infinity;
  if (magnitude >= f32_infinity) return is_nan(bits) ? f32_nan : sign;
  const std::uint32_t fraction = bits & fraction_mask;
  const std::uint32_t rest = fraction & ((1U << short_rest_bits) - 1);
  const std::int64_t sum = interpolated(reciprocal_segments, fraction >> short_rest_bits, rest, square, {13, 0});
  const auto significand = static_cast<std::uint32_t>((sum + rounding) >> 15);
  return packed(sign, -1 - parts_of(bits).exponent + f32_bias, significand - (1U << fraction_bits));
}

std::uint32_t reciprocal_root(std::uint32_t bits, std::uint32_t square) {
  constexpr std::int64_t rounding = 0x7fff;
  const std::uint32_t sign = bits & f32_sign;
  if ((bits & ~f32_sign) == 0) return sign | f32_infinity;
  if (sign != 0 || is_nan(bits)) return f32_nan;
  if (bits == f32_infinity) return 0;
  const int exponent = parts_of(bits).exponent;
  // The lower bit of the exponent says which of the two octaves.
  const std::uint32_t position = (bits & fraction_mask) | (static_cast<std::uint32_t>(exponent) & 1U) << fraction_bits;
  const int half = exponent >> 1;
  if (position == 0) return packed(0, f32_bias - half, 0);  // a power of four
  const std::uint32_t rest = position & rest_mask;
  const std::int64_t sum = interpolated(reciprocal_root_segments, position >> rest_bits, rest, square, {14, 2});
  const auto significand = static_cast<std::uint32_t>((sum + rounding) >> 16);
  return packed(0, f32_bias - half - 1, significand - (1U << fraction_bits));
}

std::uint32_t logarithm(std::uint32_t bits, std::uint32_t square) {
  constexpr std::int64_t rounding = 0x3345;
  constexpr int one = 36;
  if ((bits & ~f32_sign) == 0) return f32_sign | f32_infinity;
  if (is_nan(bits) || (bits & f32_sign) != 0) return f32_nan;
  if (bits == f32_infinity) return f32_infinity;
  const std::uint32_t fraction = bits & fraction_mask;
  std::int64_t value = 0;
  if (bits != f32_one) {
    const std::uint32_t rest = fraction & rest_mask;
    const std::int64_t sum = interpolated(logarithm_segments, fraction >> rest_bits, rest, square, {12, 1});
    value = (sum + rounding) >> 2;
  }
  value += std::int64_t{parts_of(bits).exponent} * (std::int64_t{1} << one);
  if (value < 0) return cut_to_float(f32_sign, ~value, one);
  return cut_to_float(0, value, one);
}

/// Sine of a fixed-point number of quarter turns, advanced by `quarter` of them.
std::uint32_t sine_of(std::uint32_t fixed, std::uint32_t quarter, std::uint32_t sign, std::uint32_t square) {
  constexpr int one = 37;
  const std::uint32_t quadrant = (fixed >> fraction_bits) + quarter;
  const std::uint32_t position = (quadrant & 1U) != 0 ? ~fixed : fixed;  // mirrored one unit short
  const std::uint32_t half_turn = (quadrant & 2U) != 0 ? f32_sign : 0U;
  const std::uint32_t rest = position & rest_mask;
  const std::int64_t value = interpolated(sine_segments, position >> rest_bits & last_segment, rest, square, {11, 0});
  return cut_to_float(sign ^ half_turn, value, one);
}

std::uint32_t sine_lane(std::uint32_t fixed, std::uint32_t square) {
  return (fixed & fixed_special) != 0 ? f32_nan : sine_of(fixed, 0, fixed & f32_sign, square);
}

std::uint32_t cosine_lane(std::uint32_t fixed, std::uint32_t square) {
  return (fixed & fixed_special) != 0 ? f32_nan : sine_of(fixed, 1, 0, square);
}

std::uint32_t power_of_two(std::uint32_t fixed, std::uint32_t square) {
  constexpr std::int64_t rounding = 0x77e2;
  constexpr std::uint32_t magnitude_mask = 0x3fffffffU;
  const bool negative = (fixed & f32_sign) != 0;
  if ((fixed & fixed_special) != 0) {
    const bool infinite = (fixed & (fixed_infinity ^ fixed_special)) != 0;
    const std::uint32_t limit = negative ? 0U : f32_infinity;
    return infinite ? limit : f32_nan;
  }
  auto whole = static_cast<int>((fixed & magnitude_mask) >> fraction_bits);
  std::uint32_t fraction = fixed & fraction_mask;
  if (negative) {
    // Whole numbers are negated, others complemented: the fraction ends one unit short.
    whole = fraction != 0 ? -whole - 1 : -whole;
    fraction = fraction != 0 ? ~fraction & fraction_mask : 0U;
  }
  const std::uint32_t rest = fraction & rest_mask;
  const std::int64_t sum = interpolated(exponential_segments, fraction >> rest_bits, rest, square, {13, 0});
  const auto significand = static_cast<std::uint32_t>((sum + rounding) >> 15);
  return packed(0, whole + f32_bias, significand - (1U << fraction_bits));
}

// --- 32 lanes: what is squared first, so that vectors can do it, then the rest lane by lane

using Rest = std::uint32_t (*)(std::uint32_t);
using Interpolation = std::uint32_t (*)(std::uint32_t, std::uint32_t);

std::uint32_t rest_of_reciprocal(std::uint32_t bits) {
  constexpr std::uint32_t short_rest = 0xffffU;
  return (bits & short_rest) << 1U;
}
std::uint32_t rest_of_float(std::uint32_t bits) {
  return bits & rest_mask;
}
std::uint32_t rest_of_sine(std::uint32_t fixed) {
  const std::uint32_t mirror = 0U - (fixed >> fraction_bits & 1U);
  return (fixed ^ mirror) & rest_mask;
}
std::uint32_t rest_of_cosine(std::uint32_t fixed) {
  const std::uint32_t mirror = (fixed >> fraction_bits & 1U) - 1U;
  return (fixed ^ mirror) & rest_mask;
}
std::uint32_t rest_of_power(std::uint32_t fixed) {
  const std::uint32_t negative = 0U - (fixed >> 31U);
  const std::uint32_t fractional = (fixed & fraction_mask) != 0 ? ~0U : 0U;
  return (fixed ^ (negative & fractional)) & rest_mask;
}

template <Rest rest>
void square_rows(const LaneRow& operand, LaneRow& square) {
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) square.lane[i] = square_without_tail(rest(operand.lane[i]));
}

template <Rest rest, Interpolation function>
void float_function(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  const std::uint32_t* const a = aligned(context.source[0]);
  LaneRow operand;
  LaneRow square;
  for (unsigned i = 0; i < warp_size; ++i) operand.lane[i] = flush(modifier(a[i]));
  square_rows<rest>(operand, square);
  write_lanes(context, context.destination, [&](unsigned i) { return function(operand.lane[i], square.lane[i]); });
}

template <Rest rest, Interpolation function>
void fixed_function(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t* const a = aligned(context.source[0]);
  LaneRow operand;
  LaneRow square;
  for (unsigned i = 0; i < warp_size; ++i) operand.lane[i] = a[i];
  square_rows<rest>(operand, square);
  const bool clamp = instruction.saturate;
  write_lanes(context, context.destination, [&](unsigned i) {
    const std::uint32_t value = function(operand.lane[i], square.lane[i]);
    return clamp ? saturated(value) : value;
  });
}

template <Rest rest, Interpolation function>
std::uint32_t one_lane(std::uint32_t operand) {
  return function(operand, square_without_tail(rest(operand)));
}

template <std::uint32_t (*function)(std::uint32_t)>
void reduction(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  map1(context, [=](std::uint32_t a) { return function(modifier(a)); });
}

}  // namespace

Semantics bind_special(const Instruction& instruction) {
  const auto choose = [&](SpecialFunction function, Semantics narrow) {
    return wide_lanes() && !instruction.saturate ? wide_special(function) : narrow;
  };
  switch (instruction.opcode) {
    case Opcode::rcp:
      return choose(SpecialFunction::reciprocal, &float_function<&rest_of_reciprocal, &reciprocal>);
    case Opcode::rsqrt:
      return choose(SpecialFunction::reciprocal_root, &float_function<&rest_of_float, &reciprocal_root>);
    case Opcode::lg2:
      return choose(SpecialFunction::logarithm, &float_function<&rest_of_float, &logarithm>);
    case Opcode::sin:
      return choose(SpecialFunction::sine, &fixed_function<&rest_of_sine, &sine_lane>);
    case Opcode::cos:
      return choose(SpecialFunction::cosine, &fixed_function<&rest_of_cosine, &cosine_lane>);
    case Opcode::ex2:
      return choose(SpecialFunction::power_of_two, &fixed_function<&rest_of_power, &power_of_two>);
    case Opcode::presin:
      return choose(SpecialFunction::fixed_for_sine, &reduction<&fixed_for_sin>);
    default:
      return choose(SpecialFunction::fixed_for_power, &reduction<&fixed_for_ex2>);
  }
}

std::uint32_t special_lane(Opcode opcode, std::uint32_t operand) {
  switch (opcode) {
    case Opcode::rcp:
      return one_lane<&rest_of_reciprocal, &reciprocal>(flush(operand));
    case Opcode::rsqrt:
      return one_lane<&rest_of_float, &reciprocal_root>(flush(operand));
    case Opcode::lg2:
      return one_lane<&rest_of_float, &logarithm>(flush(operand));
    case Opcode::sin:
      return one_lane<&rest_of_sine, &sine_lane>(operand);
    case Opcode::cos:
      return one_lane<&rest_of_cosine, &cosine_lane>(operand);
    case Opcode::ex2:
      return one_lane<&rest_of_power, &power_of_two>(operand);
    case Opcode::presin:
      return fixed_for_sin(operand);
    default:
      return fixed_for_ex2(operand);
  }
}

}  // namespace teslasim::semantics
