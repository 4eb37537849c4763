// SPDX-License-Identifier: Apache-2.0
// Datasheet of single-precision arithmetic, against an independent model that uses integers only.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

#include "tests/isa/semantics_harness.h"

namespace teslasim::semantics_test {
namespace {

constexpr std::uint32_t nan = 0x7fffffff, infinity = 0x7f800000, minus = 0x80000000;
constexpr std::uint32_t smallest_normal = 0x00800000, largest = 0x7f7fffff;
constexpr unsigned z = 1, s = 2;

// --- the reference: integers only, written from the published description, not from the code under test

struct Parts {
  bool negative;
  std::uint64_t mantissa;  ///< 0 for zero and for denormals, which count as zero
  int exponent;            ///< of the mantissa's last bit
};

bool is_nan(std::uint32_t x) {
  return (x & ~minus) > infinity;
}
bool is_infinite(std::uint32_t x) {
  return (x & ~minus) == infinity;
}

Parts parts_of(std::uint32_t x) {
  const int biased = static_cast<int>(x >> 23 & 0xffU);
  return {x >> 31 != 0, biased == 0 ? 0U : (x & 0x7fffffU) | 0x800000U, biased - 150};
}

enum class Direction { nearest, toward_zero };

/// Drops `count` low bits.
std::uint64_t drop(std::uint64_t value, int count, Direction direction) {
  if (count <= 0) return value << -count;
  if (count > 63) return 0;
  const std::uint64_t kept = value >> count;
  const std::uint64_t lost = value & ((std::uint64_t{1} << count) - 1);
  const std::uint64_t half = std::uint64_t{1} << (count - 1);
  const bool up = direction == Direction::nearest && (lost > half || (lost == half && (kept & 1U) != 0));
  return kept + (up ? 1 : 0);
}

/// `smallest_unit`: exponent below which no result bit may lie (-149 for the sum of mad), or very low for "unlimited".
std::uint32_t pack(Parts value, Direction direction, int smallest_unit) {
  const std::uint32_t sign = value.negative ? minus : 0;
  if (value.mantissa == 0) return sign;
  const int width = static_cast<int>(std::bit_width(value.mantissa));
  int unit = std::max(value.exponent + width - 24, smallest_unit);
  std::uint64_t mantissa = drop(value.mantissa, unit - value.exponent, direction);
  if (mantissa == 0x1000000U) {
    mantissa >>= 1U;
    ++unit;
  }
  if (mantissa < 0x800000U) return sign;  // a denormal: flushed
  const int biased = unit + 150;
  if (biased <= 0) return sign;
  if (biased >= 255) return sign | (direction == Direction::nearest ? infinity : largest);
  return sign | static_cast<std::uint32_t>(biased) << 23U | static_cast<std::uint32_t>(mantissa & 0x7fffffU);
}

constexpr int unlimited = -100000;

/// Adds exactly, but for a last bit that says "there was more".
Parts add(Parts a, Parts b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  constexpr int room = 36;
  a.mantissa <<= room, a.exponent -= room;
  b.mantissa <<= room, b.exponent -= room;
  if (a.exponent < b.exponent) std::swap(a, b);
  const int distance = a.exponent - b.exponent;
  const bool gone = distance > 62;
  const std::uint64_t shifted = gone ? 0 : b.mantissa >> distance;
  const bool more = gone || (shifted << distance) != b.mantissa;
  b.mantissa = shifted | (more ? 1U : 0U);
  if (a.negative == b.negative) return {a.negative, a.mantissa + b.mantissa, a.exponent};
  if (a.mantissa >= b.mantissa) return {a.negative, a.mantissa - b.mantissa, a.exponent};
  return {b.negative, b.mantissa - a.mantissa, a.exponent};
}

std::uint32_t reference_add(std::uint32_t a, std::uint32_t b, Direction direction) {
  if (is_nan(a) || is_nan(b)) return nan;
  if (is_infinite(a)) return is_infinite(b) && a != b ? nan : a;
  if (is_infinite(b)) return b;
  const Parts x = parts_of(a);
  const Parts y = parts_of(b);
  if (x.mantissa == 0 && y.mantissa == 0) return x.negative && y.negative ? minus : 0;
  const Parts sum = add(x, y);
  return sum.mantissa == 0 ? 0 : pack(sum, direction, unlimited);
}

std::uint32_t reference_multiply(std::uint32_t a, std::uint32_t b, Direction direction) {
  if (is_nan(a) || is_nan(b)) return nan;
  const Parts x = parts_of(a);
  const Parts y = parts_of(b);
  const std::uint32_t sign = (a ^ b) & minus;
  const bool zero = (x.mantissa == 0 && !is_infinite(a)) || (y.mantissa == 0 && !is_infinite(b));
  if (is_infinite(a) || is_infinite(b)) return zero ? nan : sign | infinity;
  return pack({sign != 0, x.mantissa * y.mantissa, x.exponent + y.exponent}, direction, unlimited);
}

std::uint32_t reference_mad(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Parts x = parts_of(a);
  const Parts y = parts_of(b);
  const Parts addend = parts_of(c);
  const bool special = (a & infinity) == infinity || (b & infinity) == infinity || (c & infinity) == infinity;
  if (is_nan(c)) return nan;
  if (special) {
    // A finite product is only ever added to an infinite c here, so its value does not matter.
    const bool product_special = is_nan(a) || is_nan(b) || is_infinite(a) || is_infinite(b);
    return product_special ? reference_add(reference_multiply(a, b, Direction::nearest), c, Direction::nearest) : c;
  }
  if (x.mantissa == 0 || y.mantissa == 0 || addend.mantissa == 0) {
    return reference_add(reference_multiply(a, b, Direction::nearest), c, Direction::nearest);
  }
  Parts product{x.negative != y.negative, x.mantissa * y.mantissa, x.exponent + y.exponent};
  const int excess = static_cast<int>(std::bit_width(product.mantissa)) - 24;
  product.mantissa >>= excess;
  product.exponent += excess;
  const Parts sum = add(product, addend);
  return sum.mantissa == 0 ? 0 : pack(sum, Direction::nearest, -149);
}

// --- operands that find mistakes: borders, and exponents near each other

rc::Gen<std::uint32_t> operands() {
  const auto borders = rc::gen::element<std::uint32_t>(
      0U, minus, 1U, 0x007fffffU, 0x807fffffU, smallest_normal, 0x80800000U, 0x00800001U, 0x3f800000U, 0xbf800000U,
      0x3f800001U, 0x3f7fffffU, largest, 0xff7fffffU, infinity, 0xff800000U, nan, 0xffffffffU, 0x7f812345U);
  const auto near_one = rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [](std::uint32_t x) {
    return (x & 0x807fffffU) | (0x3f000000U + (x >> 23U & 3U) * 0x800000U);
  });
  const auto tiny = rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [](std::uint32_t x) {
    return (x & 0x807fffffU) | (0x1f000000U + (x >> 23U & 3U) * 0x800000U);  // products near 2^-126
  });
  const auto anything = rc::gen::resize(1000, rc::gen::arbitrary<std::uint32_t>());
  return rc::gen::oneOf(borders, near_one, tiny, anything);
}

