// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/prediction_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr double ms_per_s = 1e3;

std::string error_percent(double error) {
  return fmt::format("{:+.0f} %", 100.0 * error);
}

/// Up to six significant digits, large numbers in groups.
std::string number(double value) {
  constexpr double grouped_from = 1e4;
  const bool whole = std::abs(value - std::round(value)) < 1e-9 * std::max(1.0, std::abs(value));
  if (whole && std::abs(value) >= grouped_from && std::abs(value) < 1e15 && value > 0.0) {
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
  }
  return fmt::format("{:.6g}", value);
}

std::string table_row(const Prediction& prediction, const std::optional<double>& simulated_ms) {
  std::string line = "  " + padded(prediction.model, 23);
  if (!prediction.refusal.empty()) return line + "no prediction: " + prediction.refusal + "\n";
  if (!prediction.seconds) {
    const PredictionTerm* last = prediction.terms.empty() ? nullptr : &prediction.terms.back();
    const std::string said = last == nullptr ? "" : last->name + " " + number(last->value) + " " + last->unit;
    return line + padded(said, 34) + prediction.bound + "\n";
  }
  const double ms = ms_per_s * *prediction.seconds;
  line += fmt::format("{:>15}", milliseconds(ms));
  line += simulated_ms ? fmt::format("{:>9}", error_percent(relative_error(ms, *simulated_ms))) : std::string(9, ' ');
  return line + "   " + padded(prediction.bound, 22) + std::string(name_of(prediction.level)) + "\n";
}

std::string input_lines(const Prediction& prediction) {
  std::string text;
  constexpr std::size_t shown = 60;
  for (std::size_t i = 0; i < std::min(prediction.inputs.size(), shown); ++i) {
    const PredictionInput& input = prediction.inputs[i];
    const std::string value = input.text.empty() ? number(input.value) : input.text;
    text += fmt::format("    {}{:>16} {:<20} {}: {}\n", padded(input.name, 26), value, input.unit,
                        name_of(input.origin), input.source);
  }
  if (prediction.inputs.size() > shown) {
    text += fmt::format("    ... {} more, all of them with --json\n", prediction.inputs.size() - shown);
  }
  return text;
}

}  // namespace

std::vector<LaunchPredictions> predictions_of(const Result& result) {
  std::vector<LaunchPredictions> launches;
  for (const LaunchResult& launch : result.launches) {
    const LaunchStatistics& statistics = launch.statistics;
    LaunchPredictions row{statistics.kernel, launch.predictions, {}};
    if (statistics.timed && statistics.status == RunStatus::ok) {
      row.simulated_ms = static_cast<double>(statistics.duration) * 1e-12;
    }
    launches.push_back(std::move(row));
  }
  return launches;
}

std::string prediction_terms(const Prediction& prediction, PredictionDetail detail) {
  std::string text = prediction.model + "  (" + std::string(name_of(prediction.level)) + ")\n";
  for (const PredictionTerm& term : prediction.terms) {
    text += fmt::format("    {}{:>16} {:<14} {}\n", padded(term.name, 26), number(term.value), term.unit, term.meaning);
  }
  if (!prediction.refusal.empty()) text += "    no prediction: " + prediction.refusal + "\n";
  if (prediction.seconds)
    text += fmt::format("    {}{:>19}\n", padded("predicted", 26), milliseconds(ms_per_s * *prediction.seconds));
  if (!prediction.bound.empty()) text += "    bound by " + prediction.bound + "\n";
  for (const std::string& note : prediction.notes) text += "    note: " + note + "\n";
  if (detail == PredictionDetail::inputs) text += "  inputs\n" + input_lines(prediction);
  return text;
}

std::string prediction_text(const std::vector<LaunchPredictions>& launches, PredictionDetail detail) {
  std::string text;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchPredictions& launch = launches[i];
    text += launches.size() == 1 ? launch.kernel : fmt::format("launch {}: {}", i, launch.kernel);
    if (launch.simulated_ms) text += "   simulated " + milliseconds(*launch.simulated_ms);
    text += '\n';
    for (const Prediction& prediction : launch.predictions) text += table_row(prediction, launch.simulated_ms);
    if (detail == PredictionDetail::table) continue;
    for (const Prediction& prediction : launch.predictions) text += '\n' + prediction_terms(prediction, detail);
  }
  return text;
}

std::vector<std::string> prediction_entries(const std::vector<LaunchPredictions>& launches) {
  constexpr std::array<std::string_view, 4> shown{"hong-kim", "zhang-owens", "latency-throughput", "roofline"};
  std::vector<std::string> entries;
  for (const std::string_view model : shown) {
    double predicted = 0.0, simulated = 0.0;
    bool all = !launches.empty();
    for (const LaunchPredictions& launch : launches) {
      const auto found = std::find_if(launch.predictions.begin(), launch.predictions.end(),
                                      [model](const Prediction& row) { return row.model == model; });
      all = all && found != launch.predictions.end() && found->seconds && launch.simulated_ms;
      if (!all) break;
      predicted += ms_per_s * *found->seconds;
      simulated += *launch.simulated_ms;
    }
    if (!all || simulated <= 0.0) continue;
    entries.push_back(
        fmt::format("{} {} ({})", model, milliseconds(predicted), error_percent(relative_error(predicted, simulated))));
  }
  return entries;
}

}  // namespace teslasim
