// SPDX-License-Identifier: Apache-2.0
// Datasheet of the f32 device library: every function within the bound of CUDA's guide, special values, exact
// functions.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "frontend/cuda/exact_single.h"
#include "frontend/cuda/power_single.h"
#include "frontend/cuda/rounding_single.h"
#include "frontend/cuda/trigonometric_single.h"
#include "tests/frontend/cuda/host_primitives.h"
#include "tests/frontend/cuda/single_functions.h"

namespace teslasim::device_library_test {
namespace {

namespace device = teslasim_device;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float undefined = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t sample_step = 40013;  // a prime: about 107,000 of all floats

class DeviceFunction : public ::testing::TestWithParam<SingleFunction> {};

TEST_P(DeviceFunction, stays_within_its_bound) {
  const SingleError error = largest_error(GetParam(), sample_step);
  EXPECT_LE(error.units, GetParam().bound) << GetParam().name << " at " << error.at;
}

TEST_P(DeviceFunction, stays_within_its_bound_without_mad) {
  const MadChoice separate(MadKind::separate);
  const SingleError error = largest_error(GetParam(), sample_step);
  EXPECT_LE(error.units, GetParam().bound) << GetParam().name << " at " << error.at;
}

TEST_P(DeviceFunction, stays_within_its_bound_where_it_overflows) {
  constexpr float largest = std::numeric_limits<float>::max();
  const auto overflows = [](std::uint32_t bits) {
    return std::fabs(GetParam().truth(static_cast<double>(std::bit_cast<float>(bits)))) > static_cast<double>(largest);
  };
  auto below = std::bit_cast<std::uint32_t>(1.0F);
  auto above = std::bit_cast<std::uint32_t>(largest);
  if (overflows(below) || !overflows(above)) return;
  while (above - below > 1) (overflows((above + below) / 2) ? above : below) = (above + below) / 2;
  for (const MadKind kind : {MadKind::truncating, MadKind::separate}) {
    const MadChoice choice(kind);
    for (std::uint32_t bits = above - 200; bits < above + 200; ++bits) {
      const auto x = std::bit_cast<float>(bits);
      EXPECT_LE(units_between(GetParam().function(x), GetParam().truth(static_cast<double>(x))), GetParam().bound)
          << GetParam().name << " at " << x;
    }
  }
}

TEST_P(DeviceFunction, takes_special_operands_as_c99_says) {
  for (const float x :
       {0.0F, -0.0F, 1.0F, -1.0F, infinite, -infinite, undefined, 3.4028235e38F, -3.4028235e38F, 1.17549435e-38F}) {
    if (x < GetParam().low) continue;
    const auto truth = GetParam().truth(static_cast<double>(x));
    const float result = GetParam().function(x);
    EXPECT_LE(units_between(result, truth), GetParam().bound) << GetParam().name << " of " << x << " is " << result;
    if (truth == 0 && !std::isnan(result)) {
      EXPECT_EQ(std::signbit(result), std::signbit(truth)) << GetParam().name << " of " << x;
    }
  }
}

/// The row of a function in docs/cuda-math.md: its bound, and the largest error it states.
struct StatedError {
  double bound = 0;
  double largest = 0;
};
StatedError stated_error(const std::string& name) {
  std::ifstream page(std::string(TESLASIM_SOURCE_DIR) + "/docs/cuda-math.md");
  StatedError stated;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `" + name + "` |")) {
      std::istringstream cells(line.substr(name.size() + 7));
      std::string bar;
      cells >> stated.bound >> bar >> stated.largest;
    }
  }
  return stated;
}

TEST_P(DeviceFunction, errs_no_more_than_its_page_says) {
  const StatedError stated = stated_error(GetParam().name);
  EXPECT_EQ(stated.bound, GetParam().bound) << GetParam().name;
  EXPECT_LE(stated.largest, stated.bound) << GetParam().name;
  const SingleError error = largest_error(GetParam(), sample_step + 2);
  EXPECT_LE(error.units, stated.largest) << GetParam().name << " at " << error.at;
}

/// Hours for all functions: all bit patterns. Run with --gtest_also_run_disabled_tests, or `ctest -C long`.
TEST_P(DeviceFunction, DISABLED_stays_within_its_bound_for_every_float) {
  const SingleError error = largest_error_of_all(GetParam());
  RecordProperty("units", std::to_string(error.units));
  EXPECT_LE(error.units, GetParam().bound) << GetParam().name << " at " << error.at;
}

INSTANTIATE_TEST_SUITE_P(Single, DeviceFunction,
                         ::testing::ValuesIn(single_functions().begin(), single_functions().end()),
                         [](const auto& row) { return std::string(row.param.name); });

