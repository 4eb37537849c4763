// SPDX-License-Identifier: Apache-2.0
// Single-precision add, multiply and multiply-add, bit by bit as the chip does them.
//
// The multiply-add cuts its product to 24 significant bits before the addition, unless an operand is zero (envytools
// documentation; the truncation is also documented by NVIDIA). It is computed in double precision: the product of two
// 24-bit significands is exact there, cutting it is an AND, and a sum of two 24-bit numbers that is rounded to 53 bits
// and then to 24 bits equals the sum rounded once (53 >= 2 * 24 + 2, Figueroa 1995). Not modelled: nothing; every bit
// counts.
#include <cmath>

#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/float_wide.h"
#include "isa/semantics/lanes.h"

namespace teslasim::semantics {

namespace {

enum class Clamp : std::uint8_t { no, yes };

template <Clamp clamp>
std::uint32_t leave(std::uint32_t bits) {
  const std::uint32_t value = finished(bits);
  return clamp == Clamp::yes ? saturated(value) : value;
}

// --- addition

template <Clamp clamp>
void add_nearest(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  map2(context, [=](std::uint32_t a, std::uint32_t b) {
    return leave<clamp>(bits_of(as_float(flush(first(a))) + as_float(flush(second(b)))));
  });
  write_float_flags(context);
}

/// Towards zero, from the sum to nearest and its exact error (Knuth 1969, TwoSum).
std::uint32_t add_toward_zero_lane(std::uint32_t a, std::uint32_t b) {
  const float x = as_float(a);
  const float y = as_float(b);
  const float sum = x + y;
  const std::uint32_t bits = bits_of(sum);
  if (std::isnan(sum)) return f32_nan;
  if (std::isinf(sum)) return std::isinf(x) || std::isinf(y) ? bits : bits - 1;  // overflow: largest finite
  // In double precision nothing overflows on the way to the error.
  const double exact_sum = static_cast<double>(x) + static_cast<double>(y);
  const double y_part = exact_sum - static_cast<double>(x);
  const double tail = (static_cast<double>(x) - (exact_sum - y_part)) + (static_cast<double>(y) - y_part);
  const double error = (exact_sum - static_cast<double>(sum)) + tail;
  const bool rounded_away = sum > 0.0F ? error < 0.0 : error > 0.0;
  return sum != 0.0F && rounded_away ? bits - 1 : bits;
}

template <Clamp clamp>
void add_toward_zero(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  map2(context, [=](std::uint32_t a, std::uint32_t b) {
    return leave<clamp>(add_toward_zero_lane(flush(first(a)), flush(second(b))));
  });
  write_float_flags(context);
}

// --- multiplication

/// 2^-126 - 2^-151: products below it stay below the smallest normal number when rounded to 24 bits with unlimited
/// exponent, and are flushed. The host rounds such products at 2^-149 and may reach the smallest normal number instead.
constexpr double rounds_to_denormal_below = 0x1p-126 - 0x1p-151;
constexpr std::uint64_t significant_24 = ~((std::uint64_t{1} << 29) - 1);

double exact_product(std::uint32_t a, std::uint32_t b) {
  return static_cast<double>(as_float(a)) * static_cast<double>(as_float(b));
}

/// Flushed operands in, value before `leave` out.
std::uint32_t multiply_nearest_lane(std::uint32_t a, std::uint32_t b) {
  const double product = exact_product(a, b);
  const std::uint32_t bits = bits_of(static_cast<float>(product));
  return std::fabs(product) < rounds_to_denormal_below ? bits & f32_sign : bits;
}

/// A lane in which the host may have rounded a product up to the smallest normal number, which takes care to decide.
bool any_smallest_normal(const LaneRow& result) {
  return lanes_where([&result](unsigned i) { return (result.lane[i] & ~f32_sign) == f32_smallest_normal; }) != 0;
}

std::uint32_t multiply_toward_zero_lane(std::uint32_t a, std::uint32_t b) {
  const double product = exact_product(a, b);
  const std::uint32_t sign = (a ^ b) & f32_sign;
  const double cut = as_double(bits_of(product) & significant_24);
  if (std::isinf(product) || std::isnan(product)) return bits_of(static_cast<float>(product));
  if (std::fabs(cut) < 0x1p-126) return sign;
  if (std::fabs(cut) >= 0x1p128) return f32_largest | sign;
  return bits_of(static_cast<float>(cut));
}

bool saturates(const Instruction& instruction, const LaneContext& context) {
  constexpr std::uint8_t first_with_saturation = 12;  // earlier chips ignore the bit of mul
  return instruction.saturate && context.machine_sm >= first_with_saturation;
}

template <Clamp clamp>
void multiply_nearest_rows(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  LaneRow result;
  const std::uint32_t* const a = aligned(context.source[0]);
  const std::uint32_t* const b = aligned(context.source[1]);
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) {
    result.lane[i] = leave<clamp>(bits_of(as_float(flush(first(a[i]))) * as_float(flush(second(b[i])))));
  }
  if (any_smallest_normal(result)) [[unlikely]] {
    for (unsigned i = 0; i < warp_size; ++i) {
      result.lane[i] = leave<clamp>(multiply_nearest_lane(flush(first(a[i])), flush(second(b[i]))));
    }
  }
  write_lanes(context, context.destination, [&result](unsigned i) { return result.lane[i]; });
}

void multiply_nearest(const Instruction& instruction, LaneContext& context) {
  if (saturates(instruction, context)) {
    multiply_nearest_rows<Clamp::yes>(instruction, context);
  } else {
    multiply_nearest_rows<Clamp::no>(instruction, context);
  }
  write_float_flags(context);
}

void multiply_toward_zero(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  const bool clamp = saturates(instruction, context);
  map2(context, [=](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t bits = finished(multiply_toward_zero_lane(flush(first(a)), flush(second(b))));
    return clamp ? saturated(bits) : bits;
  });
  write_float_flags(context);
}

// --- multiply-add

/// Operands flushed, `c` not zero: the cut product plus `c`.
std::uint32_t multiply_add_lane(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const double cut = as_double(bits_of(exact_product(a, b)) & significant_24);
  return bits_of(static_cast<float>(cut + static_cast<double>(as_float(c))));
}

/// Operands flushed. Where `c` is zero, the product is rounded to nearest and flushed like that of mul, then added.
/// Both values are computed and one is chosen by a mask: a choice of numbers would keep hosts from using vectors.
std::uint32_t multiply_add_any_lane(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t rounded = bits_of(as_float(a) * as_float(b));
  const std::uint32_t rounded_sum = bits_of(as_float(flush(rounded)) + as_float(c));
  const std::uint32_t addend_is_zero = (c & ~f32_sign) == 0 ? ~0U : 0U;
  return (rounded_sum & addend_is_zero) | (multiply_add_lane(a, b, c) & ~addend_is_zero);
}

std::uint32_t multiply_then_add_zero(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return bits_of(as_float(flush(multiply_nearest_lane(a, b))) + as_float(c));
}

/// Some addend is zero.
template <Clamp clamp>
void multiply_add_with_zeros(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                             std::uint32_t negate_product, std::uint32_t negate_addend, LaneRow& result) {
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t first = flush(a[i] ^ negate_product);
    result.lane[i] = leave<clamp>(multiply_add_any_lane(first, flush(b[i]), flush(c[i] ^ negate_addend)));
  }
  if (!any_smallest_normal(result)) [[likely]]
    return;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t addend = flush(c[i] ^ negate_addend);
    if ((addend & ~f32_sign) != 0) continue;
    result.lane[i] = leave<clamp>(multiply_then_add_zero(flush(a[i] ^ negate_product), flush(b[i]), addend));
  }
}

