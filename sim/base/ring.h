// SPDX-License-Identifier: Apache-2.0
// A first-in first-out queue that allocates only when it grows beyond its largest size so far.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace teslasim {

/// For queues whose bound is kept elsewhere (credits, tables): pushing never fails.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity = 16)
      : items_(std::bit_ceil(capacity < 2 ? std::size_t{2} : capacity)), mask_(items_.size() - 1) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] T& front() { return items_[head_]; }
  [[nodiscard]] const T& front() const { return items_[head_]; }
  [[nodiscard]] const T& at(std::size_t index) const { return items_[(head_ + index) & mask_]; }
  void pop() {
    --count_;
    // As an Inbox: an empty queue starts again at its first place.
    head_ = count_ == 0 ? 0 : (head_ + 1) & mask_;
  }
  void push(const T& item) {
    if (count_ > mask_) grow();
    items_[(head_ + count_) & mask_] = item;
    ++count_;
  }
  void clear() { head_ = count_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(items_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) larger[i] = at(i);
    items_.swap(larger);
    mask_ = items_.size() - 1;
    head_ = 0;
  }

  std::vector<T> items_;
  std::size_t mask_;  ///< their number is a power of two
  std::size_t head_ = 0;
  std::size_t count_ = 0;
};

}  // namespace teslasim