Instruction float_operation(Opcode opcode, Rounding rounding = Rounding::nearest) {
  Instruction instruction = operation(opcode, ValueType::f32);
  instruction.rounding = rounding;
  return instruction;
}

RC_GTEST_PROP(FloatMad, equals_the_integer_model, ()) {
  const auto a = *operands();
  const auto b = *operands();
  const auto c = *operands();
  RC_ASSERT(run(float_operation(Opcode::fmad), a, b, c).value == reference_mad(a, b, c));
}

RC_GTEST_PROP(FloatMultiply, equals_the_integer_model, ()) {
  const auto a = *operands();
  const auto b = *operands();
  RC_ASSERT(run(float_operation(Opcode::fmul), a, b).value == reference_multiply(a, b, Direction::nearest));
  RC_ASSERT(run(float_operation(Opcode::fmul, Rounding::zero), a, b).value ==
            reference_multiply(a, b, Direction::toward_zero));
}

RC_GTEST_PROP(FloatAdd, equals_the_integer_model, ()) {
  const auto a = *operands();
  const auto b = *operands();
  RC_ASSERT(run(float_operation(Opcode::fadd), a, b).value == reference_add(a, b, Direction::nearest));
  RC_ASSERT(run(float_operation(Opcode::fadd, Rounding::zero), a, b).value ==
            reference_add(a, b, Direction::toward_zero));
}

/// Fixed numbers of trials with a generator of its own, so that rare cases are met in every run.
TEST(FloatMad, equals_the_integer_model_on_a_million_operands) {
  std::uint64_t state = 12345;
  const auto random = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state >> 32U);
  };
  const Instruction mad = float_operation(Opcode::fmad);
  for (unsigned trial = 0; trial < 1000000 / warp_size; ++trial) {
    Warp warp(mad);
    std::array<std::array<std::uint32_t, 3>, warp_size> lanes{};
    const std::uint32_t exponent = random() % 200 << 23U;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      lanes[lane] = {random(), random(), random()};
      if (trial % 2 == 0) {  // addend of the size of the product
        lanes[lane][0] = (lanes[lane][0] & 0x80ffffffU) | 0x3f000000U;
        lanes[lane][1] = (lanes[lane][1] & 0x80ffffffU) + exponent;
        lanes[lane][2] = (lanes[lane][2] & 0x81ffffffU) + exponent;
      }
      for (unsigned i = 0; i < 3; ++i) warp.lane(i, lane, lanes[lane][i]);
    }
    warp.run();
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const auto& [a, b, c] = lanes[lane];
      ASSERT_EQ(warp.value(lane), reference_mad(a, b, c)) << std::hex << a << " * " << b << " + " << c;
    }
  }
}

