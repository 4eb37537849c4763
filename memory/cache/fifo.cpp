// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/cache/replacement.h"

namespace teslasim {
namespace {

/// Sets are filled way by way, so the oldest line is the one after the newest.
class FifoReplacement final : public ReplacementPolicy {
 public:
  FifoReplacement(unsigned sets, unsigned ways) : ways_(ways), oldest_(sets) {}

  void touch(unsigned, unsigned) override {}
  void insert(unsigned set, unsigned way) override { oldest_[set] = way + 1 == ways_ ? 0 : way + 1; }
  unsigned victim(unsigned set, unsigned ways) override { return oldest_[set] < ways ? oldest_[set] : 0; }
  void reset() override { std::fill(oldest_.begin(), oldest_.end(), 0U); }

 private:
  unsigned ways_;
  std::vector<unsigned> oldest_;
};

}  // namespace

std::unique_ptr<ReplacementPolicy> make_fifo_replacement(unsigned sets, unsigned ways) {
  return std::make_unique<FifoReplacement>(sets, ways);
}

}  // namespace teslasim