// --- two operands

struct PairFunction {
  const char* name;
  double bound;
  device::Single (*function)(device::Single, device::Single);
  double (*truth)(double, double);
};

double quotient(double a, double b) {
  return a / b;
}
double rounded_quotient(double a, double b) {
  return static_cast<double>(static_cast<float>(a / b));
}
device::Single divide_to_nearest(device::Single a, device::Single b) {
  return device::exact_divide(a, b, device::RoundTo::nearest);
}

constexpr std::array pair_functions{
    PairFunction{"operator/", 2, device::divide, quotient},
    PairFunction{"__fdiv_rn", 0, divide_to_nearest, rounded_quotient},
    PairFunction{"powf", 8, device::powf, [](double x, double y) { return std::pow(x, y); }},
    PairFunction{"hypotf", 3, device::hypotf, [](double x, double y) { return std::hypot(x, y); }},
    PairFunction{"rhypotf", 2, device::rhypotf, [](double x, double y) { return 1 / std::hypot(x, y); }},
    PairFunction{"atan2f", 3, device::atan2f, [](double x, double y) { return std::atan2(x, y); }},
    PairFunction{"fmodf", 0, device::fmodf, [](double x, double y) { return std::fmod(x, y); }},
    PairFunction{"remainderf", 0, device::remainderf, [](double x, double y) { return std::remainder(x, y); }},
    PairFunction{"fminf", 0, device::fminf, [](double x, double y) { return std::fmin(x, y); }},
    PairFunction{"fmaxf", 0, device::fmaxf, [](double x, double y) { return std::fmax(x, y); }},
};

/// Half of the operands anywhere, half near 1, where powers and angles are interesting.
float random_operand(std::mt19937& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  if ((random() & 1U) != 0) return flushed(std::bit_cast<float>(bits));
  return std::bit_cast<float>((bits & 0x83ffffffU) + 0x3e000000U);
}

TEST(DeviceLibrary, functions_of_two_operands_stay_within_their_bounds) {
  std::mt19937 random(1);
  for (int i = 0; i < 40000; ++i) {
    const float x = random_operand(random);
    const float y = random_operand(random);
    for (const PairFunction& row : pair_functions) {
      const double truth = row.truth(static_cast<double>(x), static_cast<double>(y));
      const float result = row.function(x, y).value;
      ASSERT_LE(units_between(result, truth), row.bound) << row.name << " of " << x << ", " << y << " is " << result;
    }
  }
}

TEST(DeviceLibrary, powers_of_special_operands_follow_c99) {
  const std::array operands{0.0F, -0.0F, 1.0F,  -1.0F,    0.5F,      2.0F,      -2.0F,
                            3.0F, -3.0F, 0.75F, infinite, -infinite, undefined, 16777215.0F};
  for (const float x : operands) {
    for (const float y : operands) {
      const double truth = std::pow(static_cast<double>(x), static_cast<double>(y));
      const float result = device::powf(x, y).value;
      EXPECT_LE(units_between(result, truth), 8) << x << " to the " << y << " is " << result;
      if (truth == 0) {
        EXPECT_EQ(std::signbit(result), std::signbit(truth)) << x << " to the " << y;
      }
    }
  }
}

TEST(DeviceLibrary, multiply_add_and_square_root_round_once) {
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const float a = random_operand(random);
    const float b = random_operand(random);
    const float c = (i & 1) != 0 ? random_operand(random) : -(a * b);
    const float root = device::exact_root(std::fabs(a), device::RoundTo::nearest).value;
    if (!std::isnan(a)) {
      ASSERT_EQ(root, std::sqrt(std::fabs(a)));
    }
    const float truth = flushed(std::fma(a, b, flushed(c)));
    const float result = device::fmaf(a, b, flushed(c)).value;
    if (!std::isfinite(a * b) || flushed(a * b) == 0) continue;
    ASSERT_TRUE(result == truth || (std::isnan(result) && std::isnan(truth)))
        << a << " " << b << " " << c << ": " << result;
  }
}

TEST(DeviceLibrary, division_rounds_in_all_four_directions) {
  using device::RoundTo;
  EXPECT_EQ(device::exact_divide(1.0F, 3.0F, RoundTo::zero).value, 0x1.555554p-2F);
  EXPECT_EQ(device::exact_divide(1.0F, 3.0F, RoundTo::nearest).value, 0x1.555556p-2F);
  EXPECT_EQ(device::exact_divide(1.0F, 3.0F, RoundTo::up).value, 0x1.555556p-2F);
  EXPECT_EQ(device::exact_divide(-1.0F, 3.0F, RoundTo::up).value, -0x1.555554p-2F);
  EXPECT_EQ(device::exact_divide(-1.0F, 3.0F, RoundTo::down).value, -0x1.555556p-2F);
  EXPECT_EQ(device::exact_divide(3e38F, 0.1F, RoundTo::zero).value, 3.4028235e38F);
}

