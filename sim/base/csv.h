// SPDX-License-Identifier: Apache-2.0
// Comma-separated values as in RFC 4180: the one writer and the one reader. Lines are written with line feeds alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teslasim {

/// A field: quoted when it contains a comma, a quote or a line end; quotes are doubled.
[[nodiscard]] std::string csv_field(std::string_view text);
/// The fields joined by commas, ending in a newline.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& fields);

/// A cell without its quotes, and which bytes of the text it was read from.
struct CsvCell {
  std::string text;
  std::size_t begin = 0, length = 0;
  bool closed = true;  ///< its quotes, if it has any
};

struct CsvRecord {
  std::vector<CsvCell> cells;  ///< at least one
  std::size_t length = 0;      ///< bytes of the text, with the line end
  bool closed = true;          ///< each of them
};

/// The first record of `text`: a line, or more where quotes hold line ends.
[[nodiscard]] CsvRecord read_csv_record(std::string_view text);
/// The texts of its cells.
[[nodiscard]] std::vector<std::string> csv_fields(std::string_view text);

/// A table of text with named columns: what a CSV file of this program holds.
class CsvTable {
 public:
  CsvTable() = default;
  explicit CsvTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  /// The first line names the columns. A short line has empty fields at its end.
  static CsvTable parse(std::string_view text);
  /// A short row has empty fields at its end.
  void add(std::vector<std::string> row);
  /// The file.
  [[nodiscard]] std::string csv() const;

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// A field for each column. Precondition: row < rows().
  [[nodiscard]] const std::vector<std::string>& row(std::size_t row) const { return rows_[row]; }
  [[nodiscard]] bool has(std::string_view column) const { return index_of(column).has_value(); }
  /// "" when there is no such column.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  /// 0 when there is none, or no number of the kind.
  [[nodiscard]] std::uint64_t whole(std::size_t row, std::string_view column) const;
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;

 private:
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view column) const;

  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace teslasim
