// SPDX-License-Identifier: Apache-2.0
// Datasheet of the special functions: special values, fixed-point formats, precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "isa/semantics/special_lane.h"
#include "tests/isa/semantics_harness.h"
#include "tests/support/volume.h"

namespace teslasim::semantics_test {
namespace {

constexpr std::uint32_t nan = 0x7fffffff, infinity = 0x7f800000, minus = 0x80000000;

std::uint32_t apply(Opcode opcode, std::uint32_t x) {
  return run(operation(opcode, ValueType::f32), x).value;
}

class SpecialFunctions : public BothLaneCodes {};
INSTANTIATE_TEST_SUITE_P(Lanes, SpecialFunctions, both_lane_codes, lane_code_name);

struct Row {
  Opcode opcode;
  std::uint32_t operand, expected;
};

TEST_P(SpecialFunctions, special_values) {
  const std::vector<Row> rows{
      {Opcode::rcp, 0, infinity},
      {Opcode::rcp, minus, infinity | minus},
      {Opcode::rcp, 0x80000001, infinity | minus},  // a denormal is zero
      {Opcode::rcp, infinity, 0},
      {Opcode::rcp, infinity | minus, minus},
      {Opcode::rcp, 0x7f800001, nan},
      {Opcode::rcp, 0x7f000001, 0},  // a denormal result is flushed
      {Opcode::rcp, bits(-4.0F), bits(-0.25F)},
      {Opcode::rsqrt, 0, infinity},
      {Opcode::rsqrt, minus, infinity | minus},
      {Opcode::rsqrt, bits(-1.0F), nan},
      {Opcode::rsqrt, infinity, 0},
      {Opcode::rsqrt, infinity | minus, nan},
      {Opcode::rsqrt, bits(16.0F), bits(0.25F)},
      {Opcode::lg2, 0, infinity | minus},
      {Opcode::lg2, minus, infinity | minus},
      {Opcode::lg2, bits(-1.0F), nan},
      {Opcode::lg2, infinity, infinity},
      {Opcode::lg2, bits(1.0F), 0},
      {Opcode::lg2, bits(0.125F), 0xc03fffff},
      {Opcode::lg2, 0x7fc00000, nan},
      {Opcode::sin, 0x40000000, nan},
      {Opcode::sin, 0xc0800000, nan},
      {Opcode::cos, 0x40800000, nan},
      {Opcode::sin, 0, 0},
      {Opcode::sin, minus, minus},
      {Opcode::sin, 0x00800000, bits(1.0F)},  // a quarter turn
      {Opcode::sin, 0x80800000, bits(-1.0F)},
      {Opcode::sin, 0x01800000, bits(-1.0F)},  // three quarters
      {Opcode::cos, 0, bits(1.0F)},
      {Opcode::cos, 0x01000000, bits(-1.0F)},
      {Opcode::ex2, 0x40800000, infinity},
      {Opcode::ex2, 0xc0800000, 0},
      {Opcode::ex2, 0x40000000, nan},
      {Opcode::ex2, 0, bits(1.0F)},
      {Opcode::ex2, 0x01800000, bits(8.0F)},
      {Opcode::ex2, 0x81800000, bits(0.125F)},
      {Opcode::ex2, minus | 126U << 23U, 0x00800000},
      {Opcode::ex2, (minus | 126U << 23U) + 1, 0},  // below the smallest normal number
  };
  for (const Row& row : rows) {
    EXPECT_EQ(apply(row.opcode, row.operand), row.expected)
        << info(row.opcode).name << std::hex << " 0x" << row.operand;
  }
}

TEST_P(SpecialFunctions, pre_ex2_gives_sign_7_integer_and_23_fraction_bits_truncated) {
  const std::vector<Row> rows{{Opcode::preex2, bits(1.0F), 0x00800000},
                              {Opcode::preex2, bits(-1.5F), 0x80c00000},
                              {Opcode::preex2, bits(127.5F), 0x3fc00000},
                              {Opcode::preex2, bits(128.0F), 0x40800000},
                              {Opcode::preex2, bits(-1000.0F), 0xc0800000},
                              {Opcode::preex2, infinity, 0x40800000},
                              {Opcode::preex2, 0x7fc00000, 0x40000000},
                              {Opcode::preex2, 0xffc00000, 0xc0000000},
                              {Opcode::preex2, 0x3f7fffff, 0x007fffff},
                              {Opcode::preex2, 0x34000000, 1},
                              {Opcode::preex2, 0x33ffffff, 0},
                              {Opcode::preex2, 0x80000001, minus}};
  for (const Row& row : rows) EXPECT_EQ(apply(row.opcode, row.operand), row.expected) << std::hex << row.operand;
}

TEST_P(SpecialFunctions, pre_sin_gives_quarter_turns_modulo_4) {
  EXPECT_EQ(apply(Opcode::presin, bits(1.0F)), 0xa2f983U >> 1U);
  EXPECT_EQ(apply(Opcode::presin, bits(-2.0F)), 0x80a2f983U);
  EXPECT_EQ(apply(Opcode::presin, bits(8.0F)), 0x028be60cU & 0x01ffffffU);  // 5.09 quarters: 1.09
  EXPECT_EQ(apply(Opcode::presin, infinity), 0x40800000U);
  EXPECT_EQ(apply(Opcode::presin, 0xffc00000), 0xc0000000U);
  EXPECT_EQ(apply(Opcode::presin, minus), minus);
  EXPECT_EQ(apply(Opcode::presin, 0x5f000000), 0U);  // 2^63: nothing of the fraction is left
}

TEST_P(SpecialFunctions, ex2_saturates_to_one) {
  Instruction ex2 = operation(Opcode::ex2, ValueType::f32);
  ex2.saturate = true;
  EXPECT_EQ(run(ex2, 0x01800000).value, bits(1.0F));
  EXPECT_EQ(run(ex2, 0x40800000).value, bits(1.0F));
  EXPECT_EQ(run(ex2, 0x80800000).value, bits(0.5F));
}

TEST_P(SpecialFunctions, write_no_flags_but_take_sign_modifiers) {
  Instruction root = operation(Opcode::rsqrt, ValueType::f32);
  root.source[0].absolute = true;
  const Outcome outcome = run(root, bits(-4.0F));
  EXPECT_EQ(outcome.value, bits(0.5F));
  EXPECT_EQ(outcome.flags, 0U);
}

constexpr std::uint32_t fraction_mask = 0x007fffff;

/// The largest error over every `step`-th operand, as `error` measures it.
double worst(Opcode opcode, std::uint32_t first, std::uint32_t last, std::uint32_t step,
             const std::function<double(std::uint32_t, std::uint32_t)>& error) {
  Warp warp(operation(opcode, ValueType::f32));
  double result = 0.0;
  for (std::uint64_t x = first; x <= last;) {
    const std::uint64_t begin = x;
    for (unsigned lane = 0; lane < warp_size; ++lane, x += step) {
      warp.lane(0, lane, static_cast<std::uint32_t>(std::min<std::uint64_t>(x, last)));
    }
    warp.run();
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const auto operand =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + lane * std::uint64_t{step}, last));
      result = std::max(result, error(operand, warp.value(lane)));
    }
  }
  return result;
}

