// SPDX-License-Identifier: Apache-2.0
// Double precision: IEEE with denormals and four rounding modes; fused multiply-add.
// NaN operands come back quieted, second before third before first; invalid operations give fff8000000000000 (envytools
// documentation, Tesla double-precision instructions). Rounding to nearest is the host's; the other modes are computed
// with integers, so that the host's rounding mode is never touched.
#include <cmath>

#include "isa/semantics/double_wide.h"
#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/float_wide.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/rounding.h"

namespace teslasim::semantics {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63U;
constexpr std::uint64_t quiet_bit = std::uint64_t{1} << 51U;
constexpr std::uint64_t invalid_result = 0xfff8000000000000U;
constexpr std::uint64_t one = 0x3ff0000000000000U;

std::uint64_t pair_at(const std::uint32_t* row, unsigned lane) {
  return row[lane] | std::uint64_t{row[lane + warp_size]} << 32U;
}

bool is_nan64(std::uint64_t bits) {
  return is_nan(bits, binary64);
}

/// Arithmetic leaves the sign of NaN alone and quiets it.
std::uint64_t arithmetic_operand(std::uint64_t bits, const Operand& operand) {
  if (is_nan64(bits)) return bits | quiet_bit;
  if (operand.absolute) bits &= ~sign_bit;
  return operand.negate ? bits ^ sign_bit : bits;
}

/// Comparison operands take their modifiers always.
std::uint64_t compared_operand(std::uint64_t bits, const Operand& operand) {
  if (operand.absolute) bits &= ~sign_bit;
  return operand.negate ? bits ^ sign_bit : bits;
}

constexpr int top = 125;  ///< where the leading bit of the larger addend is put: room for a carry above it

ExactNumber normalised(ExactNumber number) {
  const int shift = top + 1 - bit_width(number.significand);
  number.significand <<= static_cast<unsigned>(shift);
  number.exponent -= shift;
  return number;
}

/// Exact sum of two numbers that are not zero, apart from a positive rest below one unit. Significand 0: exactly zero.
ExactNumber exact_sum(const ExactNumber& first, const ExactNumber& second) {
  const ExactNumber a = normalised(first);
  const ExactNumber b = normalised(second);
  const bool swap = a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand);
  ExactNumber large = swap ? b : a;
  const ExactNumber& small = swap ? a : b;
  const int distance = large.exponent - small.exponent;
  constexpr int width = 128;
  const bool vanishes = distance >= width;
  const Wide shifted = vanishes ? 0 : small.significand >> static_cast<unsigned>(distance);
  const Wide lost =
      vanishes ? small.significand : small.significand & ((Wide{1} << static_cast<unsigned>(distance)) - 1);
  large.inexact = lost != 0;
  if (large.negative == small.negative) {
    large.significand += shifted;
  } else {
    large.significand -= shifted + (large.inexact ? 1U : 0U);
  }
  return large;
}

std::uint64_t zero_sum(bool first_negative, bool second_negative, Rounding mode) {
  const bool negative = first_negative == second_negative ? first_negative : mode == Rounding::down;
  return negative ? sign_bit : 0;
}

/// a * b + c for finite operands in a directed mode.
std::uint64_t directed_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding mode) {
  const ExactNumber x = take_apart(a, binary64);
  const ExactNumber y = take_apart(b, binary64);
  const ExactNumber z = take_apart(c, binary64);
  const ExactNumber product{x.negative != y.negative, x.exponent + y.exponent, x.significand * y.significand, false};
  if (product.significand == 0 && z.significand == 0) return zero_sum(product.negative, z.negative, mode);
  if (product.significand == 0) return c;
  if (z.significand == 0) return round_to_format(product, binary64, mode);
  const ExactNumber sum = exact_sum(product, z);
  if (sum.significand == 0 && !sum.inexact) return zero_sum(product.negative, z.negative, mode);
  return round_to_format(sum, binary64, mode);
}

/// The host's result for anything that is not a finite sum or product in a directed mode.
std::uint64_t host_result(double value) {
  return std::isnan(value) ? invalid_result : bits_of(value);
}

bool is_finite(std::uint64_t bits) {
  return (bits & binary64.infinity()) != binary64.infinity();
}

std::uint64_t fused(std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding mode) {
  if (is_nan64(b)) return b;
  if (is_nan64(c)) return c;
  if (is_nan64(a)) return a;
  const bool finite = is_finite(a) && is_finite(b) && is_finite(c);
  if (mode != Rounding::nearest && finite) return directed_fma(a, b, c, mode);
  return host_result(std::fma(as_double(a), as_double(b), as_double(c)));
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b, Rounding mode) {
  if (is_nan64(b)) return b;
  if (is_nan64(a)) return a;
  const bool finite = is_finite(a) && is_finite(b);
  if (mode != Rounding::nearest && finite) return directed_fma(a, one, b, mode);
  return host_result(as_double(a) + as_double(b));
}

std::uint64_t product(std::uint64_t a, std::uint64_t b, Rounding mode) {
  if (is_nan64(b)) return b;
  if (is_nan64(a)) return a;
  const bool finite = is_finite(a) && is_finite(b);
  const std::uint64_t neutral = mode == Rounding::down ? 0 : sign_bit;  // leaves the sign of a zero product alone
  if (mode != Rounding::nearest && finite) return directed_fma(a, b, neutral, mode);
  return host_result(as_double(a) * as_double(b));
}

