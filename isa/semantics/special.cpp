// SPDX-License-Identifier: Apache-2.0
// Special functions: rcp, rsqrt, lg2, sin, cos, ex2, and the range reductions pre.sin and pre.ex2.
//
// Stands for the special-function unit. The chip interpolates quadratically in tables (Oberman & Siu 2005); here each
// function is computed in double precision with the four basic operations and square root only, then rounded once,
// which gives the correctly rounded result except when it lies within about 2^-52 (relative) of a midpoint. The chip
// differs from that by 1-2 units in the last place. No function of the host's mathematics library is used, so results
// are the same for every compiler and library. Special values and the fixed-point formats between pre.* and sin, cos,
// ex2 are those of the chip (envytools documentation). See docs/decisions/0005-special-functions.md.
#include <cmath>

#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/lanes.h"

namespace teslasim::semantics {

namespace {

// --- fixed point: sign in bit 31, special in bit 30, 7 integer bits and 23 fraction bits

constexpr std::uint32_t fixed_special = 0x40000000U;  ///< infinity or NaN
constexpr std::uint32_t fixed_infinity = 0x40800000U;
constexpr unsigned fraction_bits = 23;
constexpr std::uint32_t fraction_mask = (1U << fraction_bits) - 1;
constexpr double fraction_unit = 0x1p-23;
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
  const auto shift = static_cast<unsigned>(-parts.exponent);
  return sign | (shift > fraction_bits ? 0U : parts.significand >> shift);
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

// --- polynomials in double precision, coefficients by their defining series

/// sum of c[k] x^k, highest first.
template <std::size_t count>
double polynomial(const std::array<double, count>& coefficients, double x) {
  double value = 0.0;
  for (const double coefficient : coefficients) value = value * x + coefficient;
  return value;
}

constexpr double ln_2 = 0x1.62e42fefa39efp-1;
constexpr double log2_e = 0x1.71547652b82fep+0;
constexpr double half_pi = 0x1.921fb54442d18p+0;

constexpr std::size_t exponential_terms = 15;
constexpr std::size_t trigonometric_terms = 10;
constexpr std::size_t logarithm_terms = 12;

/// 1/k!, highest first.
constexpr std::array<double, exponential_terms> exponential_series() {
  std::array<double, exponential_terms> series{};
  double factorial = 1.0;
  for (std::size_t k = 0; k < exponential_terms; ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    series[exponential_terms - 1 - k] = 1.0 / factorial;
  }
  return series;
}

/// (-1)^k / (2k + first)!, highest first: sine for first = 1, cosine for first = 0.
constexpr std::array<double, trigonometric_terms> trigonometric_series(unsigned first) {
  std::array<double, trigonometric_terms> series{};
  double factorial = 1.0;
  for (std::size_t k = 0; k < trigonometric_terms; ++k) {
    const double n = static_cast<double>(2 * k + first);
    if (k > 0) factorial *= n * (n - 1.0);
    series[trigonometric_terms - 1 - k] = (k % 2 == 0 ? 1.0 : -1.0) / factorial;
  }
  return series;
}

/// 1 / (2k + 1), highest first: the area tangent.
constexpr std::array<double, logarithm_terms> logarithm_series() {
  std::array<double, logarithm_terms> series{};
  for (std::size_t k = 0; k < logarithm_terms; ++k) {
    series[logarithm_terms - 1 - k] = 1.0 / static_cast<double>(2 * k + 1);
  }
  return series;
}

constexpr auto exponential = exponential_series();
constexpr auto sine = trigonometric_series(1);
constexpr auto cosine = trigonometric_series(0);
constexpr auto area_tangent = logarithm_series();

// --- one lane of each function; operands flushed

std::uint32_t reciprocal(std::uint32_t bits) {
  return finished(bits_of(static_cast<float>(1.0 / static_cast<double>(as_float(bits)))));
}

std::uint32_t reciprocal_root(std::uint32_t bits) {
  const double x = static_cast<double>(as_float(bits));
  const std::uint32_t zero_result = f32_infinity | (bits & f32_sign);
  const bool zero = (bits & ~f32_sign) == 0;
  const std::uint32_t value = finished(bits_of(static_cast<float>(1.0 / std::sqrt(x))));
  return zero ? zero_result : value;
}

/// log2 of a positive normal number: s = (m - 1) / (m + 1) with m within a factor sqrt(2) of 1, log m = 2 artanh s.
std::uint32_t logarithm_of_normal(std::uint32_t bits) {
  constexpr std::uint32_t root_of_two = 0x3504f3U;  // fraction of sqrt(2)
  const std::uint32_t fraction = bits & fraction_mask;
  const bool upper = fraction > root_of_two;
  const double m = static_cast<double>(as_float(fraction | (upper ? 0x3f000000U : f32_one)));
  const int exponent = static_cast<int>(bits >> fraction_bits) - f32_bias + (upper ? 1 : 0);
  const double s = (m - 1.0) / (m + 1.0);
  const double logarithm = 2.0 * log2_e * s * polynomial(area_tangent, s * s);
  return bits_of(static_cast<float>(static_cast<double>(exponent) + logarithm));
}

std::uint32_t logarithm(std::uint32_t bits) {
  if ((bits & ~f32_sign) == 0) return f32_sign | f32_infinity;
  if (is_nan(bits) || (bits & f32_sign) != 0) return f32_nan;
  return bits == f32_infinity ? f32_infinity : logarithm_of_normal(bits);
}

/// Sine of a fixed-point number of quarter turns, advanced by `quarter` of them.
std::uint32_t sine_of(std::uint32_t fixed, std::uint32_t quarter, std::uint32_t sign) {
  const std::uint32_t quadrant = (fixed >> fraction_bits) + quarter;
  const std::uint32_t fraction = fixed & fraction_mask;
  const std::uint32_t reflected = (quadrant & 1U) != 0 ? (1U << fraction_bits) - fraction : fraction;
  const std::uint32_t half_turn = (quadrant & 2U) != 0 ? f32_sign : 0U;
  const bool near_top = reflected > 1U << (fraction_bits - 1);  // closer to the crest: cosine of the rest
  const std::uint32_t rest = near_top ? (1U << fraction_bits) - reflected : reflected;
  const double angle = static_cast<double>(rest) * fraction_unit * half_pi;
  const double square = angle * angle;
  const double value = near_top ? polynomial(cosine, square) : angle * polynomial(sine, square);
  return finished(bits_of(static_cast<float>(value)) | (sign ^ half_turn));
}

std::uint32_t sine_lane(std::uint32_t fixed) {
  return (fixed & fixed_special) != 0 ? f32_nan : sine_of(fixed, 0, fixed & f32_sign);
}

std::uint32_t cosine_lane(std::uint32_t fixed) {
  return (fixed & fixed_special) != 0 ? f32_nan : sine_of(fixed, 1, 0);
}

std::uint32_t power_of_two(std::uint32_t fixed) {
  constexpr int smallest = -126;
  constexpr int largest = 127;
  const bool negative = (fixed & f32_sign) != 0;
  if ((fixed & fixed_special) != 0) {
    const bool infinite = (fixed & (fixed_infinity ^ fixed_special)) != 0;
    const std::uint32_t limit = negative ? 0U : f32_infinity;
    return infinite ? limit : f32_nan;
  }
  const auto magnitude = static_cast<std::int32_t>(fixed & ~(f32_sign | fixed_special));
  const std::int32_t value = negative ? -magnitude : magnitude;
  // Split so that the fraction lies in [-1/2, 1/2).
  const std::int32_t whole = (value + (1 << (fraction_bits - 1))) >> fraction_bits;
  const double rest = static_cast<double>(value - whole * (1 << fraction_bits)) * fraction_unit;
  const double power = polynomial(exponential, rest * ln_2);
  const std::uint32_t bits = bits_of(static_cast<float>(power));  // in [sqrt(1/2), sqrt(2)]
  const int exponent = static_cast<int>(bits >> fraction_bits) - f32_bias + whole;
  if (exponent > largest) return f32_infinity;
  if (exponent < smallest) return 0;
  return (bits & fraction_mask) | static_cast<std::uint32_t>(exponent + f32_bias) << fraction_bits;
}

template <std::uint32_t (*function)(std::uint32_t)>
void float_function(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  map1(context, [=](std::uint32_t a) { return function(flush(modifier(a))); });
}

template <std::uint32_t (*function)(std::uint32_t)>
void fixed_function(const Instruction& /*instruction*/, LaneContext& context) {
  map1(context, function);
}

template <std::uint32_t (*function)(std::uint32_t)>
void reduction(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  map1(context, [=](std::uint32_t a) { return function(modifier(a)); });
}

void exponential_function(const Instruction& instruction, LaneContext& context) {
  if (instruction.saturate) {
    map1(context, [](std::uint32_t a) { return saturated(power_of_two(a)); });
  } else {
    map1(context, &power_of_two);
  }
}

}  // namespace

Semantics bind_special(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::rcp:
      return &float_function<&reciprocal>;
    case Opcode::rsqrt:
      return &float_function<&reciprocal_root>;
    case Opcode::lg2:
      return &float_function<&logarithm>;
    case Opcode::sin:
      return &fixed_function<&sine_lane>;
    case Opcode::cos:
      return &fixed_function<&cosine_lane>;
    case Opcode::ex2:
      return &exponential_function;
    case Opcode::presin:
      return &reduction<&fixed_for_sin>;
    default:
      return &reduction<&fixed_for_ex2>;
  }
}

}  // namespace teslasim::semantics