double number(std::uint32_t x) {
  return static_cast<double>(real(x));
}
double fixed(std::uint32_t x) {
  const double magnitude = static_cast<double>(x & ~minus) * 0x1p-23;
  return (x & minus) != 0 ? -magnitude : magnitude;
}
/// Relative to the unit in the last place of the result.
double ulps(double exact, std::uint32_t got) {
  return std::fabs(number(got) - exact) / std::ldexp(1.0, std::ilogb(exact) - 23);
}

/// Every significand in a long run, else one of 251.
std::uint32_t step() {
  return long_run() ? 1 : 251;
}

// Bounds: NVIDIA PTX ISA 2.3, instructions rcp, rsqrt, lg2, ex2, sin, cos with .approx.
TEST_P(SpecialFunctions, have_the_documented_precision) {
  EXPECT_LE(worst(Opcode::rcp, 0x3f800000, 0x3fffffff, step(),
                  [](std::uint32_t x, std::uint32_t y) { return ulps(1.0 / number(x), y); }),
            1.0);
  EXPECT_LE(worst(Opcode::rsqrt, 0x3f800000, 0x407fffff, step(),
                  [](std::uint32_t x, std::uint32_t y) {
                    const double exact = 1.0 / std::sqrt(number(x));
                    return std::fabs(number(y) - exact) / exact;
                  }),
            std::exp2(-22.4));
  EXPECT_LE(worst(Opcode::lg2, 0x3f800000, 0x3fffffff, step(),
                  [](std::uint32_t x, std::uint32_t y) { return std::fabs(number(y) - std::log2(number(x))); }),
            std::exp2(-22.57));  // documented as 2^-22.6; the tables reach 2^-22.58
  EXPECT_LE(worst(Opcode::ex2, 0, fraction_mask, step(),
                  [](std::uint32_t x, std::uint32_t y) {
                    const double exact = std::exp2(fixed(x));
                    return std::fabs(number(y) - exact) / exact;
                  }),
            std::exp2(-22.5));
  const double quarter = std::acos(0.0);
  EXPECT_LE(
      worst(Opcode::sin, 0, fraction_mask, step(),
            [=](std::uint32_t x, std::uint32_t y) { return std::fabs(number(y) - std::sin(fixed(x) * quarter)); }),
      std::exp2(-20.9));
  EXPECT_LE(
      worst(Opcode::cos, 0, fraction_mask, step(),
            [=](std::uint32_t x, std::uint32_t y) { return std::fabs(number(y) - std::cos(fixed(x) * quarter)); }),
      std::exp2(-20.9));
}