template <Clamp clamp>
void multiply_add(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t negate_product = instruction.source[0].negate != instruction.source[1].negate ? f32_sign : 0U;
  const std::uint32_t negate_addend = instruction.source[2].negate ? f32_sign : 0U;
  const std::uint32_t* const a = aligned(context.source[0]);
  const std::uint32_t* const b = aligned(context.source[1]);
  const std::uint32_t* const c = aligned(context.source[2]);
  if (lanes_where([=](unsigned i) { return (c[i] & f32_infinity) == 0; }) == 0) [[likely]] {
    write_lanes(context, context.destination, [=](unsigned i) {
      const std::uint32_t first = flush(a[i] ^ negate_product);
      return leave<clamp>(multiply_add_lane(first, flush(b[i]), c[i] ^ negate_addend));
    });
  } else {
    LaneRow result;
    multiply_add_with_zeros<clamp>(a, b, c, negate_product, negate_addend, result);
    write_lanes(context, context.destination, [&result](unsigned i) { return result.lane[i]; });
  }
  write_float_flags(context);
}

// --- the same on hosts with wider vectors, the careful code above where it is needed

void add_nearest_wide(const Instruction& instruction, LaneContext& context) {
  wide_add(instruction, context);
  write_float_flags(context);
}

void multiply_nearest_wide(const Instruction& instruction, LaneContext& context) {
  if (saturates(instruction, context) || !wide_multiply(instruction, context)) {
    return multiply_nearest(instruction, context);
  }
  write_float_flags(context);
}

