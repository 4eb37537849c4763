// SPDX-License-Identifier: Apache-2.0
// The policies that say which block slot is filled next: what each promises, for blocks of any length.
#include "sim/gpu/blocks/block_replacement/block_replacement.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/gpu/blocks/block_scheduler.h"

namespace teslasim {
namespace {

/// A block as its SM saw it.
struct Ran {
  unsigned sm;
  Femtoseconds begin, end;
};

/// A GPU whose blocks take what `lengths` says; the distributor deals whenever its policy has a slot, and learns of a
/// completion when it happens.
class Distribution {
 public:
  Distribution(const std::string& policy, std::vector<unsigned> order, unsigned ctas_per_sm, Femtoseconds replacement)
      : policy_(make_block_replacement(policy, {std::move(order), replacement})) {
    policy_->begin(ctas_per_sm);
  }

  [[nodiscard]] const BlockReplacement& policy() const { return *policy_; }

  std::vector<Ran> run(const std::vector<Femtoseconds>& lengths) {
    Femtoseconds now = 0;
    std::vector<std::size_t> running;
    while (ran_.size() < lengths.size() || !running.empty()) {
      policy_->advance(now);
      for (; ran_.size() < lengths.size() && policy_->ready(); running.push_back(ran_.size() - 1)) {
        ran_.push_back({policy_->take(), now, now + lengths[ran_.size()]});
      }
      Femtoseconds next = ran_.size() < lengths.size() ? policy_->next_time() : never;
      for (const std::size_t block : running) next = std::min(next, ran_[block].end);
      RC_ASSERT(next != never);
      RC_ASSERT(next > now);
      now = next;
      std::erase_if(running, [&](std::size_t block) {
        if (ran_[block].end > now) return false;
        policy_->completed(ran_[block].sm, block, now);
        return true;
      });
    }
    return ran_;
  }

