// SPDX-License-Identifier: Apache-2.0
// The f32 functions of one argument: ours, the truth, and the bound that CUDA's guide promises.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>

namespace teslasim::device_library_test {

struct SingleFunction {
  const char* name;
  double bound;  ///< units in the last place; CUDA C Programming Guide 2.x, appendix on mathematical functions
  float (*function)(float);
  double (*truth)(double);
  float low, high;  ///< where the bound holds
};
inline void PrintTo(const SingleFunction& function, std::ostream* stream) {
  *stream << function.name;
}

[[nodiscard]] std::span<const SingleFunction> single_functions();

struct SingleError {
  double units = 0;
  float at = 0;
};

/// The largest error over every `step`-th bit pattern.
[[nodiscard]] SingleError largest_error(const SingleFunction& function, std::uint64_t step);

/// The largest error over all bit patterns, with all cores: minutes.
[[nodiscard]] SingleError largest_error_of_all(const SingleFunction& function);

/// Distance of a result from the truth in units of the last place of a float. A truth that is too small for the chip
/// may also be zero.
[[nodiscard]] double units_between(float result, double truth);

}  // namespace teslasim::device_library_test
