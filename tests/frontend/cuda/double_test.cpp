// SPDX-License-Identifier: Apache-2.0
// Datasheet of the f64 device library, against the host's long double: bounds of CUDA's guide, special operands, the
// page.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "frontend/cuda/gamma_double.h"
#include "frontend/cuda/inverse_error_double.h"
#include "frontend/cuda/power_double.h"
#include "frontend/cuda/trigonometric_double.h"
#include "frontend/cuda/turns_double.h"
#include "tests/frontend/cuda/true_functions.h"

namespace teslasim::device_library_test {
namespace {

namespace device = teslasim_device;

struct DoubleFunction {
  const char* name;
  long double bound;
  double (*function)(double);
  long double (*truth)(long double);
  double low = -std::numeric_limits<double>::infinity();  ///< where the bound begins
};
void PrintTo(const DoubleFunction& function, std::ostream* stream) {
  *stream << function.name;
}

template <long double (*function)(long double)>
long double standard(long double x) {
  return function(x);
}
long double inverse_of(long double x) {
  return 1 / x;
}
long double inverse_root_of(long double x) {
  return 1 / std::sqrt(x);
}
long double exp10_of(long double x) {
  return std::pow(10.0L, x);
}
double device_inverse(double x) {
  return device::divide(1.0, x);
}

constexpr std::array double_functions{
    DoubleFunction{"reciprocal", 1, device_inverse, inverse_of},
    DoubleFunction{"sqrt", 0.501L, device::sqrt, standard<std::sqrt>},
    DoubleFunction{"rsqrt", 1, device::rsqrt, inverse_root_of},
    DoubleFunction{"cbrt", 1, device::cbrt, standard<std::cbrt>},
    DoubleFunction{"exp", 1, device::exp, standard<std::exp>},
    DoubleFunction{"exp2", 1, device::exp2, standard<std::exp2>},
    DoubleFunction{"exp10", 1, device::exp10, exp10_of},
    DoubleFunction{"expm1", 1, device::expm1, standard<std::expm1>},
    DoubleFunction{"log", 1, device::log, standard<std::log>},
    DoubleFunction{"log2", 1, device::log2, standard<std::log2>},
    DoubleFunction{"log10", 1, device::log10, standard<std::log10>},
    DoubleFunction{"log1p", 1, device::log1p, standard<std::log1p>},
    DoubleFunction{"sin", 2, device::sin, standard<std::sin>},
    DoubleFunction{"cos", 2, device::cos, standard<std::cos>},
    DoubleFunction{"tan", 2, device::tan, standard<std::tan>},
    DoubleFunction{"asin", 2, device::asin, standard<std::asin>},
    DoubleFunction{"acos", 2, device::acos, standard<std::acos>},
    DoubleFunction{"atan", 2, device::atan, standard<std::atan>},
    DoubleFunction{"sinh", 1, device::sinh, standard<std::sinh>},
    DoubleFunction{"cosh", 1, device::cosh, standard<std::cosh>},
    DoubleFunction{"tanh", 2, device::tanh, standard<std::tanh>},
    DoubleFunction{"asinh", 2, device::asinh, standard<std::asinh>},
    DoubleFunction{"acosh", 2, device::acosh, standard<std::acosh>},
    DoubleFunction{"atanh", 2, device::atanh, standard<std::atanh>},
    DoubleFunction{"erf", 2, device::erf, standard<std::erf>},
    DoubleFunction{"erfc", 7, device::erfc, standard<std::erfc>},
    DoubleFunction{"rcbrt", 1, device::rcbrt, inverse_cube_root},
    DoubleFunction{"sinpi", 2, device::sinpi, sine_of_turns},
    DoubleFunction{"cospi", 2, device::cospi, cosine_of_turns},
    DoubleFunction{"erfinv", 8, device::erfinv, inverse_error},
    DoubleFunction{"erfcinv", 8, device::erfcinv, inverse_complement},
    DoubleFunction{"erfcx", 4, device::erfcx, scaled_complement},
    DoubleFunction{"lgamma", 4, device::lgamma, standard<std::lgamma>, -2.25},
    DoubleFunction{"tgamma", 8, device::tgamma, standard<std::tgamma>},
};

long double units_between_doubles(double result, long double truth) {
  constexpr long double far_off = 1e30L;
  if (std::isnan(truth) || std::isnan(result)) return std::isnan(truth) && std::isnan(result) ? 0 : far_off;
  if (std::fabs(truth) > 0x1.fffffffffffffp1023L) return std::isinf(result) ? 0 : far_off;
  if (std::isinf(result)) return far_off;
  int exponent = 0;
  std::frexp(truth, &exponent);
  const int unit = truth == 0 ? -1074 : std::max(exponent - 53, -1074);
  return std::fabs(result - truth) / std::ldexp(1.0L, unit);
}

/// A third of the operands anywhere, the others of ordinary sizes.
double random_double(std::mt19937_64& random, unsigned turn) {
  const std::uint64_t bits = random();
  if (turn % 3 == 0) return std::bit_cast<double>(bits);
  const int exponent = static_cast<int>(bits & 15U) - (turn % 3 == 1 ? 10 : 4);
  const double size = std::ldexp(1.0 + static_cast<double>(bits >> 12U) * 0x1p-52, exponent);
  return (bits >> 5U & 1U) != 0 ? -size : size;
}

class DeviceDouble : public ::testing::TestWithParam<DoubleFunction> {};

/// The largest error that the page states: docs/cuda-math.md, | `name` (f64) | bound | largest |.
long double stated_largest(const std::string& name) {
  std::ifstream page(std::string(TESLASIM_SOURCE_DIR) + "/docs/cuda-math.md");
  const std::string start = "| `" + name + "` f64 | ";
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with(start)) continue;
    std::istringstream cells(line.substr(start.size()));
    std::string bar;
    long double bound = 0;
    long double largest = 0;
    cells >> bound >> bar >> largest;
    return largest;
  }
  return -1;
}

