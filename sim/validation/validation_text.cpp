// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation_text.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/report/text/format.h"

namespace teslasim {
namespace {

/// A value with as many digits as a reader needs.
std::string short_number(double value) {
  return std::fabs(value) >= 1e6 ? fmt::format("{:.4g}", value) : fmt::format("{:.5g}", value);
}

std::string simulated_text(const ValidatedRow& row) {
  if (row.simulated.number) return short_number(*row.simulated.number);
  return row.simulated.word.empty() ? "-" : row.simulated.word;
}

std::string line_of(const ValidatedRow& row) {
  const PublishedRow& p = row.published;
  const std::string error = row.error_percent ? fmt::format("{:+.1f} %", *row.error_percent) : "-";
  std::string text =
      fmt::format("{:<4}{:<12}{} {:>9} {:>9} {} {:>5}{:>10}  {:<14}{}{}\n", p.experiment, p.machine, padded(p.id, 22),
                  p.value, simulated_text(row), padded(shortened(p.unit, 18), 18), p.tolerance, error,
                  name_of(row.verdict), p.counted() ? "" : "(not counted) ", p.condition);
  if (row.verdict == RowVerdict::not_simulated) text += "      " + row.simulated.why + "\n";
  return text;
}

/// Nothing when there are no such rows.
std::string summary_text(std::string_view label, std::string_view what, const ValidationSummary& summary) {
  if (summary.rows == 0) return "";
  return fmt::format("{:<12}{} of {} {} within tolerance ({} rows shown)\n", label, summary.within, summary.counted,
                     what, summary.rows) +
         fmt::format("ERROR       mean {:.2f} %, largest {:.2f} % (absolute, of the {})\n",
                     summary.mean_abs_error_percent, summary.max_abs_error_percent, what);
}

}  // namespace

std::string validation_text(const ValidationResult& result) {
  std::string text = fmt::format("{:<4}{:<12}{:<22} {:>9} {:>9} {:<18} {:>5}{:>10}  {:<14}{}\n", "exp", "machine",
                                 "row", "published", "ours", "unit", "tol", "error", "verdict", "condition");
  for (const ValidatedRow& row : result.rows) text += line_of(row);
  text += "\n" + summary_text("RESULT", "counted rows", result.micro_benchmarks().summary()) +
          summary_text("KERNELS", "counted rows of whole kernels", result.whole_kernels().summary());
  if (result.limited() != 0)
    text += fmt::format("STATUS      limit: {} rows were not measured to their end\n", result.limited());
  return text + fmt::format("DIGEST      {}\n", digest_groups(result.digest()));
}

std::string published_text(const std::vector<PublishedRow>& rows) {
  std::string text;
  for (const PublishedRow& row : rows) {
    text += fmt::format("{:<4}{:<12}{} {:>9} {}  {}: {} [{}, {}, {}]\n", row.experiment, row.machine,
                        padded(row.id, 22), row.value, padded(shortened(row.unit, 16), 16), row.quantity, row.condition,
                        row.source, row.confidence, row.read);
  }
  return text;
}

}  // namespace teslasim
