// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/row_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/validation/whole_kernel.h"

namespace teslasim {
namespace {

constexpr double least_tolerance = 1.0;  // percent

/// The sets stand before those of the row, which therefore win: a row that asks for a value of its own keeps it.
std::string measure_with(const std::string& measure, const std::vector<std::string>& sets) {
  const std::size_t end_of_name = std::min(measure.find(' '), measure.size());
  std::string text = measure.substr(0, end_of_name);
  for (const std::string& set : sets) text += " set:" + set;
  return text + measure.substr(end_of_name);
}

std::vector<std::size_t> rows_wanted(const MachineVariant& variant, std::size_t all) {
  if (!variant.rows.empty()) return variant.rows;
  std::vector<std::size_t> every(all);
  std::iota(every.begin(), every.end(), std::size_t{0});
  return every;
}

std::vector<MeasureTask> tasks_of(const std::vector<PublishedRow>& rows, const std::vector<MachineVariant>& variants) {
  std::vector<MeasureTask> tasks;
  for (const MachineVariant& variant : variants) {
    for (const std::size_t i : rows_wanted(variant, rows.size())) {
      const auto sets = variant.sets.find(rows[i].machine);
      const bool shipped = sets == variant.sets.end();
      for (const std::string& measurement : measurements_of(rows[i]))
        tasks.push_back({rows[i].machine, shipped ? measurement : measure_with(measurement, sets->second)});
    }
  }
  return tasks;
}

std::size_t distinct_tasks(const std::vector<MeasureTask>& tasks) {
  std::set<std::pair<std::string, std::string>> distinct;
  for (const MeasureTask& task : tasks) distinct.emplace(task.machine, task.measure);
  return distinct.size();
}

/// Each name once, in the order of the rows.
template <typename NameOf>
std::vector<std::string> firsts(const std::vector<PublishedRow>& rows, const NameOf& name_of_row) {
  std::vector<std::string> names;
  for (const PublishedRow& row : rows) {
    const std::string name = name_of_row(row);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

RowRuns run_variants(const std::vector<PublishedRow>& rows, const std::vector<MachineVariant>& variants,
                     const WorkerOptions& workers) {
  const std::vector<MeasureTask> tasks = tasks_of(rows, variants);
  const std::vector<MeasureOutcome> outcomes = run_measurements(tasks, workers);
  RowRuns result;
  result.runs = distinct_tasks(tasks);
  auto next = outcomes.begin();
  for (const MachineVariant& variant : variants) {
    RowNumbers& numbers = result.numbers.emplace_back(rows.size());
    for (const std::size_t i : rows_wanted(variant, rows.size())) {
      const auto end = next + static_cast<std::ptrdiff_t>(measurements_of(rows[i]).size());
      numbers[i] = outcome_of_row(rows[i], {next, end}).number;
      next = end;
    }
  }
  return result;
}

std::size_t count_runs(const std::vector<PublishedRow>& rows, const std::vector<MachineVariant>& variants) {
  return distinct_tasks(tasks_of(rows, variants));
}

std::optional<std::string> refusal_of(const MachineSets& sets) {
  for (const auto& [machine, texts] : sets) {
    try {
      (void)load_machine({machine}, texts);
    } catch (const InputError& error) {
      if (error.diagnostics().empty()) return error.what();
      const Diagnostic& first = error.diagnostics().front();
      return fmt::format("{}: {}", first.code, first.message);
    }
  }
  return std::nullopt;
}

std::vector<PublishedRow> numeric_rows(const std::vector<PublishedRow>& rows) {
  std::vector<PublishedRow> numeric;
  for (const PublishedRow& row : rows) {
    if (row.number() && row.measure != "-") numeric.push_back(row);
  }
  return numeric;
}

std::optional<double> absolute_error(const PublishedRow& row, const std::optional<double>& simulated) {
  if (!simulated) return std::nullopt;
  MeasureOutcome outcome;
  outcome.number = simulated;
  const std::optional<double> error = judge(row, outcome).error_percent;
  return error ? std::optional(std::fabs(*error)) : std::nullopt;
}

std::optional<double> error_in_tolerances(const PublishedRow& row, const std::optional<double>& simulated) {
  const std::optional<double> error = absolute_error(row, simulated);
  if (!error) return std::nullopt;
  return *error / std::max(least_tolerance, tolerance_percent(row).value_or(0.0));
}

std::string family_of(const PublishedRow& row) {
  return row.whole_kernel() ? row.experiment + ' ' + row.id.substr(0, row.id.find('-')) : row.experiment;
}

std::vector<std::string> families_of(const std::vector<PublishedRow>& rows) {
  return firsts(rows, family_of);
}

std::vector<std::string> machines_of(const std::vector<PublishedRow>& rows) {
  return firsts(rows, [](const PublishedRow& row) { return row.machine; });
}

}  // namespace teslasim
