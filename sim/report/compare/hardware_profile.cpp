// SPDX-License-Identifier: Apache-2.0
#include "sim/report/compare/hardware_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "sim/base/csv.h"
#include "sim/base/diagnostic.h"
#include "sim/base/number_text.h"
#include "sim/base/prediction.h"
#include "sim/report/result/statistic_names.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::array<std::string_view, 5> headings{"workload", "metric", "value", "unit", "source"};
constexpr const char* help_columns = "the columns are workload,metric,value,unit,source";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
/// More mistakes than are shown are those of a file that is something else.
constexpr std::size_t problems_at_most = 20;

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 5> time_units{{{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"\u00b5s", 1e-6}, {"ns", 1e-9}}};

std::optional<double> seconds_of(std::string_view unit) {
  const auto found = std::find_if(time_units.begin(), time_units.end(), [unit](auto& row) { return row.name == unit; });
  return found == time_units.end() ? std::nullopt : std::optional(found->seconds);
}

bool is_blank(char character) {
  return character == ' ' || character == '\t';
}

/// A line of the file: blanks around a cell do not count.
CsvRecord split(std::string_view line) {
  CsvRecord record = read_csv_record(line);
  for (CsvCell& cell : record.cells) {
    while (!cell.text.empty() && is_blank(cell.text.back())) cell.text.pop_back();
    cell.text.erase(0, std::min(cell.text.find_first_not_of(" \t"), cell.text.size()));
  }
  return record;
}

std::uint32_t characters(std::string_view text) {
  return static_cast<std::uint32_t>(columns(text));
}

class Reader {
 public:
  Reader(const std::string& place, std::string_view text) : place_(place), rest_(text) {
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  std::vector<HardwareMeasurement> read() {
    bool first = true;
    while (next_line() && problems_.size() < problems_at_most) {
      if (line_.find_first_not_of(" \t") == std::string::npos || line_.front() == '#') continue;
      take(split(line_), first);
      first = false;
    }
    if (problems_.size() >= problems_at_most)
      problems_[problems_at_most - 1].notes.emplace_back("the lines behind this one were not read");
    if (problems_.empty() && measurements_.empty()) problem({}, "the file has no measurements", help_columns);
    if (!problems_.empty()) throw InputError(ExitCode::input, std::move(problems_));
    return std::move(measurements_);
  }

 private:
  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    if (line_.ends_with('\r')) line_.pop_back();
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  static CsvCell bytes_at(std::size_t begin, std::size_t length) { return {"", begin, length, true}; }

  void problem(const CsvCell& cell, std::string message, std::string help) {
    Diagnostic diagnostic;
    diagnostic.code = "HW-PROFILE";
    diagnostic.message = std::move(message);
    const std::string_view line = line_;
    diagnostic.where = {place_, number_, characters(line.substr(0, cell.begin)) + 1,
                        std::max<std::uint32_t>(1, characters(line.substr(cell.begin, cell.length)))};
    diagnostic.excerpt = line_;
    diagnostic.help = std::move(help);
    problems_.push_back(std::move(diagnostic));
  }

  void take(const CsvRecord& line, bool first) {
    const auto control =
        std::find_if(line_.begin(), line_.end(), [](unsigned char c) { return std::iscntrl(c) != 0 && c != '\t'; });
    if (control != line_.end())
      return problem(bytes_at(static_cast<std::size_t>(control - line_.begin()), 1), "a character that no text has",
                     "");
    if (!line.closed)
      return problem(bytes_at(line_.rfind('"'), 1), "a quote is not closed", "write \"\" for a quote in a cell");
    if (line.cells.size() != headings.size()) {
      return problem(bytes_at(0, line_.size()),
                     fmt::format("a line has {} cells, got {}", headings.size(), line.cells.size()), help_columns);
    }
    if (first && line.cells.front().text == headings.front()) return check_heading(line.cells);
    take_measurement(line.cells);
  }

  void check_heading(const std::vector<CsvCell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].text != headings[i])
        problem(cells[i], fmt::format("column {} is '{}', got '{}'", i + 1, headings[i], cells[i].text), help_columns);
    }
  }

  void take_measurement(const std::vector<CsvCell>& cells) {
    const std::size_t before = problems_.size();
    const CsvCell &workload = cells[0], &metric = cells[1], &value = cells[2], &unit = cells[3];
    if (workload.text.empty()) problem(workload, "the workload has no name", "a kernel, or the input of a run");
    const bool known = is_statistic_name(metric.text);
    if (!known) unknown_metric(metric);
    const std::optional<double> number = finite_number(value.text);
    const bool takes_time = seconds_of(statistic_unit(metric.text)) || metric.text == "cycles";
    if (!number || *number < 0.0 || (*number == 0.0 && takes_time)) {
      problem(value, "'" + value.text + "' is " + (takes_time ? "not a number above 0" : "no number, or below 0"),
              "the third column is the measured value");
    }
    const double factor = known ? factor_of(unit, metric.text) : 1.0;
    if (problems_.size() != before) return;
    const double converted = *number * factor;
    if (*number != 0.0 && !std::isnormal(converted))
      return problem(value, "'" + value.text + "' is out of range", "the third column is the measured value");
    measurements_.push_back({workload.text, metric.text, converted, statistic_unit(metric.text), cells[4].text});
  }

  void unknown_metric(const CsvCell& metric) {
    const std::string near = nearest_statistic_name(metric.text);
    problem(metric, "there is no statistic '" + metric.text + "'",
            near.empty() ? "time_ms, cycles, or a path of stats.json" : "did you mean '" + near + "'?");
  }

  /// By what a value is multiplied to be in the unit of the metric.
  double factor_of(const CsvCell& unit, const std::string& metric) {
    const std::string of_metric = statistic_unit(metric);
    if (const std::optional<double> seconds = seconds_of(of_metric)) {
      if (const std::optional<double> given = seconds_of(unit.text)) return *given / *seconds;
      problem(unit, "'" + unit.text + "' is no unit of '" + metric + "'", "write s, ms, us or ns");
      return 1.0;
    }
    // "shader cycles" is what our own files said before.
    const bool cycles = (unit.text == "cycles" || unit.text == "shader cycles") && of_metric == "SP cycles";
    const bool count = unit.text.empty() || unit.text == "count";
    const bool counted = of_metric != "%" && of_metric != "ratio" && of_metric != "SP cycles";
    if (unit.text == of_metric || cycles || (count && counted)) return 1.0;
    const std::string usual = of_metric == "SP cycles" ? "cycles" : of_metric.empty() ? "count" : of_metric;
    problem(unit, "'" + unit.text + "' is no unit of '" + metric + "'", "write " + usual);
    return 1.0;
  }

  std::string place_;
  std::string_view rest_;
  std::string line_;
  std::uint32_t number_ = 0;
  std::vector<HardwareMeasurement> measurements_;
  std::vector<Diagnostic> problems_;
};