TEST(FloatMad, cuts_the_product_unless_an_operand_is_zero) {
  const Instruction mad = float_operation(Opcode::fmad);
  const std::uint32_t a = 0x3f800003;  // a * a has low bits that round up
  const std::uint32_t product_up = run(float_operation(Opcode::fmul), a, 0x3f800005).value;
  EXPECT_EQ(run(mad, a, 0x3f800005, 0).value, product_up);
  EXPECT_EQ(run(mad, a, 0x3f800005, minus).value, product_up);
  EXPECT_EQ(run(mad, 0x3fffffff, 0x3fffffff, 0xc0800000).value, bits(real(0x407ffffe) - 4.0F));
}

TEST(FloatMad, negation_of_product_and_addend) {
  Instruction mad = float_operation(Opcode::fmad);
  mad.source[0].negate = true;
  EXPECT_EQ(run(mad, bits(2.0F), bits(3.0F), bits(10.0F)).value, bits(4.0F));
  mad.source[2].negate = true;
  EXPECT_EQ(run(mad, bits(2.0F), bits(3.0F), bits(10.0F)), (Outcome{bits(-16.0F), s}));
}

TEST(FloatMad, a_sum_just_below_the_smallest_normal_number_is_rounded_before_it_is_flushed) {
  // -(2^-126) (1 + 2^-23) + product just above 2^-149 / 2: the exact sum rounds back to -2^-126.
  const std::uint32_t c = 0x80800001, a = 0x20000001, b = 0x15400000;
  EXPECT_EQ(run(float_operation(Opcode::fmad), a, b, c).value, reference_mad(a, b, c));
}

TEST(FloatMultiply, results_below_the_smallest_normal_number_are_flushed_after_rounding_to_24_bits) {
  const Instruction mul = float_operation(Opcode::fmul);
  EXPECT_EQ(run(mul, 0x00ffffff, 0x3f000000).value, 0U);           // a denormal
  EXPECT_EQ(run(mul, 0x3f7fffff, 0x00800000).value, 0U);           // 2^-126 (1 - 2^-24) has 24 bits: below, so flushed
  EXPECT_EQ(run(mul, 0x3f7fffff, 0x00800001).value, 0x00800000U);  // rounds up to the smallest normal number
  EXPECT_EQ(run(mul, 0xbf7fffff, 0x00800000).value, minus);
}

TEST(FloatMultiply, saturation_exists_from_compute_capability_12_on) {
  Instruction mul = float_operation(Opcode::fmul);
  mul.saturate = true;
  const auto on = [&](unsigned sm) {
    return Warp(mul).operand(0, bits(2.0F)).operand(1, bits(3.0F)).machine(sm).run().value();
  };
  EXPECT_EQ(on(10), bits(6.0F));
  EXPECT_EQ(on(11), bits(6.0F));
  EXPECT_EQ(on(12), bits(1.0F));
  EXPECT_EQ(on(13), bits(1.0F));
}

TEST(FloatAdd, zeros_infinities_and_nans) {
  const Instruction sum = float_operation(Opcode::fadd);
  EXPECT_EQ(run(sum, 0, minus), (Outcome{0, z}));
  EXPECT_EQ(run(sum, minus, minus), (Outcome{minus, z}));
  EXPECT_EQ(run(sum, bits(1.0F), bits(-1.0F)), (Outcome{0, z}));
  EXPECT_EQ(run(sum, infinity, infinity | minus), (Outcome{nan, z | s}));
  EXPECT_EQ(run(sum, 0xffc12345, 0), (Outcome{nan, z | s}));
  EXPECT_EQ(run(sum, 1, 1), (Outcome{0, z}));  // denormals count as zero
  EXPECT_EQ(run(sum, largest, largest), (Outcome{infinity, 0}));
  EXPECT_EQ(run(float_operation(Opcode::fadd, Rounding::zero), largest, largest), (Outcome{largest, 0}));
}

TEST(FloatAdd, saturation_clamps_to_zero_and_one_and_keeps_nan) {
  Instruction sum = float_operation(Opcode::fadd);
  sum.saturate = true;
  EXPECT_EQ(run(sum, bits(0.75F), bits(0.75F)), (Outcome{bits(1.0F), 0}));
  EXPECT_EQ(run(sum, bits(-3.0F), bits(1.0F)), (Outcome{0, z}));
  EXPECT_EQ(run(sum, minus, minus), (Outcome{0, z}));
  EXPECT_EQ(run(sum, infinity, 0), (Outcome{bits(1.0F), 0}));
  EXPECT_EQ(run(sum, nan, 0), (Outcome{nan, z | s}));
}

