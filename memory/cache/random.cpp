// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "memory/cache/replacement.h"

namespace teslasim {
namespace {

class RandomReplacement final : public ReplacementPolicy {
 public:
  void touch(unsigned, unsigned) override {}
  void insert(unsigned, unsigned) override {}
  unsigned victim(unsigned, unsigned ways) override {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % ways;
  }
  void reset() override { state_ = start; }

 private:
  static constexpr std::uint32_t start = 2463534242U;  ///< Marsaglia 2003, xorshift
  std::uint32_t state_ = start;
};

}  // namespace

std::unique_ptr<ReplacementPolicy> make_random_replacement(unsigned, unsigned) {
  return std::make_unique<RandomReplacement>();
}

}  // namespace teslasim
