// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/report_run.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sim/report/compare/model_compare.h"

namespace teslasim {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\"");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\"") - begin + 1));
}

/// "0.5 # from: preset gtx280 | source: Collange 2010" in its parts.
ConfigurationRow row_of(const std::string& key, std::string_view rest) {
  constexpr std::string_view from = "# from: ", source = "| source: ";
  ConfigurationRow row;
  row.key = key;
  const std::size_t comment = std::min(rest.find(from), rest.size());
  row.value = trimmed(rest.substr(0, comment));
  if (comment == rest.size()) return row;
  const std::string_view origin = rest.substr(comment + from.size());
  const std::size_t bar = std::min(origin.find(source), origin.size());
  row.origin = trimmed(origin.substr(0, bar));
  if (bar != origin.size()) row.source = trimmed(origin.substr(bar + source.size()));
  return row;
}

std::vector<ConfigurationRow> rows_of(std::string_view text) {
  std::vector<ConfigurationRow> rows;
  std::string table;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with('[')) {
      table = std::string(line.substr(1, line.find(']') - 1)) + '.';
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || line.starts_with('#')) continue;
    rows.push_back(row_of(table + trimmed(line.substr(0, equals)), line.substr(equals + 1)));
  }
  return rows;
}

}  // namespace

ReportRun ReportRun::read(ReportFiles files) {
  (void)RunData::from_json(files.label, files.stats);  // says what is wrong with it
  ReportRun run;
  run.stats = JsonValue::parse(files.stats);
  run.run = JsonValue::parse(files.run);
  run.pc = CsvTable::parse(files.pc);
  run.intervals = CsvTable::parse(files.intervals);
  run.ctas = CsvTable::parse(files.ctas);
  if (!files.models.empty()) {
    run.models = JsonValue::parse(files.models);
    run.predictions = read_predictions(files.label, files.models);
  }
  run.label = std::move(files.label);
  run.configuration = rows_of(files.configuration);
  run.machines = std::move(files.machines);
  run.lanes = std::move(files.lanes);
  run.stats_text = std::move(files.stats);
  return run;
}

std::size_t ReportRun::longest() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < launches(); ++i) {
    if (launch(i)["time.cycles"].number_or(0) > launch(best)["time.cycles"].number_or(0)) best = i;
  }
  return best;
}

double ReportRun::total_ms() const {
  double sum = 0;
  for (std::size_t i = 0; i < launches(); ++i) sum += launch(i)["time.ms"].number_or(0);
  return sum;
}

double ReportRun::slots(std::string_view reason) const {
  double sum = 0;
  for (std::size_t i = 0; i < launches(); ++i) sum += launch(i)["issue_slots"][reason].number_or(0);
  return sum;
}

std::string configured(const ReportRun& run, std::string_view key) {
  for (const ConfigurationRow& row : run.configuration) {
    if (row.key == key) return row.value;
  }
  return "";
}

double configured_number(const ReportRun& run, std::string_view key) {
  return std::strtod(configured(run, key).c_str(), nullptr);
}

}  // namespace teslasim