TEST(FloatSet, compares_with_less_equal_greater_and_unordered) {
  const auto holds = [](unsigned mask, std::uint32_t a, std::uint32_t b) {
    Instruction set = float_operation(Opcode::fset);
    set.compare = static_cast<Relations>(mask);
    const Outcome outcome = run(set, a, b);
    EXPECT_EQ(outcome.flags, outcome.value == 0 ? z : s);
    EXPECT_TRUE(outcome.value == 0 || outcome.value == 0xffffffffU);
    return outcome.value != 0;
  };
  for (unsigned mask = 0; mask < 16; ++mask) {
    EXPECT_EQ(holds(mask, bits(-1.0F), bits(2.0F)), (mask & 1U) != 0);
    EXPECT_EQ(holds(mask, 0, minus), (mask & 2U) != 0);
    EXPECT_EQ(holds(mask, 1, 0x80000005), (mask & 2U) != 0);  // denormals: both zero
    EXPECT_EQ(holds(mask, bits(-1.0F), bits(-2.0F)), (mask & 4U) != 0);
    EXPECT_EQ(holds(mask, nan, bits(1.0F)), (mask & 8U) != 0);
    EXPECT_EQ(holds(mask, infinity, infinity), (mask & 2U) != 0);
  }
}

TEST(FloatMinMax, a_single_nan_loses_and_minus_zero_is_below_plus_zero) {
  const Instruction max = float_operation(Opcode::fmax);
  const Instruction min = float_operation(Opcode::fmin);
  EXPECT_EQ(run(max, nan, bits(3.0F)).value, bits(3.0F));
  EXPECT_EQ(run(min, bits(3.0F), 0xff801234).value, bits(3.0F));
  EXPECT_EQ(run(max, 0xff801234, 0x7f801234), (Outcome{nan, z | s}));
  EXPECT_EQ(run(max, minus, 0), (Outcome{0, z}));
  EXPECT_EQ(run(min, 0, minus), (Outcome{minus, z}));
  EXPECT_EQ(run(max, bits(-2.0F), bits(-1.0F)), (Outcome{bits(-1.0F), s}));
  EXPECT_EQ(run(max, 0x80000001, bits(-1.0F)).value, minus);  // flushed
}

TEST(FloatMinMax, takes_absolute_value_before_negation) {
  Instruction max = float_operation(Opcode::fmax);
  max.source[0].absolute = max.source[0].negate = true;
  EXPECT_EQ(run(max, bits(-3.0F), bits(-5.0F)).value, bits(-3.0F));
  EXPECT_EQ(run(max, bits(3.0F), bits(-5.0F)).value, bits(-3.0F));
}

TEST(Select, tests_the_third_operand_and_takes_nan_as_negative) {
  Instruction select = operation(Opcode::slct, ValueType::b32);
  EXPECT_EQ(run(select, 7, 9, bits(1.0F)), (Outcome{7, 0}));
  EXPECT_EQ(run(select, 7, 9, 0), (Outcome{7, 0}));
  EXPECT_EQ(run(select, 7, 9, minus), (Outcome{7, 0}));
  EXPECT_EQ(run(select, 7, 9, 0x80000001), (Outcome{7, 0}));  // a denormal is zero
  EXPECT_EQ(run(select, 7, 9, bits(-1.0F)), (Outcome{9, 0}));
  EXPECT_EQ(run(select, 7, minus, nan), (Outcome{minus, z}));
  EXPECT_EQ(run(select, 7, 0xffffffff, 0xffffffff), (Outcome{0xffffffff, s}));  // the mask of integer code is a NaN
  select.select().negated = true;
  EXPECT_EQ(run(select, 7, 9, bits(-1.0F)), (Outcome{7, 0}));
}

TEST(Quadop, combines_a_lane_of_each_quad_with_every_lane) {
  Instruction quadop = float_operation(Opcode::quadop);
  using Q = QuadOperation;
  quadop.quad() = {1, {Q::add, Q::subr, Q::sub, Q::pass}};  // lane 0: a+b, 1: b-a, 2: a-b, 3: b; a from lane 1
  Warp warp(quadop);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    warp.lane(0, lane, bits(static_cast<float>(lane))).lane(1, lane, bits(100.0F));
  }
  warp.run();
  EXPECT_EQ(warp.value(4), bits(105.0F));
  EXPECT_EQ(warp.value(5), bits(95.0F));
  EXPECT_EQ(warp.value(6), bits(-95.0F));
  EXPECT_EQ(warp.value(7), bits(100.0F));
}

}  // namespace
}  // namespace teslasim::semantics_test
