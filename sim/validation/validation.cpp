// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include "sim/base/diagnostic.h"
#include "sim/base/hash.h"
#include "sim/validation/whole_kernel.h"

namespace teslasim {
namespace {

constexpr double rounding = 1e-9;

/// What a tolerance allows, in the unit of the row.
struct Band {
  double below = 0.0, above = 0.0;
};

Band band_of(const PublishedRow& row, double value) {
  std::string text = row.tolerance;
  const bool at_most = text.starts_with('<'), at_least = text.starts_with('>');
  if (at_most || at_least) text.erase(0, 1);
  const bool relative = text.ends_with('%');
  const double amount = std::stod(text) * (relative ? std::fabs(value) / 100.0 : 1.0) + rounding;
  const double open = std::numeric_limits<double>::infinity();
  return {at_most ? open : amount, at_least ? open : amount};
}

double error_of(double simulated, double published) {
  if (published != 0.0) return 100.0 * (simulated - published) / std::fabs(published);
  return std::fabs(simulated) < rounding ? 0.0 : std::copysign(100.0, simulated);
}

}  // namespace

std::string_view name_of(RowVerdict verdict) {
  switch (verdict) {
    case RowVerdict::within:
      return "within";
    case RowVerdict::outside:
      return "outside";
    case RowVerdict::not_simulated:
      break;
  }
  return "not simulated";
}

std::optional<double> tolerance_percent(const PublishedRow& row) {
  const auto published = row.number();
  if (!published || *published == 0.0) return std::nullopt;
  const Band band = band_of(row, *published);
  return 100.0 * std::min(band.below, band.above) / std::fabs(*published);
}

ValidatedRow judge(const PublishedRow& row, const MeasureOutcome& outcome) {
  ValidatedRow validated{row, outcome, std::nullopt, RowVerdict::not_simulated};
  if (const auto published = row.number(); published && outcome.number) {
    const double difference = *outcome.number - *published;
    const Band band = band_of(row, *published);
    const bool inside = difference >= -band.below && difference <= band.above;
    validated.verdict = inside ? RowVerdict::within : RowVerdict::outside;
    const bool met = difference < 0.0 ? std::isinf(band.below) : std::isinf(band.above);
    validated.error_percent = met ? 0.0 : error_of(*outcome.number, *published);
  } else if (!published && !outcome.word.empty()) {
    validated.verdict = outcome.word == row.value ? RowVerdict::within : RowVerdict::outside;
  }
  return validated;
}

ValidationSummary ValidationResult::summary() const {
  ValidationSummary summary;
  double sum = 0.0;
  for (const ValidatedRow& row : rows) {
    ++summary.rows;
    if (!row.published.counted()) continue;
    ++summary.counted;
    if (row.verdict == RowVerdict::within) ++summary.within;
    if (!row.error_percent) continue;
    ++summary.compared;
    sum += std::fabs(*row.error_percent);
    summary.max_abs_error_percent = std::max(summary.max_abs_error_percent, std::fabs(*row.error_percent));
  }
  if (summary.compared != 0) summary.mean_abs_error_percent = sum / static_cast<double>(summary.compared);
  return summary;
}

ValidationResult ValidationResult::micro_benchmarks() const {
  ValidationResult part;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(part.rows),
               [](const ValidatedRow& row) { return !row.published.whole_kernel(); });
  return part;
}

ValidationResult ValidationResult::whole_kernels() const {
  ValidationResult part;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(part.rows),
               [](const ValidatedRow& row) { return row.published.whole_kernel(); });
  return part;
}

std::size_t ValidationResult::limited() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const ValidatedRow& row) { return row.simulated.limited; }));
}

std::uint64_t ValidationResult::digest() const {
  std::string text;
  for (const ValidatedRow& row : rows) {
    const std::string value = row.simulated.number ? fmt::format("{:a}", *row.simulated.number) : row.simulated.word;
    text += fmt::format("{}\n{}\n{}\n{}\n", row.published.id, row.published.machine, row.published.condition, value);
  }
  return hash_bytes(std::as_bytes(std::span(text)));
}

ValidationResult validate(const std::vector<PublishedRow>& rows, const WorkerOptions& options) {
  std::vector<MeasureTask> tasks;
  for (const PublishedRow& row : rows) {
    for (const std::string& measurement : measurements_of(row)) tasks.push_back({row.machine, measurement});
  }
  const std::vector<MeasureOutcome> outcomes = run_measurements(tasks, options);
  ValidationResult result;
  auto next = outcomes.begin();
  for (const PublishedRow& row : rows) {
    const auto end = next + static_cast<std::ptrdiff_t>(measurements_of(row).size());
    result.rows.push_back(judge(row, outcome_of_row(row, {next, end})));
    next = end;
  }
  return result;
}

std::vector<PublishedRow> selected_rows(const std::vector<PublishedRow>& rows, const std::string& machine,
                                        const std::vector<std::string>& only) {
  std::vector<PublishedRow> selected;
  for (const PublishedRow& row : rows) {
    const bool wanted = only.empty() || std::find(only.begin(), only.end(), row.id) != only.end() ||
                        std::find(only.begin(), only.end(), row.experiment) != only.end();
    if (wanted && (machine.empty() || row.machine == machine)) selected.push_back(row);
  }
  return selected;
}

}  // namespace teslasim
