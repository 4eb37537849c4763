// SPDX-License-Identifier: Apache-2.0
// The published measurements that the simulator is compared with: traces/micro/published.csv and
// traces/whole/published.csv, one row each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

struct PublishedRow {
  std::string id;          ///< of the published figure; the same for each machine and condition it stands for
  std::string experiment;  ///< "E1"...
  std::string machine;     ///< preset
  std::string quantity, condition;
  std::string value;  ///< a number, or a word for a policy
  std::string unit;
  std::string
      tolerance;  ///< "5%", or a number in the unit of the value; "0" = exact; "<5%", ">5%": a bound, with tolerance
  std::string source;      ///< author year, table or section
  std::string confidence;  ///< high, medium, low
  std::string kind;        ///< measured, derived, spec, model
  std::string read;        ///< where the figure was read: paper, page, or memory (recollected)
  std::string measure;     ///< what to measure, see measure.h; "-": nothing that the simulator has, then `why` says why
  std::string why;         ///< remark: why it cannot be measured
  /// A whole kernel (E30); all others are micro-benchmarks.
  [[nodiscard]] bool whole_kernel() const { return experiment == "E30"; }
  /// Whether it counts: measured or derived, of high or medium confidence, and read. Of whole kernels so little was
  /// published that recollected figures count, too.
  [[nodiscard]] bool counted() const;
  [[nodiscard]] std::optional<double> number() const;
};

/// Rows of text in the form of published.csv. Throws InternalError with the line when it is malformed.
[[nodiscard]] std::vector<PublishedRow> parse_published(std::string_view csv);
/// The rows that are part of the program.
[[nodiscard]] const std::vector<PublishedRow>& published_rows();

}  // namespace teslasim
