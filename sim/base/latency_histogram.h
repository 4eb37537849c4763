// SPDX-License-Identifier: Apache-2.0
// How long something took, many times, in little space.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace teslasim {

/// Least, greatest and sum are exact; percentiles come from buckets of an eighth of a power of two, so they are up to
/// 12 % off when latencies vary, and exact when they do not. Repetitions of the last value cost one comparison.
class LatencyHistogram {
 public:
  void add(std::uint64_t value) {
    if (value == last_) {
      ++repeats_;
      return;
    }
    flush();
    last_ = value;
    repeats_ = 1;
  }

  LatencyHistogram& operator+=(const LatencyHistogram& other) {
    flush();
    const LatencyHistogram more = other.settled();
    if (more.buckets_.size() > buckets_.size()) buckets_.resize(more.buckets_.size());
    for (std::size_t i = 0; i < more.buckets_.size(); ++i) buckets_[i] += more.buckets_[i];
    if (more.count_ != 0) least_ = count_ == 0 ? more.least_ : std::min(least_, more.least_);
    greatest_ = std::max(greatest_, more.greatest_);
    count_ += more.count_;
    sum_ += more.sum_;
    return *this;
  }

  [[nodiscard]] std::uint64_t count() const { return settled().count_; }
  [[nodiscard]] std::uint64_t sum() const { return settled().sum_; }
  [[nodiscard]] std::uint64_t least() const { return settled().least_; }
  [[nodiscard]] std::uint64_t greatest() const { return settled().greatest_; }
  /// The value that `percent` percent of the values do not exceed; 0 when there are none.
  [[nodiscard]] std::uint64_t percentile(unsigned percent) const {
    const LatencyHistogram all = settled();
    const std::uint64_t wanted = (all.count_ * percent + 99) / 100;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < all.buckets_.size(); ++i) {
      seen += all.buckets_[i];
      if (seen >= wanted && seen != 0) return std::clamp(middle(i), all.least_, all.greatest_);
    }
    return 0;
  }

 private:
  static constexpr unsigned steps = 8;  ///< buckets per power of two
  static constexpr std::uint64_t exact = 2 * steps;

  [[nodiscard]] static std::size_t bucket(std::uint64_t value) {
    if (value < exact) return value;
    const auto top = static_cast<unsigned>(std::bit_width(value)) - 1;  // 4 for 16..31
    return exact + (top - 4) * steps + ((value >> (top - 3)) & (steps - 1));
  }
  [[nodiscard]] static std::uint64_t middle(std::size_t bucket) {
    if (bucket < exact) return bucket;
    const std::size_t top = (bucket - exact) / steps + 4, step = (bucket - exact) % steps;
    return ((steps + step) << (top - 3)) + ((std::uint64_t{1} << (top - 3)) >> 1);
  }

  void flush() {
    if (repeats_ == 0) return;
    const std::size_t place = bucket(last_);
    if (place >= buckets_.size()) buckets_.resize(place + 1);
    buckets_[place] += repeats_;
    least_ = count_ == 0 ? last_ : std::min(least_, last_);
    greatest_ = std::max(greatest_, last_);
    count_ += repeats_;
    sum_ += repeats_ * last_;
    repeats_ = 0;
  }
  [[nodiscard]] LatencyHistogram settled() const {
    LatencyHistogram copy = *this;
    copy.flush();
    return copy;
  }

  std::uint64_t last_ = ~std::uint64_t{0};
  std::uint64_t repeats_ = 0;
  std::uint64_t count_ = 0, sum_ = 0, least_ = 0, greatest_ = 0;
  std::vector<std::uint64_t> buckets_;
};

}  // namespace teslasim
