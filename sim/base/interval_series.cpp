// SPDX-License-Identifier: Apache-2.0
#include "sim/base/interval_series.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr unsigned widest_narrow = 26;

/// The three rows do not overlap.
template <typename Cell>
void add_rows(Cell* __restrict sum, const Cell* __restrict first, const Cell* __restrict second, unsigned columns) {
  for (unsigned column = 0; column < columns; ++column) sum[column] = first[column] + second[column];
}

}  // namespace

template <typename Cell>
void BasicIntervalSeries<Cell>::resize(std::size_t rows) {
  constexpr std::size_t ahead = 32;
  if (rows * columns_ > values_.size()) values_.resize((rows + ahead) * columns_);
  if (rows < rows_) values_.resize(rows * columns_);
  rows_ = rows;
  reached_ = std::uint64_t{rows} << shift_;
}

template <typename Cell>
void BasicIntervalSeries<Cell>::merge_pairs() {
  SIM_CHECK(sizeof(Cell) == sizeof(std::uint64_t) || shift_ < widest_narrow, "an interval too long for its sums");
  const std::size_t pairs = (rows() + 1) / 2;
  resize(2 * pairs);
  // The sums of a pair go where the pair or one before it was, so one pass does, row by row for the host's vector
  // units.
  for (std::size_t row = 0; row < pairs; ++row) {
    const Cell* const first = &values_[2 * row * columns_];
    const Cell* const second = first + columns_;
    Cell* const sum = &values_[row * columns_];
    if (row == 0) {
      for (unsigned column = 0; column < columns_; ++column) sum[column] += second[column];
    } else {
      add_rows(sum, first, second, columns_);
    }
  }
  ++shift_;
  resize(pairs);
}

template <typename Cell>
void BasicIntervalSeries<Cell>::make_room(SmCycle cycle) {
  SIM_CHECK(columns_ != 0, "an interval series without columns");
  while ((cycle.count() >> shift_) >= most_) merge_pairs();
  const std::size_t wanted = (cycle.count() >> shift_) + 1;
  if (wanted > rows()) resize(wanted);
}

template <typename Cell>
void BasicIntervalSeries<Cell>::spread(unsigned column, SmCycle begin, SmCycle end, std::uint64_t weight) {
  const std::uint64_t last = (end - 1).count() >> shift_;
  Cell* cell = &values_[(begin.count() >> shift_) * columns_ + column];
  Cell* const last_cell = &values_[last * columns_ + column];
  *cell += static_cast<Cell>((width() - (begin.count() & (width().count() - 1))) * weight);
  const auto whole = static_cast<Cell>(width() * weight);
  for (cell += columns_; cell != last_cell; cell += columns_) *cell += whole;
  *cell += static_cast<Cell>((end - (last << shift_)) * weight);
}

template <typename Cell>
void BasicIntervalSeries<Cell>::widen_to(SmCycle width) {
  while (this->width() < width) merge_pairs();
}

template <typename Cell>
void BasicIntervalSeries<Cell>::shrink_to(std::size_t rows) {
  while (this->rows() > rows) merge_pairs();
}

template <typename Cell>
BasicIntervalSeries<Cell>& BasicIntervalSeries<Cell>::operator+=(const BasicIntervalSeries& other) {
  SIM_CHECK(columns_ == other.columns_ && shift_ == other.shift_, "interval series of different shapes");
  if (rows() < other.rows()) resize(other.rows());
  for (std::size_t i = 0; i < other.rows_ * columns_; ++i) values_[i] += other.values_[i];
  return *this;
}

template <typename Cell>
std::uint64_t BasicIntervalSeries<Cell>::sum(unsigned column) const {
  std::uint64_t total = 0;
  for (std::size_t i = column; i < values_.size(); i += columns_) total += values_[i];
  return total;
}

template class BasicIntervalSeries<std::uint32_t>;
template class BasicIntervalSeries<std::uint64_t>;

}  // namespace teslasim
