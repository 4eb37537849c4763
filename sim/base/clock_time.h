// SPDX-License-Identifier: Apache-2.0
// Frequencies and nanoseconds, as configured, in whole femtoseconds, as simulated.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// Whole femtoseconds nearest to `ns`.
[[nodiscard]] inline Femtoseconds femtoseconds_of_ns(double ns) {
  constexpr double femtoseconds_per_ns = 1e6;
  return static_cast<Femtoseconds>(std::llround(ns * femtoseconds_per_ns));
}

/// Whole femtoseconds nearest to the period of `mhz`; 1296 MHz is 771 605 fs.
[[nodiscard]] inline Femtoseconds period_of_mhz(double mhz) {
  SIM_CHECK(mhz > 0, "a clock frequency must be positive");
  constexpr double ns_times_mhz = 1000.0;
  return std::max<Femtoseconds>(femtoseconds_of_ns(ns_times_mhz / mhz), 1);
}

/// The first multiple of `period` that is not before `time`; `never` stays `never`.
[[nodiscard]] inline Femtoseconds edge_at_or_after(Femtoseconds time, Femtoseconds period) {
  if (time == never) return never;
  return (time + period - 1) / period * period;
}

}  // namespace teslasim
