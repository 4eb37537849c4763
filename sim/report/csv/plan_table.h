// SPDX-License-Identifier: Apache-2.0
// The table of a plan (sweep, exploration, designs): typed cells, from which table.csv is written and pages are made,
// so that a number is one from where it was counted to where it is drawn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teslasim {

/// A number with the text that it is shown as, or text.
class PlanCell {
 public:
  PlanCell() = default;  ///< nothing
  explicit PlanCell(std::string_view text);
  PlanCell(double value, int digits);  ///< shown with at most so many digits
  [[nodiscard]] static PlanCell of(const std::optional<double>& value, int digits);
  /// A value that a plan gave to a key: the one cell that begins as text. It is a number when it reads as one.
  [[nodiscard]] static PlanCell of_setting(const std::string& value);

  [[nodiscard]] const std::string& text() const { return text_; }  ///< as in table.csv
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] const std::optional<double>& number() const { return number_; }

 private:
  std::string text_;
  std::optional<double> number_;
};

class PlanTable {
 public:
  PlanTable() = default;
  explicit PlanTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  /// A short row has empty cells at its end.
  void add(std::vector<PlanCell> row);
  /// The file.
  [[nodiscard]] std::string csv() const;

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] bool has(std::string_view column) const;
  /// An empty cell when there is no such column.
  [[nodiscard]] const PlanCell& cell(std::size_t row, std::string_view column) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<PlanCell>> rows_;
};

}  // namespace teslasim
