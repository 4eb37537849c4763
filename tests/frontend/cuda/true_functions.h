// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA that C++ has not, in long double.
#pragma once

namespace teslasim::device_library_test {

[[nodiscard]] long double inverse_cube_root(long double x);
[[nodiscard]] long double sine_of_turns(long double x);
[[nodiscard]] long double cosine_of_turns(long double x);
[[nodiscard]] long double inverse_error(long double x);
[[nodiscard]] long double inverse_complement(long double x);
/// exp(x^2) erfc(x).
[[nodiscard]] long double scaled_complement(long double x);

}  // namespace teslasim::device_library_test
