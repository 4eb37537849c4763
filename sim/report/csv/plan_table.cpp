// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/plan_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/base/csv.h"
#include "sim/base/excerpt.h"

namespace teslasim {

PlanCell::PlanCell(std::string_view text) : text_(printable_lines(text)) {}

PlanCell::PlanCell(double value, int digits) : text_(fmt::format("{:.{}g}", value, digits)), number_(value) {}

PlanCell PlanCell::of(const std::optional<double>& value, int digits) {
  return value ? PlanCell(*value, digits) : PlanCell();
}

PlanCell PlanCell::of_setting(const std::string& value) {
  PlanCell cell{std::string_view(value)};
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (!value.empty() && *end == '\0') cell.number_ = number;
  return cell;
}

void PlanTable::add(std::vector<PlanCell> row) {
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

std::string PlanTable::csv() const {
  std::string text = csv_row(columns_);
  for (const std::vector<PlanCell>& row : rows_) {
    std::vector<std::string> fields;
    for (const PlanCell& cell : row) fields.push_back(cell.text());
    text += csv_row(fields);
  }
  return text;
}

bool PlanTable::has(std::string_view column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

const PlanCell& PlanTable::cell(std::size_t row, std::string_view column) const {
  static const PlanCell none;
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end() || row >= rows_.size()) return none;
  return rows_[row][static_cast<std::size_t>(found - columns_.begin())];
}

}  // namespace teslasim
