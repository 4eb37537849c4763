// SPDX-License-Identifier: Apache-2.0
#include "sim/base/csv.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "sim/base/excerpt.h"

namespace teslasim {

std::string csv_field(std::string_view field) {
  const std::string text = printable_lines(field);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + '"';
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) row += ',';
    row += csv_field(fields[i]);
  }
  return row + '\n';
}

namespace {

/// Reads the cell that begins at `begin`: up to a comma or a line end that no quotes hold.
CsvCell read_cell(std::string_view text, std::size_t begin) {
  CsvCell cell;
  cell.begin = begin;
  bool quoted = false;
  std::size_t at = begin;
  for (; at < text.size() && (quoted || (text[at] != ',' && text[at] != '\n')); ++at) {
    const bool doubled = quoted && text.substr(at, 2) == "\"\"";
    if (doubled) ++at;
    if (text[at] == '"' && !doubled) {
      quoted = !quoted;
    } else if (quoted || text[at] != '\r') {
      cell.text += text[at];
    }
  }
  cell.closed = !quoted;
  cell.length = at - begin;
  return cell;
}

}  // namespace

CsvRecord read_csv_record(std::string_view text) {
  CsvRecord record;
  std::size_t at = 0;
  do {
    record.cells.push_back(read_cell(text, at));
    record.closed = record.closed && record.cells.back().closed;
    at += record.cells.back().length + 1;
  } while (at <= text.size() && text[at - 1] == ',');
  record.length = std::min(at, text.size());
  return record;
}

std::vector<std::string> csv_fields(std::string_view text) {
  std::vector<std::string> fields;
  for (CsvCell& cell : read_csv_record(text).cells) fields.push_back(std::move(cell.text));
  return fields;
}

CsvTable CsvTable::parse(std::string_view text) {
  CsvTable table;
  for (bool first = true; !text.empty(); first = false) {
    CsvRecord record = read_csv_record(text);
    text.remove_prefix(record.length);
    std::vector<std::string>& row = first ? table.columns_ : table.rows_.emplace_back();
    for (CsvCell& cell : record.cells) row.push_back(std::move(cell.text));
    row.resize(table.columns_.size());
  }
  return table;
}

void CsvTable::add(std::vector<std::string> row) {
  for (std::string& field : row) field = printable_lines(field);
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

std::string CsvTable::csv() const {
  std::string text = csv_row(columns_);
  for (const std::vector<std::string>& row : rows_) text += csv_row(row);
  return text;
}

std::optional<std::size_t> CsvTable::index_of(std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

const std::string& CsvTable::text(std::size_t row, std::string_view column) const {
  static const std::string none;
  const std::optional<std::size_t> index = index_of(column);
  return index && row < rows_.size() ? rows_[row][*index] : none;
}

std::uint64_t CsvTable::whole(std::size_t row, std::string_view column) const {
  const std::string& digits = text(row, column);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() ? value : 0;
}

double CsvTable::number(std::size_t row, std::string_view column) const {
  return std::strtod(text(row, column).c_str(), nullptr);
}

}  // namespace teslasim