void multiply_add_wide(const Instruction& instruction, LaneContext& context) {
  if (!wide_multiply_add(instruction, context)) return multiply_add<Clamp::no>(instruction, context);
  write_float_flags(context);
}

// --- between the lanes of a quad

std::uint32_t quad_lane(QuadOperation operation, std::uint32_t first, std::uint32_t second) {
  const float a = as_float(flush(first));
  const float b = as_float(flush(second));
  switch (operation) {
    case QuadOperation::add:
      return finished(bits_of(a + b));
    case QuadOperation::subr:
      return finished(bits_of(b - a));
    case QuadOperation::sub:
      return finished(bits_of(a - b));
    case QuadOperation::pass:
      break;
  }
  return finished(bits_of(b + 0.0F));
}

void quad_operation(const Instruction& instruction, LaneContext& context) {
  constexpr unsigned quad = 4;
  const QuadDetails& details = instruction.quad();
  LaneRow result{};
  const bool derivative = details.selected >= quad;  // dx and dy need neighbouring pixels: 0 in compute programs
  for (unsigned i = 0; i < warp_size && !derivative; ++i) {
    const unsigned from = i / quad * quad + details.selected;
    result.lane[i] = quad_lane(details.operation[i % quad], context.source[0][from], context.source[1][i]);
  }
  write_lanes(context, context.destination, [&result](unsigned i) { return result.lane[i]; });
  write_float_flags(context);
}

}  // namespace

Semantics bind_float(const Instruction& instruction) {
  const bool toward_zero = instruction.rounding == Rounding::zero;
  const bool clamp = instruction.saturate;
  const bool wide = wide_lanes() && !clamp && !toward_zero;
  switch (instruction.opcode) {
    case Opcode::fadd:
      if (toward_zero) return clamp ? &add_toward_zero<Clamp::yes> : &add_toward_zero<Clamp::no>;
      if (wide) return &add_nearest_wide;
      return clamp ? &add_nearest<Clamp::yes> : &add_nearest<Clamp::no>;
    case Opcode::fmul:
      if (wide) return &multiply_nearest_wide;
      return toward_zero ? &multiply_toward_zero : &multiply_nearest;
    case Opcode::quadop:
      return &quad_operation;
    default:
      if (wide) return &multiply_add_wide;
      return clamp ? &multiply_add<Clamp::yes> : &multiply_add<Clamp::no>;
  }
}

}  // namespace teslasim::semantics
