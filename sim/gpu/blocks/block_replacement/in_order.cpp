// SPDX-License-Identifier: Apache-2.0
// In order: the slots of the GPU stand in a ring, in the order in which they got their first blocks, and the next block
// waits for the slot whose turn it is, whatever others are free. The distribution is round robin however long blocks
// take, and a long block holds back its successor in the slot and all blocks behind that (Collange 2010, section 7, saw
// both); blocks of equal length are replaced one by one (Volkov 2016), so that copies reach their published bandwidth.
// Why this reading: docs/decisions/0063-blocks-in-order.md.
#include <cstddef>

#include "sim/gpu/blocks/block_replacement/block_replacement.h"

namespace teslasim {
namespace {

class InOrder final : public BlockReplacement {
 public:
  explicit InOrder(const BlockReplacementParameters& parameters)
      : order_(parameters.order), replacement_(parameters.replacement) {}

  void begin(unsigned ctas_per_sm) override {
    free_from_.assign(std::size_t{ctas_per_sm} * order_.size(), 0);
    next_ = 0;
    now_ = 0;
  }
  void completed(SmIndex, BlockIndex block, Femtoseconds now) override {
    free_from_[block % free_from_.size()] = now + replacement_;
  }
  void advance(Femtoseconds now) override { now_ = now; }
  [[nodiscard]] bool ready() const override { return free_from_[next_] <= now_; }
  SmIndex take() override {
    const std::size_t slot = next_;
    free_from_[slot] = never;
    next_ = (next_ + 1) % free_from_.size();
    return order_[slot % order_.size()];
  }
  [[nodiscard]] Femtoseconds shortest() const override { return replacement_; }
  [[nodiscard]] unsigned apart() const override { return static_cast<unsigned>(order_.size()); }
  [[nodiscard]] Femtoseconds next_time() const override { return free_from_[next_]; }

 private:
  std::vector<unsigned> order_;
  Femtoseconds replacement_;
  std::vector<Femtoseconds> free_from_;  ///< per slot of the GPU; `never` while its block runs
  std::size_t next_ = 0;                 ///< slot whose turn it is
  Femtoseconds now_ = 0;
};

}  // namespace

std::unique_ptr<BlockReplacement> make_in_order(const BlockReplacementParameters& parameters) {
  return std::make_unique<InOrder>(parameters);
}

}  // namespace teslasim
