// SPDX-License-Identifier: Apache-2.0
// In waves: when every slot has got a block, nothing more is dealt until every running block has finished, as Collange
// 2010 (section 7) reports for C870, 9800 GX2 and T10P.
#include <cstddef>

#include "sim/gpu/blocks/block_replacement/block_replacement.h"

namespace teslasim {
namespace {

class Wave final : public BlockReplacement {
 public:
  explicit Wave(const BlockReplacementParameters& parameters) : order_(parameters.order) {}

  void begin(unsigned ctas_per_sm) override {
    slots_ = std::size_t{ctas_per_sm} * order_.size();
    given_ = running_ = 0;
  }
  void completed(SmIndex, BlockIndex, Femtoseconds) override {
    --running_;
    if (running_ == 0 && given_ == slots_) given_ = 0;
  }
  void advance(Femtoseconds) override {}
  [[nodiscard]] bool ready() const override { return given_ < slots_; }
  SmIndex take() override {
    ++running_;
    return order_[given_++ % order_.size()];
  }
  [[nodiscard]] unsigned apart() const override { return static_cast<unsigned>(order_.size()); }
  [[nodiscard]] Femtoseconds next_time() const override { return never; }

 private:
  std::vector<unsigned> order_;
  std::size_t slots_ = 0;    ///< of the GPU
  std::size_t given_ = 0;    ///< in this wave
  std::size_t running_ = 0;  ///< of this wave
};

}  // namespace

std::unique_ptr<BlockReplacement> make_wave(const BlockReplacementParameters& parameters) {
  return std::make_unique<Wave>(parameters);
}

}  // namespace teslasim