bool is_word_character(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

/// Whether `word` stands in `text` as a whole: reduce1 is not in 001-reduce16-gtx280.
bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_character(text[at - 1]);
    if (begins && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

bool is_about(const HardwareMeasurement& measurement, const RunData& run) {
  const std::vector<std::string>& kernels = run.kernels();
  return has_word(run.label(), measurement.workload) ||
         std::find(kernels.begin(), kernels.end(), measurement.workload) != kernels.end();
}

/// Simulated against measured; nothing when the run has no such number or is not sound, and of 0 when it counted any.
std::optional<double> error_of(const HardwareMeasurement& measurement, const RunData& run) {
  const std::optional<double> value = run.find(measurement.metric);
  if (!value || !run.sound()) return std::nullopt;
  if (measurement.value != 0.0) return relative_error(*value, measurement.value);
  return *value == 0.0 ? std::optional(0.0) : std::nullopt;
}

std::string row_of(const HardwareMeasurement& measurement, const RunData& run) {
  const std::string head =
      padded(shortened(run.label() + " " + measurement.metric, 43), 44) + fmt::format("{:>14.6g}", measurement.value);
  const std::optional<double> value = run.find(measurement.metric), error = error_of(measurement, run);
  if (!value) return head + fmt::format("{:>14}\n", "no such value");
  const std::string row = head + fmt::format("{:>14.6g} {}", *value, padded(shortened(measurement.unit, 13), 14));
  return row + (error ? fmt::format("{:>6.1f} %  {}\n", 100.0 * *error, measurement.source)
                      : fmt::format("{:>8}  {}\n", "-", run.sound() ? measurement.source : run.flaw()));
}

}  // namespace

std::vector<HardwareMeasurement> read_hardware_profile(const std::string& place, const std::string& text) {
  return Reader(place, text).read();
}

std::string hardware_compare_text(const std::vector<HardwareMeasurement>& measurements,
                                  const std::vector<RunData>& runs) {
  std::string text = fmt::format("{}{:>14}{:>14} {:<14}{:>8}\n", padded("workload, metric", 44), "hardware",
                                 "simulated", "unit", "error");
  std::vector<double> errors;
  std::size_t unused = 0;
  for (const HardwareMeasurement& measurement : measurements) {
    bool used = false;
    for (const RunData& run : runs) {
      if (!is_about(measurement, run)) continue;
      used = true;
      text += row_of(measurement, run);
      if (const std::optional<double> error = error_of(measurement, run)) errors.push_back(*error);
    }
    unused += used ? 0 : 1;
  }
  const ErrorSummary summary = summarise_errors(errors);
  text += fmt::format("{} compared", summary.count);
  if (summary.count != 0) {
    text += fmt::format(", geometric mean error {:.1f} %, {:.0f} % of them below 25 %", 100.0 * summary.geometric_mean,
                        100.0 * summary.share_below_25pct);
  }
  return text + (unused == 0 ? "\n" : fmt::format("; {} measurements are about none of these runs\n", unused));
}

}  // namespace teslasim