/// A thousand results folded into one number: any change of a table shows.
std::uint64_t fingerprint(Opcode opcode, std::uint32_t first, std::uint32_t last) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::uint64_t x = first; x <= last; x += (last - first) / 1021) {
    hash = (hash ^ apply(opcode, static_cast<std::uint32_t>(x))) * 0x100000001b3U;
  }
  return hash;
}

TEST_P(SpecialFunctions, keep_their_bits) {
  EXPECT_EQ(fingerprint(Opcode::rcp, 0x3f800000, 0x3fffffff), 3486810843102743947U);
  EXPECT_EQ(fingerprint(Opcode::rsqrt, 0x3f800000, 0x407fffff), 10651466859130862926U);
  EXPECT_EQ(fingerprint(Opcode::lg2, 0x3f000000, 0x407fffff), 6239718065166414739U);
  EXPECT_EQ(fingerprint(Opcode::ex2, 0, 0x00ffffff), 11722845956201860613U);
  EXPECT_EQ(fingerprint(Opcode::sin, 0, 0x01ffffff), 11251129744611713947U);
  EXPECT_EQ(fingerprint(Opcode::cos, 0, 0x01ffffff), 6237487379325414494U);
}

/// A warp of operands in a row, in both lane codes, against one lane after the other.
void compare_with_one_lane(Warp& warp, std::uint32_t first) {
  const Opcode opcode = warp.instruction().opcode;
  std::array<std::uint32_t, warp_size> wanted{};
  for (unsigned i = 0; i < warp_size; ++i) {
    warp.lane(0, i, first + i);
    wanted[i] = semantics::special_lane(opcode, first + i);
  }
  in_each_lane_code([&](semantics::LaneCode code) {
    warp.forget().run();
    for (unsigned i = 0; i < warp_size; ++i) {
      if (warp.value(i) == wanted[i]) continue;
      ASSERT_EQ(warp.value(i), wanted[i]) << info(opcode).name << ' ' << name_of(code) << std::hex << ' ' << first + i;
    }
  });
}

/// Every operand in steps of some thousand, and those around each change of sign, exponent and segment.
TEST(SpecialFunctionsOfWarps, have_the_bits_of_one_lane) {
  constexpr std::array opcodes{Opcode::rcp, Opcode::rsqrt, Opcode::lg2,    Opcode::sin,
                               Opcode::cos, Opcode::ex2,   Opcode::presin, Opcode::preex2};
  constexpr std::uint64_t all_operands = std::uint64_t{1} << 32U, segment = 1U << 16U;
  const std::uint64_t apart = long_run() ? 1021 : test::volume<std::uint64_t>(65521, 655211);
  for (const Opcode opcode : opcodes) {
    Warp warp(operation(opcode, ValueType::f32));
    const auto check = [&](std::uint64_t first) { compare_with_one_lane(warp, static_cast<std::uint32_t>(first)); };
    for (std::uint64_t first = 0; first < all_operands; first += apart) ASSERT_NO_FATAL_FAILURE(check(first));
    for (std::uint64_t at = 0; at < all_operands; at += segment) ASSERT_NO_FATAL_FAILURE(check(at - warp_size / 2));
  }
}

TEST_P(SpecialFunctions, leave_other_lanes_alone) {
  for (const Opcode opcode : {Opcode::rcp, Opcode::ex2, Opcode::presin}) {
    constexpr LaneMask lanes = 0x80010006;
    Warp warp(operation(opcode, ValueType::f32));
    warp.operand(0, bits(2.5F)).lanes(lanes).run();
    for (unsigned i = 0; i < warp_size; ++i)
      EXPECT_EQ(warp.value(i) == untouched, (lanes >> i & 1U) == 0) << info(opcode).name << i;
  }
}

}  // namespace
}  // namespace teslasim::semantics_test
