// SPDX-License-Identifier: Apache-2.0
// One by one: the next block goes to the next SM with a free slot, round robin over those that have one. Also `early`
// (Zhang & Owens 2011, section 5.2): there a slot may be given away before its block has finished.
#include <cstddef>

#include "sim/base/ring.h"
#include "sim/gpu/blocks/block_replacement/block_replacement.h"

namespace teslasim {
namespace {

class PerCta final : public BlockReplacement {
 public:
  explicit PerCta(const BlockReplacementParameters& parameters)
      : order_(parameters.order), replacement_(parameters.replacement) {}

  void begin(unsigned ctas_per_sm) override {
    free_.assign(order_.size(), ctas_per_sm);
    free_slots_ = std::size_t{ctas_per_sm} * order_.size();
    released_.assign(order_.size(), 0);
    vacancies_.clear();
    cursor_ = 0;
  }
  void completed(SmIndex sm, BlockIndex, Femtoseconds now) override {
    if (released_[sm] != 0) {
      --released_[sm];
    } else {
      vacancies_.push({now + replacement_, sm});
    }
  }
  void released(SmIndex sm, Femtoseconds now) override {
    vacancies_.push({now + replacement_, sm});
    ++released_[sm];
  }
  void advance(Femtoseconds now) override {
    for (; !vacancies_.empty() && vacancies_.front().when <= now; vacancies_.pop()) {
      ++free_[vacancies_.front().sm];
      ++free_slots_;
    }
  }
  [[nodiscard]] bool ready() const override { return free_slots_ != 0; }
  SmIndex take() override {
    while (free_[order_[cursor_]] == 0) cursor_ = (cursor_ + 1) % order_.size();
    const SmIndex sm = order_[cursor_];
    cursor_ = (cursor_ + 1) % order_.size();
    --free_[sm];
    --free_slots_;
    return sm;
  }
  [[nodiscard]] Femtoseconds shortest() const override { return replacement_; }
  [[nodiscard]] Femtoseconds next_time() const override { return vacancies_.empty() ? never : vacancies_.front().when; }

 private:
  /// A slot that will be free.
  struct Vacancy {
    Femtoseconds when = 0;
    SmIndex sm = 0;
  };

  std::vector<unsigned> order_;
  Femtoseconds replacement_;
  std::vector<unsigned> free_;      ///< block slots per SM
  std::vector<unsigned> released_;  ///< per SM: running blocks whose slots were given back
  Ring<Vacancy> vacancies_;
  std::size_t free_slots_ = 0;
  std::size_t cursor_ = 0;  ///< position in order_ of the SM to look at next
};

}  // namespace

std::unique_ptr<BlockReplacement> make_per_cta(const BlockReplacementParameters& parameters) {
  return std::make_unique<PerCta>(parameters);
}

}  // namespace teslasim
