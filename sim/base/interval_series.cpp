// SPDX-License-Identifier: Apache-2.0
#include "sim/base/interval_series.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim {

void IntervalSeries::merge_pairs() {
  const std::size_t pairs = (rows() + 1) / 2;
  for (std::size_t row = 0; row < pairs; ++row) {
    for (unsigned column = 0; column < columns_; ++column) {
      const std::size_t first = 2 * row * columns_ + column;
      const std::uint64_t second = 2 * row + 1 < rows() ? values_[first + columns_] : 0;
      values_[row * columns_ + column] = values_[first] + second;
    }
  }
  values_.resize(pairs * columns_);
  ++shift_;
}

void IntervalSeries::make_room(Cycle cycle) {
  SIM_CHECK(columns_ != 0, "an interval series without columns");
  while ((cycle >> shift_) >= most_) merge_pairs();
  const std::size_t wanted = ((cycle >> shift_) + 1) * columns_;
  if (wanted > values_.size()) values_.resize(wanted);
}

void IntervalSeries::spread(unsigned column, Cycle begin, Cycle end, std::uint64_t weight) {
  while (begin < end) {
    const std::size_t row = begin >> shift_;
    const Cycle stop = std::min<Cycle>(end, (row + 1) << shift_);
    values_[row * columns_ + column] += (stop - begin) * weight;
    begin = stop;
  }
}

void IntervalSeries::widen_to(Cycle width) {
  while (this->width() < width) merge_pairs();
}

void IntervalSeries::shrink_to(std::size_t rows) {
  while (this->rows() > rows) merge_pairs();
}

IntervalSeries& IntervalSeries::operator+=(const IntervalSeries& other) {
  SIM_CHECK(columns_ == other.columns_ && shift_ == other.shift_, "interval series of different shapes");
  if (values_.size() < other.values_.size()) values_.resize(other.values_.size());
  for (std::size_t i = 0; i < other.values_.size(); ++i) values_[i] += other.values_[i];
  return *this;
}

std::uint64_t IntervalSeries::sum(unsigned column) const {
  std::uint64_t total = 0;
  for (std::size_t i = column; i < values_.size(); i += columns_) total += values_[i];
  return total;
}

}  // namespace teslasim
