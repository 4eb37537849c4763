// SPDX-License-Identifier: Apache-2.0
#include "sim/report/hardware_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "sim/base/diagnostic.h"
#include "sim/base/prediction.h"
#include "sim/report/format.h"

namespace teslasim {
namespace {

constexpr std::size_t cells = 5;
constexpr const char* heading = "workload,metric,value,unit,source";

/// RFC 4180 without line breaks in cells.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> row{""};
  bool quoted = false;
  for (const char character : line) {
    if (character == '"') {
      quoted = !quoted;
    } else if (character == ',' && !quoted) {
      row.emplace_back();
    } else if (character != '\r') {
      row.back() += character;
    }
  }
  return row;
}

bool is_about(const HardwareMeasurement& measurement, const RunData& run) {
  const std::vector<std::string>& kernels = run.kernels();
  return run.label().find(measurement.workload) != std::string::npos ||
         std::find(kernels.begin(), kernels.end(), measurement.workload) != kernels.end();
}

}  // namespace

std::vector<HardwareMeasurement> read_hardware_profile(const std::string& place, const std::string& text) {
  std::vector<HardwareMeasurement> measurements;
  std::vector<Diagnostic> problems;
  std::istringstream lines(text);
  std::string line;
  std::uint32_t number = 0;
  const auto problem = [&](std::string message, std::string help) {
    Diagnostic diagnostic;
    diagnostic.code = "HW-PROFILE";
    diagnostic.message = std::move(message);
    diagnostic.where = {place, number, 1, 1};
    diagnostic.excerpt = line;
    diagnostic.help = std::move(help);
    problems.push_back(std::move(diagnostic));
  };
  while (std::getline(lines, line)) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> row = split(line);
    if (number == 1 && row.front() == "workload") continue;
    if (row.size() != cells) {
      problem(fmt::format("a line has {} cells, got {}", cells, row.size()), std::string("the columns are ") + heading);
      continue;
    }
    HardwareMeasurement measurement{row[0], row[1], 0.0, row[3], row[4]};
    const auto [end, error] = std::from_chars(row[2].data(), row[2].data() + row[2].size(), measurement.value);
    if (error != std::errc{} || end != row[2].data() + row[2].size() || measurement.value == 0.0) {
      problem("'" + row[2] + "' is not a number other than 0", "the third column is the measured value");
      continue;
    }
    measurements.push_back(std::move(measurement));
  }
  if (problems.empty() && measurements.empty())
    problem("the file has no measurements", std::string("the columns are ") + heading);
  if (!problems.empty()) throw InputError(ExitCode::input, std::move(problems));
  return measurements;
}

std::string hardware_compare_text(const std::vector<HardwareMeasurement>& measurements,
                                  const std::vector<RunData>& runs) {
  std::string text =
      fmt::format("{}{:>14}{:>14}{:>10}\n", padded("workload, metric", 44), "hardware", "simulated", "error");
  std::vector<double> errors;
  std::size_t unused = 0;
  for (const HardwareMeasurement& measurement : measurements) {
    bool used = false;
    for (const RunData& run : runs) {
      if (!is_about(measurement, run)) continue;
      used = true;
      const std::optional<double> value = run.find(measurement.metric);
      const std::string name = padded(shortened(run.label() + " " + measurement.metric, 43), 44);
      if (!value) {
        text += fmt::format("{}{:>14.6g}{:>14}\n", name, measurement.value, "no such value");
        continue;
      }
      errors.push_back(relative_error(*value, measurement.value));
      text += fmt::format("{}{:>14.6g}{:>14.6g}{:>8.1f} %  {}\n", name, measurement.value, *value,
                          100.0 * errors.back(), measurement.source);
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