 private:
  std::unique_ptr<BlockReplacement> policy_;
  std::vector<Ran> ran_;
};

struct Case {
  GpuLayoutSpec layout;
  unsigned ctas_per_sm;
  Femtoseconds replacement;
  std::vector<Femtoseconds> lengths;
  [[nodiscard]] std::size_t slots() const { return std::size_t{layout.tpcs} * layout.sms_per_tpc * ctas_per_sm; }
};

Case any_case() {
  Case any;
  any.layout.tpcs = *rc::gen::inRange(1U, 4U);
  any.layout.sms_per_tpc = *rc::gen::inRange(1U, 4U);
  any.layout.cta_scheduler = *rc::gen::element<std::string>("breadth_first", "depth_first");
  any.ctas_per_sm = *rc::gen::inRange(1U, 5U);
  any.replacement = *rc::gen::inRange<std::uint64_t>(0, 20);
  any.lengths = *rc::gen::container<std::vector<Femtoseconds>>(
      rc::gen::cast<Femtoseconds>(rc::gen::inRange<std::uint64_t>(1, 100)));
  return any;
}

std::vector<Ran> run(const Case& any, const std::string& policy) {
  return Distribution(policy, block_order(any.layout), any.ctas_per_sm, any.replacement).run(any.lengths);
}

RC_GTEST_PROP(BlockReplacement, no_sm_ever_has_more_blocks_than_fit, ()) {
  const Case any = any_case();
  for (const BlockReplacementRow& row : block_replacements()) {
    const std::vector<Ran> ran = run(any, std::string(row.name));
    RC_ASSERT(ran.size() == any.lengths.size());
    for (const Ran& block : ran) {
      const auto beside = std::count_if(ran.begin(), ran.end(), [&](const Ran& other) {
        return other.sm == block.sm && other.begin <= block.begin && block.begin < other.end;
      });
      RC_ASSERT(static_cast<unsigned>(beside) <= any.ctas_per_sm);
    }
  }
}

RC_GTEST_PROP(BlockReplacement, every_policy_deals_the_first_blocks_in_the_same_places, ()) {
  const Case any = any_case();
  const std::vector<unsigned> order = block_order(any.layout);
  for (const BlockReplacementRow& row : block_replacements()) {
    const std::vector<Ran> ran = run(any, std::string(row.name));
    for (std::size_t block = 0; block < std::min(any.slots(), ran.size()); ++block) {
      RC_ASSERT(ran[block].sm == order[block % order.size()]);
      RC_ASSERT(ran[block].begin == 0U);
    }
  }
}

RC_GTEST_PROP(BlockReplacement, no_block_comes_sooner_than_the_policy_promises, ()) {
  const Case any = any_case();
  for (const BlockReplacementRow& row : block_replacements()) {
    Distribution distribution(std::string(row.name), block_order(any.layout), any.ctas_per_sm, any.replacement);
    const std::vector<Ran> ran = distribution.run(any.lengths);
    for (std::size_t block = 0; block < ran.size(); ++block) {
      // In its place is one of the SM's blocks less than fit: the others have not ended, or not long enough ago.
      const auto held =
          std::count_if(ran.begin(), ran.begin() + static_cast<std::ptrdiff_t>(block), [&](const Ran& one) {
            return one.sm == ran[block].sm && one.end + distribution.policy().shortest() > ran[block].begin;
          });
      RC_ASSERT(static_cast<unsigned>(held) < any.ctas_per_sm);
      for (std::size_t before = block - std::min<std::size_t>(block, distribution.policy().apart() - 1); before < block;
           ++before) {
        RC_ASSERT(ran[before].sm != ran[block].sm);
      }
    }
  }
}

RC_GTEST_PROP(BlockReplacement, in_waves_a_group_starts_when_the_last_of_the_one_before_has_finished, ()) {
  const Case any = any_case();
  const std::vector<Ran> ran = run(any, "wave");
  Femtoseconds start = 0, end = 0;
  for (std::size_t block = 0; block < ran.size(); ++block) {
    if (block % any.slots() == 0) start = end;
    RC_ASSERT(ran[block].begin == start);
    end = std::max(end, ran[block].end);
  }
}

/// A block starts as soon as the one before it in its slot has been replaced and the block before it has started.
RC_GTEST_PROP(BlockReplacement, in_order_a_block_waits_for_its_slot_and_for_the_block_before, ()) {
  const Case any = any_case();
  const std::vector<Ran> ran = run(any, "in_order");
  for (std::size_t block = any.slots(); block < ran.size(); ++block) {
    const Ran& before = ran[block - any.slots()];
    RC_ASSERT(ran[block].sm == before.sm);
    RC_ASSERT(ran[block].begin == std::max(before.end + any.replacement, ran[block - 1].begin));
  }
}

/// While blocks are left, a slot of the GPU is empty for the time of its replacement and no longer.
RC_GTEST_PROP(BlockReplacement, per_cta_a_block_starts_when_the_first_slot_is_free, ()) {
  const Case any = any_case();
  const std::vector<Ran> ran = run(any, "per_cta");
  std::vector<Femtoseconds> free_from(any.slots(), 0);
  for (const Ran& block : ran) {
    const auto first = std::min_element(free_from.begin(), free_from.end());
    RC_ASSERT(block.begin == *first);
    *first = block.end + any.replacement;
  }
}

TEST(BlockReplacement, only_early_takes_places_that_are_given_back) {
  for (const BlockReplacementRow& row : block_replacements()) {
    const auto policy = row.make({{0}, 0});
    policy->begin(1);
    policy->take();
    if (row.name == "per_cta" || row.name == "early") {
      policy->released(0, 5);
      policy->advance(5);
      EXPECT_TRUE(policy->ready()) << row.name;
    } else {
      EXPECT_THROW(policy->released(0, 5), InternalError) << row.name;
    }
  }
}

TEST(BlockReplacement, an_unknown_policy_is_an_internal_error) {
  EXPECT_THROW((void)make_block_replacement("none", {{0}, 0}), InternalError);
}

}  // namespace
}  // namespace teslasim
