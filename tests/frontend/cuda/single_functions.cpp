// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/cuda/single_functions.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "frontend/cuda/inverse_error_single.h"
#include "frontend/cuda/turns_single.h"
#include "tests/frontend/cuda/host_primitives.h"
#include "tests/frontend/cuda/true_functions.h"

namespace teslasim::device_library_test {

namespace {

namespace device = teslasim_device;

constexpr float everywhere = std::numeric_limits<float>::infinity();
constexpr double far_off = 1e30;

template <device::Single (*function)(device::Single)>
float ours(float x) {
  return function(x).value;
}
template <double (*function)(double)>
double standard(double x) {
  return function(x);
}
double exp10_of(double x) {
  return std::pow(10.0, x);
}
double inverse_root_of(double x) {
  return 1.0 / std::sqrt(x);
}
template <long double (*function)(long double)>
double long_truth(double x) {
  return static_cast<double>(function(x));
}

constexpr std::array functions{
    SingleFunction{"sqrtf", 3, ours<device::sqrtf>, standard<std::sqrt>, 0, everywhere},
    SingleFunction{"rsqrtf", 2, ours<device::rsqrtf>, inverse_root_of, 0, everywhere},
    SingleFunction{"cbrtf", 1, ours<device::cbrtf>, standard<std::cbrt>, -everywhere, everywhere},
    SingleFunction{"rcbrtf", 2, ours<device::rcbrtf>, long_truth<inverse_cube_root>, -everywhere, everywhere},
    // the guide counts from the correctly rounded value: 2 units there are at most 2.5 here
    SingleFunction{"expf", 2.5, ours<device::expf>, standard<std::exp>, -everywhere, everywhere},
    SingleFunction{"exp2f", 2.5, ours<device::exp2f>, standard<std::exp2>, -everywhere, everywhere},
    SingleFunction{"exp10f", 2.5, ours<device::exp10f>, exp10_of, -everywhere, everywhere},
    SingleFunction{"expm1f", 1, ours<device::expm1f>, standard<std::expm1>, -everywhere, everywhere},
    SingleFunction{"logf", 1, ours<device::logf>, standard<std::log>, -everywhere, everywhere},
    SingleFunction{"log2f", 3, ours<device::log2f>, standard<std::log2>, -everywhere, everywhere},
    SingleFunction{"log10f", 3, ours<device::log10f>, standard<std::log10>, -everywhere, everywhere},
    SingleFunction{"log1pf", 2, ours<device::log1pf>, standard<std::log1p>, -everywhere, everywhere},
    SingleFunction{"sinf", 2, ours<device::sinf>, standard<std::sin>, -everywhere, everywhere},
    SingleFunction{"cosf", 2, ours<device::cosf>, standard<std::cos>, -everywhere, everywhere},
    SingleFunction{"tanf", 4, ours<device::tanf>, standard<std::tan>, -everywhere, everywhere},
    SingleFunction{"sinpif", 2, ours<device::sinpif>, long_truth<sine_of_turns>, -everywhere, everywhere},
    SingleFunction{"cospif", 2, ours<device::cospif>, long_truth<cosine_of_turns>, -everywhere, everywhere},
    SingleFunction{"asinf", 4, ours<device::asinf>, standard<std::asin>, -everywhere, everywhere},
    SingleFunction{"acosf", 3, ours<device::acosf>, standard<std::acos>, -everywhere, everywhere},
    SingleFunction{"atanf", 2, ours<device::atanf>, standard<std::atan>, -everywhere, everywhere},
    SingleFunction{"sinhf", 3, ours<device::sinhf>, standard<std::sinh>, -everywhere, everywhere},
    SingleFunction{"coshf", 2, ours<device::coshf>, standard<std::cosh>, -everywhere, everywhere},
    SingleFunction{"tanhf", 2, ours<device::tanhf>, standard<std::tanh>, -everywhere, everywhere},
    SingleFunction{"asinhf", 3, ours<device::asinhf>, standard<std::asinh>, -everywhere, everywhere},
    SingleFunction{"acoshf", 4, ours<device::acoshf>, standard<std::acosh>, -everywhere, everywhere},
    SingleFunction{"atanhf", 3, ours<device::atanhf>, standard<std::atanh>, -everywhere, everywhere},
    SingleFunction{"erff", 3, ours<device::erff>, standard<std::erf>, -everywhere, everywhere},
    SingleFunction{"erfcf", 8, ours<device::erfcf>, standard<std::erfc>, -everywhere, everywhere},
    SingleFunction{"erfinvf", 5, ours<device::erfinvf>, long_truth<inverse_error>, -everywhere, everywhere},
    SingleFunction{"erfcinvf", 7, ours<device::erfcinvf>, long_truth<inverse_complement>, -everywhere, everywhere},
    SingleFunction{"erfcxf", 6, ours<device::erfcxf>, long_truth<scaled_complement>, -everywhere, everywhere},
    SingleFunction{"lgammaf", 6, ours<device::lgammaf>, standard<std::lgamma>, -2.25F, everywhere},
    SingleFunction{"tgammaf", 11, ours<device::tgammaf>, standard<std::tgamma>, -everywhere, everywhere},
};

/// How many units of the last place of a float of this size fit into 1; from 2^-126 to the largest float. By bits,
/// since the long test asks for it 10^11 times.
double units_in_one(double size) {
  constexpr std::uint64_t fraction_bits = 52, bias = 1023, last_place = 23;
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(size) >> fraction_bits;
  return std::bit_cast<double>((2 * bias + last_place - exponent) << fraction_bits);
}

/// The largest error over every `step`-th bit pattern from `first` to before `last`.
SingleError largest_error_in(const SingleFunction& function, std::uint64_t step, std::uint64_t first,
                             std::uint64_t last) {
  SingleError largest;
  for (std::uint64_t bits = first; bits < last; bits += step) {
    const float x = flushed(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (x < function.low || x > function.high) continue;
    const double units = units_between(function.function(x), function.truth(static_cast<double>(x)));
    if (units > largest.units) largest = {units, x};
  }
  return largest;
}

}  // namespace

std::span<const SingleFunction> single_functions() {
  return functions;
}

double units_between(float result, double truth) {
  constexpr double beyond = 0x1.ffffffp127;  // rounds to infinity
  if (std::isnan(truth) || std::isnan(result)) return std::isnan(truth) && std::isnan(result) ? 0 : far_off;
  if (std::fabs(truth) < 0x1p-126) return std::fabs(result) <= 0x1p-126F ? 0 : far_off;
  if (std::isinf(truth) && !std::isinf(result)) return far_off;
  const double limited = std::fabs(truth) >= beyond ? std::copysign(0x1p128, truth) : truth;
  const double value =
      std::isinf(result) ? std::copysign(0x1p128, static_cast<double>(result)) : static_cast<double>(result);
  return std::fabs(value - limited) * units_in_one(std::fmin(std::fabs(truth), beyond));
}

SingleError largest_error(const SingleFunction& function, std::uint64_t step) {
  return largest_error_in(function, step, 0, std::uint64_t{1} << 32U);
}

SingleError largest_error_of_all(const SingleFunction& function) {
  // Where a function is easy is a matter of the exponent, so threads take small parts in turn.
  constexpr std::uint64_t parts = 4096, part = (std::uint64_t{1} << 32U) / parts;
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex;
  SingleError largest;
  const auto work = [&] {
    for (std::uint64_t mine = next++; mine < parts; mine = next++) {
      const SingleError found = largest_error_in(function, 1, mine * part, (mine + 1) * part);
      const std::lock_guard lock(mutex);
      if (found.units > largest.units) largest = found;
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned k = 0; k < std::max(1U, std::thread::hardware_concurrency()); ++k) threads.emplace_back(work);
  threads.clear();
  return largest;
}

}  // namespace teslasim::device_library_test