/// What the host makes in another direction of rounding.
template <class Operation>
float in_direction(int direction, Operation operation) {
  const int usual = std::fegetround();
  std::fesetround(direction);
  const volatile float result = operation();  // stays between the two calls
  std::fesetround(usual);
  return flushed(result);
}

TEST(DeviceLibrary, sums_and_products_round_in_all_four_directions) {
  using device::RoundTo;
  constexpr std::array directions{std::pair{RoundTo::nearest, FE_TONEAREST}, std::pair{RoundTo::zero, FE_TOWARDZERO},
                                  std::pair{RoundTo::up, FE_UPWARD}, std::pair{RoundTo::down, FE_DOWNWARD}};
  constexpr std::array special{0.0F, -0.0F, 1.0F, -1.0F, infinite, -infinite, 3.4028235e38F, 1.17549435e-38F};
  const auto same = [](float result, float truth) {
    return std::bit_cast<std::uint32_t>(result) == std::bit_cast<std::uint32_t>(truth) ||
           (std::isnan(result) && std::isnan(truth));
  };
  std::mt19937 random(4);
  for (unsigned i = 0; i < 100000; ++i) {
    const bool is_special = i < special.size() * special.size();
    const volatile float a = is_special ? special[i / special.size()] : random_operand(random);
    const volatile float b = is_special ? special[i % special.size()] : random_operand(random);
    if (std::isnan(a) || std::isnan(b)) continue;
    for (const auto& [mode, direction] : directions) {
      const float sum = in_direction(direction, [&] { return a + b; });
      const float product = in_direction(direction, [&] { return a * b; });
      ASSERT_PRED2(same, device::exact_add(a, b, mode).value, sum) << a << " + " << b << ", " << direction;
      if (std::fabs(product) <= 0x1p-126F && product != 0) continue;  // which side of the limit is the chip's matter
      const float result = device::exact_multiply(a, b, mode).value;
      if (product == 0 && result != 0) continue;
      ASSERT_PRED2(same, result, product) << a << " * " << b << ", " << direction;
    }
  }
}

// --- parts of a number

TEST(DeviceLibrary, parts_and_neighbours_are_those_of_the_host) {
  for (std::uint64_t bits = 0; bits >> 32U == 0; bits += 65537) {
    const float x = flushed(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (std::isnan(x)) continue;
    ASSERT_EQ(device::roundf(x).value, std::round(x)) << x;
    ASSERT_EQ(device::truncf(x).value, std::trunc(x)) << x;
    ASSERT_EQ(device::logbf(x).value, std::logb(x)) << x;
    float whole = 0;
    device::Single own_whole = 0.0F;
    ASSERT_EQ(device::modff(x, own_whole).value, flushed(std::modf(x, &whole))) << x;
    ASSERT_EQ(own_whole.value, whole) << x;
    if (std::isinf(x)) continue;
    int exponent = 0;
    int own_exponent = 0;
    ASSERT_EQ(device::frexpf(x, own_exponent).value, std::frexp(x, &exponent)) << x;
    ASSERT_EQ(own_exponent, exponent) << x;
    ASSERT_EQ(device::ldexpf(x, 5).value, std::ldexp(x, 5)) << x;
    ASSERT_EQ(device::ldexpf(x, -70).value, flushed(std::ldexp(x, -70))) << x;
    if (x != 0) {
      ASSERT_EQ(device::nextafterf(x, infinite).value, flushed(std::nextafter(x, infinite))) << x;
    }
  }
}

TEST(DeviceLibrary, quotients_of_remquo_have_sign_and_three_bits) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const float x = random_operand(random);
    const float y = random_operand(random);
    if (!std::isfinite(x) || !std::isfinite(y) || std::fabs(y) < 1e-30F || x == 0) continue;  // no denormal remainders
    int truth = 0;
    int result = 0;
    (void)std::remquo(x, y, &truth);
    (void)device::remquof(x, y, result);
    ASSERT_EQ(std::abs(result) & 7, std::abs(truth) & 7) << x << " " << y;
    if (result != 0 && truth != 0) {
      ASSERT_EQ(result < 0, truth < 0) << x << " " << y;
    }
  }
}

}  // namespace
}  // namespace teslasim::device_library_test