TEST_P(DeviceDouble, stays_within_its_bound_and_what_its_page_says) {
  std::mt19937_64 random(5);
  long double largest = 0;
  for (unsigned i = 0; i < 100000; ++i) {
    const double x = random_double(random, i);
    if (x < GetParam().low) continue;
    const long double units =
        units_between_doubles(GetParam().function(x), GetParam().truth(static_cast<long double>(x)));
    ASSERT_LE(units, GetParam().bound) << GetParam().name << " at " << x;
    largest = std::max(largest, units);
  }
  EXPECT_LE(largest, stated_largest(GetParam().name)) << GetParam().name;
  EXPECT_LE(stated_largest(GetParam().name), GetParam().bound) << GetParam().name;
}

TEST_P(DeviceDouble, takes_special_operands_as_c99_says) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, 1.0, -1.0, 0.5, infinite, -infinite, std::nan(""), 1.7976931348623157e308, 2.3e-308,
                         5e-324, -5e-324}) {
    if (x < GetParam().low) continue;
    const long double truth = GetParam().truth(static_cast<long double>(x));
    const double result = GetParam().function(x);
    EXPECT_LE(units_between_doubles(result, truth), GetParam().bound)
        << GetParam().name << " of " << x << " is " << result;
    const bool signs_differ = !std::isnan(truth) && std::signbit(result) != std::signbit(truth);
    EXPECT_FALSE(signs_differ) << GetParam().name << " of " << x << " is " << result;
  }
}

/// Where the functions are steep.
TEST(DeviceDoubleEnds, inverse_errors_and_gamma_stay_within_what_their_page_says) {
  std::mt19937_64 random(11);
  const long double erfinv = stated_largest("erfinv");
  const long double erfcinv = stated_largest("erfcinv");
  const long double tgamma = stated_largest("tgamma");
  for (unsigned i = 0; i < 60000; ++i) {
    const double part = 1.0 + static_cast<double>(random() >> 12U) * 0x1p-52;
    const double small = std::ldexp(part, -static_cast<int>(random() % 200) - 1);
    const auto within = [](long double largest, double x, double result, long double truth) {
      EXPECT_LE(units_between_doubles(result, truth), largest) << x << ": " << result;
    };
    within(erfinv, 1 - small, device::erfinv(1 - small), inverse_error(1 - small));
    within(erfcinv, small, device::erfcinv(small), inverse_complement(small));
    within(erfcinv, 2 - small, device::erfcinv(2 - small), inverse_complement(2 - small));
    const double wide = (part - 1) * 370 - 190;
    within(tgamma, wide, device::tgamma(wide), std::tgamma(static_cast<long double>(wide)));
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Double, DeviceDouble, ::testing::ValuesIn(double_functions),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(DeviceDoublePairs, functions_of_two_operands_stay_within_their_bounds) {
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 100000; ++i) {
    const double x = random_double(random, i);
    const double y = random_double(random, i / 3);
    const auto p = static_cast<long double>(x);
    const auto q = static_cast<long double>(y);
    ASSERT_LE(units_between_doubles(device::pow(x, y), std::pow(p, q)), 2) << x << " to the " << y;
    ASSERT_LE(units_between_doubles(device::hypot(x, y), std::hypot(p, q)), 2) << x << ", " << y;
    ASSERT_LE(units_between_doubles(device::rhypot(x, y), 1 / std::hypot(p, q)), 1) << x << ", " << y;
    ASSERT_LE(units_between_doubles(device::atan2(x, y), std::atan2(p, q)), 2) << x << ", " << y;
    const double quotient = x / y;
    if (std::isnormal(quotient)) {
      ASSERT_EQ(device::divide(x, y), quotient) << x << ", " << y;
    }
  }
}

TEST(DeviceDoublePairs, powers_of_special_operands_follow_c99) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::array operands{0.0, -0.0, 1.0,  -1.0,     0.5,       2.0,          -2.0,
                            3.0, -3.0, 0.75, infinite, -infinite, std::nan(""), 9007199254740991.0};
  for (const double x : operands) {
    for (const double y : operands) {
      const double truth = std::pow(x, y);
      const double result = device::pow(x, y);
      EXPECT_LE(units_between_doubles(result, static_cast<long double>(truth)), 2)
          << x << " to the " << y << " is " << result;
      if (!std::isnan(truth)) {
        EXPECT_EQ(std::signbit(result), std::signbit(truth)) << x << " to the " << y;
      }
    }
  }
}

}  // namespace
}  // namespace teslasim::device_library_test
