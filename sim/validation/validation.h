// SPDX-License-Identifier: Apache-2.0
// Runs the measurements that belong to published rows and judges them. Each measurement runs in a child process of its
// own, so that none sees what another left in a cache, and several run at once; results are in the order of the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/validation/published.h"

namespace teslasim {

struct MachineSpec;

/// One measurement on one machine: a preset, or `spec` when it is set.
struct MeasureTask {
  std::string machine;
  std::string measure;
  const MachineSpec* spec = nullptr;
  friend bool operator==(const MeasureTask&, const MeasureTask&) = default;
};

/// A number, a word, or why there is neither.
struct MeasureOutcome {
  std::optional<double> number{};
  std::string word{};
  std::string why{};
  bool limited = false;  ///< one of WorkerOptions' limits is why
};

struct WorkerOptions {
  unsigned jobs = 0;           ///< processes at a time; 0: one per processor
  SpCycle max_cycles = never;  ///< SP cycles of a measurement
  double max_seconds = 0.0;    ///< wall time of all; 0: no limit
  std::function<void(std::size_t done, std::size_t all)> progress{};
  /// Makes different measurements in another way than on this host.
  std::function<std::vector<MeasureOutcome>(const std::vector<MeasureTask>&)> elsewhere{};
};

/// The outcomes in the order of `tasks`; equal tasks are run once. Throws InternalError when a child cannot be started.
[[nodiscard]] std::vector<MeasureOutcome> run_measurements(const std::vector<MeasureTask>& tasks,
                                                           const WorkerOptions& options);

enum class RowVerdict : std::uint8_t { within, outside, not_simulated };
[[nodiscard]] std::string_view name_of(RowVerdict verdict);

struct ValidatedRow {
  PublishedRow published;
  MeasureOutcome simulated;
  std::optional<double> error_percent;  ///< (simulated - published) / published; nothing when there is no number
  RowVerdict verdict = RowVerdict::not_simulated;
};

struct ValidationSummary {
  std::size_t rows = 0, counted = 0, within = 0;                     ///< `within` of the counted ones
  std::size_t compared = 0;                                          ///< counted ones that have an error
  double mean_abs_error_percent = 0.0, max_abs_error_percent = 0.0;  ///< of the counted ones that have an error
};

struct ValidationResult {
  std::vector<ValidatedRow> rows;
  [[nodiscard]] ValidationSummary summary() const;
  /// The rows of micro-benchmarks, and those of whole kernels: each has a summary of its own.
  [[nodiscard]] ValidationResult micro_benchmarks() const;
  [[nodiscard]] ValidationResult whole_kernels() const;
  /// Rows without a value because of a limit.
  [[nodiscard]] std::size_t limited() const;
  /// Over ids, machines, conditions and simulated values: the same for the same program.
  [[nodiscard]] std::uint64_t digest() const;
};

/// What the row's tolerance allows, in percent of the published number; nothing for words and zeros.
[[nodiscard]] std::optional<double> tolerance_percent(const PublishedRow& row);

/// Judges one measured value by the row's tolerance.
[[nodiscard]] ValidatedRow judge(const PublishedRow& row, const MeasureOutcome& outcome);

[[nodiscard]] ValidationResult validate(const std::vector<PublishedRow>& rows, const WorkerOptions& options);

/// `rows` whose id or experiment is one of `only` (all when empty), on `machine` (any when empty).
[[nodiscard]] std::vector<PublishedRow> selected_rows(const std::vector<PublishedRow>& rows, const std::string& machine,
                                                      const std::vector<std::string>& only);

}  // namespace teslasim
