// SPDX-License-Identifier: Apache-2.0
// Datasheet of the special functions: special values, fixed-point formats, accuracy.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/isa/semantics_harness.h"

namespace teslasim::semantics_test {
namespace {

constexpr std::uint32_t nan = 0x7fffffff, infinity = 0x7f800000, minus = 0x80000000;

std::uint32_t apply(Opcode opcode, std::uint32_t x) {
  return run(operation(opcode, ValueType::f32), x).value;
}

struct Row {
  Opcode opcode;
  std::uint32_t operand, expected;
};

TEST(SpecialFunctions, special_values) {
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
      {Opcode::lg2, bits(0.125F), bits(-3.0F)},
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

TEST(SpecialFunctions, pre_ex2_gives_sign_7_integer_and_23_fraction_bits_truncated) {
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

TEST(SpecialFunctions, pre_sin_gives_quarter_turns_modulo_4) {
  EXPECT_EQ(apply(Opcode::presin, bits(1.0F)), 0xa2f983U >> 1U);
  EXPECT_EQ(apply(Opcode::presin, bits(-2.0F)), 0x80a2f983U);
  EXPECT_EQ(apply(Opcode::presin, bits(8.0F)), 0x028be60cU & 0x01ffffffU);  // 5.09 quarters: 1.09
  EXPECT_EQ(apply(Opcode::presin, infinity), 0x40800000U);
  EXPECT_EQ(apply(Opcode::presin, 0xffc00000), 0xc0000000U);
  EXPECT_EQ(apply(Opcode::presin, minus), minus);
  EXPECT_EQ(apply(Opcode::presin, 0x5f000000), 0U);  // 2^63: nothing of the fraction is left
}

TEST(SpecialFunctions, ex2_saturates_to_one) {
  Instruction ex2 = operation(Opcode::ex2, ValueType::f32);
  ex2.saturate = true;
  EXPECT_EQ(run(ex2, 0x01800000).value, bits(1.0F));
  EXPECT_EQ(run(ex2, 0x40800000).value, bits(1.0F));
  EXPECT_EQ(run(ex2, 0x80800000).value, bits(0.5F));
}

TEST(SpecialFunctions, write_no_flags_but_take_sign_modifiers) {
  Instruction root = operation(Opcode::rsqrt, ValueType::f32);
  root.source[0].absolute = true;
  const Outcome outcome = run(root, bits(-4.0F));
  EXPECT_EQ(outcome.value, bits(0.5F));
  EXPECT_EQ(outcome.flags, 0U);
}

/// Nearest single-precision number to a function computed with 64-bit significands.
std::uint32_t nearest(long double value) {
  const std::uint32_t result = bits(static_cast<float>(value));
  return (result & infinity) == 0 ? result & minus : result;
}

void expect_correctly_rounded(Opcode opcode, const std::function<long double(std::uint32_t)>& exact,
                              std::uint32_t first, std::uint32_t last, std::uint32_t step) {
  for (std::uint64_t x = first; x <= last; x += step) {
    const auto operand = static_cast<std::uint32_t>(x);
    ASSERT_EQ(apply(opcode, operand), nearest(exact(operand))) << info(opcode).name << std::hex << " 0x" << operand;
  }
}

TEST(SpecialFunctions, are_correctly_rounded_over_their_range) {
  const auto number = [](std::uint32_t x) { return static_cast<long double>(real(x)); };
  const auto fixed = [](std::uint32_t x) {
    const long double magnitude = static_cast<long double>(x & ~minus) * 0x1p-23L;
    return (x & minus) != 0 ? -magnitude : magnitude;
  };
  constexpr long double quarter = 1.570796326794896619231321691639751442L;
  expect_correctly_rounded(
      Opcode::rcp, [&](std::uint32_t x) { return 1.0L / number(x); }, 0x3f800000, 0x40000000, 211);
  expect_correctly_rounded(
      Opcode::rsqrt, [&](std::uint32_t x) { return 1.0L / std::sqrt(number(x)); }, 0x3f800000, 0x40800000, 421);
  expect_correctly_rounded(
      Opcode::lg2, [&](std::uint32_t x) { return std::log2(number(x)); }, 0x00800000, 0x7f7fffff, 100003);
  expect_correctly_rounded(
      Opcode::lg2, [&](std::uint32_t x) { return std::log2(number(x)); }, 0x3f7ff000, 0x3f801000, 1);
  expect_correctly_rounded(
      Opcode::ex2, [&](std::uint32_t x) { return std::exp2(fixed(x)); }, 0, 0x3fffffff, 52361);
  expect_correctly_rounded(
      Opcode::ex2, [&](std::uint32_t x) { return std::exp2(fixed(x)); }, minus, 0xbfffffff, 52361);
  expect_correctly_rounded(
      Opcode::sin, [&](std::uint32_t x) { return std::sin(fixed(x) * quarter); }, 1, 0x007fffff, 421);
  expect_correctly_rounded(
      Opcode::cos, [&](std::uint32_t x) { return std::cos(fixed(x) * quarter); }, 0, 0x007fff00, 421);
}

}  // namespace
}  // namespace teslasim::semantics_test
