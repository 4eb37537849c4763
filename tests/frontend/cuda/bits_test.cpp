// SPDX-License-Identifier: Apache-2.0
// Datasheet of the integer part of the device library, and of the fast f32 functions on the chip's bits.
#include "frontend/cuda/bits.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "frontend/cuda/fast_single.h"
#include "tests/frontend/cuda/single_functions.h"

namespace teslasim::device_library_test {
namespace {

namespace device = teslasim_device;

TEST(DeviceBits, counts_are_those_of_the_host) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 100000; ++i) {
    const device::LongWord x = i == 0 ? 0 : random() >> i % 64;
    const auto word = static_cast<device::Word>(x);
    ASSERT_EQ(device::count_ones(x), std::popcount(x));
    ASSERT_EQ(device::leading_zeros(x), std::countl_zero(x));
    ASSERT_EQ(device::leading_zeros(word), std::countl_zero(word));
    ASSERT_EQ(device::first_set(x), x == 0 ? 0 : std::countr_zero(x) + 1);
    ASSERT_EQ(device::first_set(word), word == 0 ? 0 : std::countr_zero(word) + 1);
    ASSERT_EQ(device::reversed(device::reversed(x)), x);
  }
  EXPECT_EQ(device::reversed(device::Word{0x00000001}), 0x80000000U);
  EXPECT_EQ(device::reversed(device::Word{0x12345678}), 0x1e6a2c48U);
}

TEST(DeviceBits, upper_products_have_all_carries) {
  EXPECT_EQ(device::upper_product(~0ULL, ~0ULL), ~0ULL - 1);
  EXPECT_EQ(device::upper_product(1ULL << 32U, 1ULL << 32U), 1ULL);
  EXPECT_EQ(device::upper_product(0xffffffff00000001ULL, 0x1ffffffffULL), 0x1fffffffdULL);
  EXPECT_EQ(device::upper_product(-1LL, 1LL), -1LL);
  EXPECT_EQ(device::upper_product(-1LL, -1LL), 0LL);
  EXPECT_EQ(device::upper_product(-0x7fffffffffffffffLL - 1, 2LL), -1LL);
}

// Bounds of CUDA's guide for the fast functions.

TEST(DeviceFastFunctions, sine_and_cosine_are_close_within_a_turn) {
  for (float x = -3.14159265F; x <= 3.14159265F; x += 0.0001F) {
    ASSERT_NEAR(device::fast_sine(x).value, std::sin(x), 0x1p-21 * 0.76) << x;
    ASSERT_NEAR(device::fast_cosine(x).value, std::cos(x), 0x1p-21 * 0.88) << x;
  }
}

TEST(DeviceFastFunctions, exponentials_lose_units_in_proportion_to_their_operand) {
  for (float x = -80.0F; x < 80.0F; x += 0.003F) {
    const double truth = std::exp(static_cast<double>(x));
    ASSERT_LE(units_between(device::fast_exp(x).value, truth), 2 + std::floor(std::fabs(1.16F * x))) << x;
    if (std::fabs(x) > 37) continue;
    const double decimal = std::pow(10.0, static_cast<double>(x));
    ASSERT_LE(units_between(device::fast_exp10(x).value, decimal), 2 + std::floor(std::fabs(2.95F * x))) << x;
  }
}

TEST(DeviceFastFunctions, logarithms_are_close_and_quotients_within_two_units) {
  for (float x = 0.5F; x <= 2.0F; x += 0.00001F) {
    ASSERT_NEAR(device::fast_log(x).value, std::log(static_cast<double>(x)), 0x1p-21 * 0.76) << x;
    ASSERT_LE(units_between(device::fast_divide(1.7F, x).value, static_cast<double>(1.7F) / static_cast<double>(x)), 2)
        << x;
  }
  EXPECT_EQ(device::fast_divide(1.0F, 3e38F).value, 0.0F);  // the reciprocal is a denormal
  EXPECT_EQ(device::saturate(-1.0F).value, 0.0F);
  EXPECT_EQ(device::saturate(2.0F).value, 1.0F);
  EXPECT_EQ(device::saturate(std::nanf("")).value, 0.0F);
  EXPECT_EQ(device::fast_power(2.0F, 10.0F).value, 1024.0F);
}

}  // namespace
}  // namespace teslasim::device_library_test
