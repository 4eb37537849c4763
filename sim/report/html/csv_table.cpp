// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/csv_table.h"

#include <algorithm>
#include <cstdlib>

namespace teslasim {
namespace {

/// The fields of one line; moves `text` behind it.
std::vector<std::string> take_line(std::string_view& text) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        fields.back() += text[++i];
      } else {
        quoted = false;
      }
      continue;
    }
    if (c == '\n') break;
    if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  text.remove_prefix(std::min(text.size(), i + 1));
  return fields;
}

}  // namespace

CsvTable CsvTable::parse(std::string_view text) {
  CsvTable table;
  if (text.empty()) return table;
  table.columns_ = take_line(text);
  while (!text.empty()) {
    table.rows_.push_back(take_line(text));
    table.rows_.back().resize(table.columns_.size());
  }
  return table;
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

double CsvTable::number(std::size_t row, std::string_view column) const {
  return std::strtod(text(row, column).c_str(), nullptr);
}

}  // namespace teslasim
