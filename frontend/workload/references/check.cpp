// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/references/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/workload/device/buffer_contents.h"
#include "frontend/workload/device/element.h"
#include "frontend/workload/references/references.h"

namespace teslasim {

namespace {

constexpr std::size_t mismatches_kept = 5;

ExpectedValues expected_values(const Expectation& expectation, const Workload& workload, const BufferSpec& buffer) {
  if (!expectation.builtin.empty()) {
    const Reference* reference = find_reference(expectation.builtin);
    SIM_CHECK(reference != nullptr, "a built-in reference that was checked when the launch was read");
    return reference->compute(ReferenceArguments(expectation, workload));
  }
  const std::vector<std::byte> bytes = read_elements(expectation.file, buffer.type, buffer.count);
  const unsigned size = bytes_of(buffer.type);
  ExpectedValues expected;
  if (is_real(buffer.type)) {
    expected.reals.reserve(buffer.count);
  } else {
    expected.integers.reserve(buffer.count);
  }
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    if (is_real(buffer.type)) {
      expected.reals.push_back(read_real(buffer.type, &bytes[i * size]));
    } else {
      expected.integers.push_back(read_integer(buffer.type, &bytes[i * size]));
    }
  }
  return expected;
}

/// |got - want|, 0 where both are NaN or the same infinity, infinite where only one is such.
double absolute_error(double got, double want) {
  if (std::isnan(got) && std::isnan(want)) return 0.0;
  if (got == want) return 0.0;
  const double error = std::abs(got - want);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

class Comparison {
 public:
  Comparison(const Expectation& expectation, CheckResult& result) : expectation_(expectation), result_(result) {}

  void real(std::uint64_t index, double got, double want) {
    if (got == want) return;  // nearly all of them
    const double error = absolute_error(got, want);
    record(index, error, want, [&] { return std::pair(fmt::format("{:.9g}", got), fmt::format("{:.9g}", want)); });
  }
  void integer(std::uint64_t index, std::int64_t got, std::int64_t want, ValueType type) {
    // A double cannot tell apart large 64-bit integers: those must at least not count as equal.
    double error = std::abs(static_cast<double>(got) - static_cast<double>(want));
    if (got != want && error == 0.0) error = 1.0;
    record(index, error, static_cast<double>(want), [&] {
      if (is_signed(type)) return std::pair(fmt::format("{}", got), fmt::format("{}", want));
      return std::pair(fmt::format("{}", static_cast<std::uint64_t>(got)),
                       fmt::format("{}", static_cast<std::uint64_t>(want)));
    });
  }

 private:
  template <class Texts>
  void record(std::uint64_t index, double error, double want, const Texts& texts) {
    result_.largest_absolute_error = std::max(result_.largest_absolute_error, error);
    if (want != 0.0 && std::isfinite(want)) {
      result_.largest_relative_error = std::max(result_.largest_relative_error, error / std::abs(want));
    }
    // Also for a tolerance relative to an infinity: inf passes only where the error is 0.
    const double allowed =
        std::isfinite(want) ? expectation_.tolerance_absolute + expectation_.tolerance_relative * std::abs(want) : 0.0;
    if (error <= allowed) return;
    ++result_.mismatches;
    if (result_.first.size() >= mismatches_kept) return;
    auto [got_text, want_text] = texts();
    result_.first.push_back({index, std::move(got_text), std::move(want_text), error});
  }

  const Expectation& expectation_;
  CheckResult& result_;
};

/// What the kernel could at best have stored for `want`.
double rounded(ValueType type, double want) {
  return type == ValueType::f32 ? static_cast<double>(static_cast<float>(want)) : want;
}

}  // namespace

CheckResult check(const Expectation& expectation, const Workload& workload, const BufferLookup& contents) {
  const auto found = std::find_if(workload.buffers.begin(), workload.buffers.end(),
                                  [&](const BufferSpec& buffer) { return buffer.name == expectation.buffer; });
  SIM_CHECK(found != workload.buffers.end(), "an expectation names a buffer");
  const BufferSpec& buffer = *found;
  const std::span<const std::byte> bytes = contents(static_cast<std::size_t>(found - workload.buffers.begin()));
  const unsigned size = bytes_of(buffer.type);
  SIM_CHECK(bytes.size() >= buffer.count * size, "the whole buffer");

  const ExpectedValues expected = expected_values(expectation, workload, buffer);
  CheckResult result;
  result.buffer = buffer.name;
  result.against = expectation.builtin.empty() ? "file " + expectation.file : "builtin " + expectation.builtin;
  result.elements = buffer.count;
  Comparison comparison(expectation, result);
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    if (is_real(buffer.type)) {
      comparison.real(i, read_real(buffer.type, &bytes[i * size]), rounded(buffer.type, expected.reals.at(i)));
    } else {
      std::byte want[8];
      write_integer(buffer.type, static_cast<std::uint64_t>(expected.integers.at(i)), want);
      comparison.integer(i, read_integer(buffer.type, &bytes[i * size]), read_integer(buffer.type, want), buffer.type);
    }
  }
  result.ok = result.mismatches == 0;
  return result;
}

std::vector<std::string> describe(const CheckResult& result) {
  if (result.ok) {
    return {fmt::format("{}: OK, {} elements against {}, largest error {:.3g}", result.buffer, result.elements,
                        result.against, result.largest_absolute_error)};
  }
  std::vector<std::string> lines = {fmt::format("{}: WRONG, {} of {} elements differ from {}", result.buffer,
                                                result.mismatches, result.elements, result.against)};
  for (const Mismatch& mismatch : result.first) {
    lines.push_back(fmt::format("  {}[{}] = {}, expected {} (error {:.3g})", result.buffer, mismatch.index,
                                mismatch.got, mismatch.expected, mismatch.error));
  }
  if (result.mismatches > result.first.size()) {
    lines.push_back(fmt::format("  ... {} more", result.mismatches - result.first.size()));
  }
  return lines;
}

}  // namespace teslasim
