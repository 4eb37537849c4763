// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/cache/replacement.h"

namespace teslasim {
namespace {

/// A stamp per way from one counter: the smallest of a set is the one used longest ago.
class LruReplacement final : public ReplacementPolicy {
 public:
  LruReplacement(unsigned sets, unsigned ways) : ways_(ways), used_(std::size_t{sets} * ways) {}

  void touch(unsigned set, unsigned way) override { used_[std::size_t{set} * ways_ + way] = ++clock_; }
  void insert(unsigned set, unsigned way) override { touch(set, way); }
  unsigned victim(unsigned set, unsigned ways) override {
    const auto first = used_.begin() + static_cast<std::ptrdiff_t>(std::size_t{set} * ways_);
    return static_cast<unsigned>(std::min_element(first, first + ways) - first);
  }
  void reset() override {
    std::fill(used_.begin(), used_.end(), 0);
    clock_ = 0;
  }

 private:
  unsigned ways_;
  std::vector<std::uint64_t> used_;
  std::uint64_t clock_ = 0;
};

}  // namespace

std::unique_ptr<ReplacementPolicy> make_lru_replacement(unsigned sets, unsigned ways) {
  return std::make_unique<LruReplacement>(sets, ways);
}

}  // namespace teslasim
