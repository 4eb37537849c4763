// SPDX-License-Identifier: Apache-2.0
// A CSV file that this program wrote, read back as a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

class CsvTable {
 public:
  /// Fields by RFC 4180; the first line names the columns. A short line has empty fields at its end.
  static CsvTable parse(std::string_view text);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] bool has(std::string_view column) const { return index_of(column).has_value(); }
  /// "" when there is no such column.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  /// 0 when there is none, or no number.
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;

 private:
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view column) const;

  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace teslasim