/// Integers in the order of the numbers, -0 just below +0.
std::int64_t ordering_key(std::uint64_t bits) {
  const auto value = static_cast<std::int64_t>(bits);
  return value ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(value >> 63U) >> 1U);
}

std::uint64_t extreme(std::uint64_t a, std::uint64_t b, bool maximum) {
  if (is_nan64(b)) return is_nan64(a) ? b : a;
  if (is_nan64(a)) return b;
  return (ordering_key(a) < ordering_key(b)) == maximum ? b : a;
}

/// Of the result just written.
void write_pair_flags(const LaneContext& context) {
  if (context.flags == nullptr) return;
  FlagPlanes flags;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint64_t value = pair_at(context.destination, i);
    const bool nan = is_nan64(value);
    const bool zero = (value & ~sign_bit) == 0;
    const bool negative = (value & sign_bit) != 0 && !zero;
    flags.zero |= static_cast<LaneMask>(zero || nan) << i;
    flags.sign |= static_cast<LaneMask>(negative || nan) << i;
  }
  write_flags(context, flags);
}

void write_pair(const LaneContext& context, const std::array<std::uint64_t, warp_size>& values) {
  write_lanes(context, context.destination, [&](unsigned i) { return static_cast<std::uint32_t>(values[i]); });
  write_lanes(context, context.destination + warp_size,
              [&](unsigned i) { return static_cast<std::uint32_t>(values[i] >> 32U); });
  write_pair_flags(context);
}

template <typename Function>
void for_pairs(LaneContext& context, Function function) {
  std::array<std::uint64_t, warp_size> values{};
  for (unsigned i = 0; i < warp_size; ++i) {
    if ((context.lanes >> i & 1U) != 0) values[i] = function(i);
  }
  write_pair(context, values);
}

void fma_rows(const Instruction& instruction, LaneContext& context) {
  const auto& source = instruction.source;
  for_pairs(context, [&](unsigned i) {
    const std::uint64_t a = arithmetic_operand(pair_at(context.source[0], i), source[0]);
    const std::uint64_t b = arithmetic_operand(pair_at(context.source[1], i), source[1]);
    const std::uint64_t c = arithmetic_operand(pair_at(context.source[2], i), source[2]);
    return fused(a, b, c, instruction.rounding);
  });
}

template <typename Function>
void two_operands(const Instruction& instruction, LaneContext& context, Function function) {
  const auto& source = instruction.source;
  for_pairs(context, [&](unsigned i) {
    const std::uint64_t a = arithmetic_operand(pair_at(context.source[0], i), source[0]);
    const std::uint64_t b = arithmetic_operand(pair_at(context.source[1], i), source[1]);
    return function(a, b);
  });
}

void add_rows64(const Instruction& instruction, LaneContext& context) {
  two_operands(instruction, context, [&](std::uint64_t a, std::uint64_t b) { return sum(a, b, instruction.rounding); });
}

void multiply_rows(const Instruction& instruction, LaneContext& context) {
  two_operands(instruction, context,
               [&](std::uint64_t a, std::uint64_t b) { return product(a, b, instruction.rounding); });
}

/// Eight lanes at a time, one by one where a result is NaN.
template <bool (*wide)(const Instruction&, LaneContext&), Semantics careful>
void wide_rows(const Instruction& instruction, LaneContext& context) {
  if (!wide(instruction, context)) return careful(instruction, context);
  write_pair_flags(context);
}

void minimum_rows(const Instruction& instruction, LaneContext& context) {
  two_operands(instruction, context, [](std::uint64_t a, std::uint64_t b) { return extreme(a, b, false); });
}

void maximum_rows(const Instruction& instruction, LaneContext& context) {
  two_operands(instruction, context, [](std::uint64_t a, std::uint64_t b) { return extreme(a, b, true); });
}

bool holds(Relations comparison, std::uint64_t a, std::uint64_t b) {
  if (is_nan64(a) || is_nan64(b)) return includes(comparison, Relations::unordered);
  if (a == b || ((a | b) & ~sign_bit) == 0) return includes(comparison, Relations::equal);
  return includes(comparison, ordering_key(a) < ordering_key(b) ? Relations::less : Relations::greater);
}

void set_rows(const Instruction& instruction, LaneContext& context) {
  LaneRow result;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint64_t a = compared_operand(pair_at(context.source[0], i), instruction.source[0]);
    const std::uint64_t b = compared_operand(pair_at(context.source[1], i), instruction.source[1]);
    result.lane[i] = holds(instruction.compare, a, b) ? ~0U : 0U;
  }
  write_lanes(context, context.destination, [&result](unsigned i) { return result.lane[i]; });
  write_integer_flags<32>(context);
}

}  // namespace

Semantics bind_double(const Instruction& instruction) {
  const bool wide = wide_lanes() && instruction.rounding == Rounding::nearest;
  switch (instruction.opcode) {
    case Opcode::dfma:
      return wide ? &wide_rows<&wide_double_fma, &fma_rows> : &fma_rows;
    case Opcode::dadd:
      return wide ? &wide_rows<&wide_double_add, &add_rows64> : &add_rows64;
    case Opcode::dmul:
      return wide ? &wide_rows<&wide_double_multiply, &multiply_rows> : &multiply_rows;
    case Opcode::dmin:
      return &minimum_rows;
    case Opcode::dmax:
      return &maximum_rows;
    default:
      return &set_rows;
  }
}

}  // namespace teslasim::semantics
