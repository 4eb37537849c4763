// SPDX-License-Identifier: Apache-2.0
// Compares a buffer after the last launch with what the launch file expects.
// An element passes when |got - want| <= tol_abs + tol_rel * |want|, `want` being first rounded to the element type.
// NaN passes only where NaN is wanted (any NaN), an infinity only where the same infinity is wanted. With both
// tolerances zero, elements must be equal (+0 and -0 are).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "frontend/workload.h"

namespace teslasim {

/// The bytes of Workload::buffers[index] after the run.
using BufferLookup = std::function<std::span<const std::byte>(std::size_t index)>;

struct Mismatch {
  std::uint64_t index = 0;  ///< element
  std::string got, expected;
  double error = 0.0;  ///< |got - want|; infinite where one of them is not a number
};

struct CheckResult {
  bool ok = false;
  std::string buffer;
  std::string against;  ///< "builtin block_sum" or "file ref/out.npy"
  std::uint64_t elements = 0;
  std::uint64_t mismatches = 0;
  std::vector<Mismatch> first;          ///< the first few mismatches
  double largest_absolute_error = 0.0;  ///< over all elements
  double largest_relative_error = 0.0;  ///< over the elements with want != 0
};

[[nodiscard]] CheckResult check(const Expectation& expectation, const Workload& workload, const BufferLookup& contents);

/// The result as lines for people: one line when it passed, else also the first mismatches.
[[nodiscard]] std::vector<std::string> describe(const CheckResult& result);

}  // namespace teslasim
