// SPDX-License-Identifier: Apache-2.0
// A table of sums over equal intervals of time whose width doubles when the table is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

/// Rows are intervals of equal width, a power of two; columns are sums. When something happens behind the last row that
/// the table may have, neighbours are added pairwise and the width doubles. So a row holds what happened in its cycles,
/// whatever the order in which it was told and however long the run became. Memory grows with the time that has passed.
/// Units of time: those of the caller (SM cycles in this project).
template <typename Cell>
class BasicIntervalSeries {
 public:
  static constexpr unsigned first_shift = 2;  ///< the first width is 4

  BasicIntervalSeries() = default;
  /// At most `most` rows; a power of two.
  BasicIntervalSeries(unsigned columns, std::size_t most) : columns_(columns), most_(most) {}
  /// The same table with other cells.
  template <typename Other>
  explicit BasicIntervalSeries(const BasicIntervalSeries<Other>& other)
      : columns_(other.columns_),
        shift_(other.shift_),
        most_(other.most_),
        reached_(other.reached_),
        rows_(other.rows_),
        values_(other.values_.begin(), other.values_.end()) {}

  /// `weight` per cycle in the cycles [begin, end).
  void add(unsigned column, SmCycle begin, SmCycle end, std::uint64_t weight = 1) {
    if (begin >= end) return;
    reach(end - 1);
    const std::size_t row = begin.count() >> shift_;
    if (row == (end - 1).count() >> shift_) {
      values_[row * columns_ + column] += static_cast<Cell>((end - begin) * weight);
    } else {
      spread(column, begin, end, weight);
    }
  }
  /// `amount` at once in cycle `when`.
  void add_at(unsigned column, SmCycle when, std::uint64_t amount) {
    reach(when);
    values_[(when.count() >> shift_) * columns_ + column] += static_cast<Cell>(amount);
  }
  /// The sums of the interval with cycle `when`, by column, to add to at once.
  [[nodiscard]] std::span<Cell> row_with(SmCycle when) {
    reach(when);
    return {&values_[(when.count() >> shift_) * columns_], columns_};
  }
  /// `amounts` at once in cycle `when`, for the first columns.
  void add_row(SmCycle when, std::span<const std::uint64_t> amounts) {
    const std::span<Cell> row = row_with(when);
    for (std::size_t column = 0; column < amounts.size(); ++column) row[column] += static_cast<Cell>(amounts[column]);
  }
  /// Adds neighbours until the width is `width` (a power of two, at least the present one).
  void widen_to(SmCycle width);
  /// The same until there are at most `rows`.
  void shrink_to(std::size_t rows);
  /// Rows without anything are added behind the last until cycle `end - 1` is in one.
  void extend_to(SmCycle end) {
    if (end != 0) reach(end - 1);
  }
  /// Adds the table of another series of the same columns and width.
  BasicIntervalSeries& operator+=(const BasicIntervalSeries& other);

  [[nodiscard]] bool recorded() const { return columns_ != 0; }
  [[nodiscard]] unsigned columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// The first cycle for which the intervals would have to become wider.
  [[nodiscard]] SmCycle full_at() const { return std::uint64_t{most_} << shift_; }
  [[nodiscard]] SmCycle width() const { return std::uint64_t{1} << shift_; }
  [[nodiscard]] std::uint64_t at(std::size_t row, unsigned column) const { return values_[row * columns_ + column]; }
  [[nodiscard]] std::uint64_t sum(unsigned column) const;

 private:
  void reach(SmCycle cycle) {
    if (cycle >= reached_) make_room(cycle);
  }
  [[gnu::noinline]] void make_room(SmCycle cycle);
  void merge_pairs();
  void resize(std::size_t rows);
  /// Cycles of more than one row.
  [[gnu::noinline]] void spread(unsigned column, SmCycle begin, SmCycle end, std::uint64_t weight);

  unsigned columns_ = 0;
  unsigned shift_ = first_shift;
  std::size_t most_ = 0;
  SmCycle reached_ = 0;  ///< earlier cycles have a row
  std::size_t rows_ = 0;
  std::vector<Cell> values_;  ///< of more rows, which are zero: so it seldom grows

  template <typename Other>
  friend class BasicIntervalSeries;
};

using IntervalSeries = BasicIntervalSeries<std::uint64_t>;
/// Half as large, for sums of at most 32 in each cycle (warps of an SM): a row may be 2^26 cycles wide.
using NarrowIntervalSeries = BasicIntervalSeries<std::uint32_t>;

}  // namespace teslasim
