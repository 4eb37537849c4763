// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/block_scheduler.h"

#include <algorithm>

#include "sim/base/clock_time.h"

namespace teslasim {
namespace {
constexpr Femtoseconds shader_cycles_per_sm_cycle = 2;
}  // namespace

std::vector<unsigned> block_order(const GpuLayoutSpec& layout) {
  std::vector<unsigned> order;
  const unsigned sms = layout.tpcs * layout.sms_per_tpc;
  order.reserve(sms);
  for (unsigned i = 0; i < sms; ++i) {
    const bool depth_first = layout.cta_scheduler == "depth_first";
    order.push_back(depth_first ? i : (i % layout.tpcs) * layout.sms_per_tpc + i / layout.tpcs);
  }
  return order;
}

BlockScheduler::BlockScheduler(const GpuLayoutSpec& layout, Femtoseconds sm_period, BlockReceiver& receiver)
    : order_(block_order(layout)),
      waves_(layout.cta_replacement == "wave"),
      clock_gating_(layout.tpc_clock_gating),
      sms_per_tpc_(layout.sms_per_tpc),
      sm_period_(sm_period),
      dispatch_latency_(femtoseconds_of_ns(layout.cta_dispatch_ns)),
      completion_latency_(femtoseconds_of_ns(layout.cta_completion_ns)),
      dispatch_interval_(layout.cta_dispatch_interval_cycles * sm_period / shader_cycles_per_sm_cycle),
      replacement_(waves_ ? 0 : layout.cta_replacement_cycles * sm_period / shader_cycles_per_sm_cycle),
      receiver_(receiver),
      free_(order_.size()),
      inboxes_(order_.size(), Inbox<Completion>(2 * layout.block_slots())),
      released_(order_.size()),
      tpcs_(layout.tpcs) {}

void BlockScheduler::begin(std::uint64_t blocks, unsigned ctas_per_sm) {
  blocks_ = blocks;
  next_ = finished_ = 0;
  ctas_per_sm_ = ctas_per_sm;
  fill_slots();
  for (Inbox<Completion>& inbox : inboxes_) inbox.clear();
  std::fill(released_.begin(), released_.end(), 0U);
  vacancies_.clear();
  std::fill(tpcs_.begin(), tpcs_.end(), Tpc{});
  cursor_ = 0;
  draining_ = false;
  next_dispatch_ = 0;
  pressed_ = false;
  last_completion_ = 0;
}

/// Every slot may get a block.
void BlockScheduler::fill_slots() {
  std::fill(free_.begin(), free_.end(), ctas_per_sm_);
  free_slots_ = std::uint64_t{ctas_per_sm_} * order_.size();
}

void BlockScheduler::completed(unsigned sm, Femtoseconds when) {
  inboxes_[sm].push({when});
}

void BlockScheduler::released(unsigned sm, Femtoseconds when) {
  inboxes_[sm].push({when, true});
}

void BlockScheduler::take_completions(Femtoseconds now) {
  for (unsigned sm = 0; sm < inboxes_.size(); ++sm) {
    for (; inboxes_[sm].ready(now); inboxes_[sm].pop()) {
      if (inboxes_[sm].front().only_released) {
        vacancies_.push({now + replacement_, sm});
        ++released_[sm];
        continue;
      }
      Tpc& tpc = tpcs_[sm / sms_per_tpc_];
      --tpc.blocks;
      const Femtoseconds ended = std::max(inboxes_[sm].front().when, completion_latency_) - completion_latency_;
      tpc.idle_since = std::max(tpc.idle_since, ended / sm_period_);
      const bool given_back = released_[sm] != 0;
      if (given_back) --released_[sm];
      if (!waves_ && !given_back) vacancies_.push({now + replacement_, sm});
      ++finished_;
      last_completion_ = now;
    }
  }
  if (draining_ && finished_ == next_) {
    draining_ = false;
    fill_slots();
  }
}

void BlockScheduler::free_slots(Femtoseconds now) {
  for (; !vacancies_.empty() && vacancies_.front().when <= now; vacancies_.pop()) {
    ++free_[vacancies_.front().sm];
    ++free_slots_;
  }
}

bool BlockScheduler::may_dispatch() const {
  return next_ < blocks_ && free_slots_ != 0 && !draining_;
}

/// The counter of a TPC that had nothing to do starts again when its next block arrives.
Cycle BlockScheduler::clock_stopped_at(unsigned tpc, Femtoseconds arrival) {
  Tpc& state = tpcs_[tpc];
  const Cycle cycle = (arrival + sm_period_ - 1) / sm_period_;
  if (clock_gating_ && state.blocks == 0) state.stopped += cycle - state.idle_since;
  ++state.blocks;
  return state.stopped;
}

void BlockScheduler::dispatch(Femtoseconds now) {
  while (free_[order_[cursor_]] == 0) cursor_ = (cursor_ + 1) % order_.size();
  const unsigned sm = order_[cursor_];
  cursor_ = (cursor_ + 1) % order_.size();
  --free_[sm];
  --free_slots_;
  const Femtoseconds arrival = now + dispatch_latency_;
  receiver_.receive_block(sm, arrival, next_++, clock_stopped_at(sm / sms_per_tpc_, arrival));
  // Under pressure the interval counts from when the block was due, so that clock edges do not add up.
  next_dispatch_ = (pressed_ ? next_dispatch_ : now) + dispatch_interval_;
  if (waves_ && free_slots_ == 0) {
    draining_ = true;
    cursor_ = 0;
  }
  pressed_ = may_dispatch();
}

Femtoseconds BlockScheduler::advance(Femtoseconds now) {
  take_completions(now);
  free_slots(now);
  if (may_dispatch() && now >= next_dispatch_) dispatch(now);
  Femtoseconds wanted = vacancies_.empty() ? never : vacancies_.front().when;
  if (may_dispatch()) wanted = std::min(wanted, std::max(next_dispatch_, now + 1));
  // Completions are announced ahead of time: one that is already here must be taken when it is due, not at the next
  // deal.
  for (const Inbox<Completion>& inbox : inboxes_) wanted = std::min(wanted, inbox.next_time());
  return wanted;
}

void BlockScheduler::describe_pending(std::vector<std::string>& lines) const {
  if (done()) return;
  lines.push_back("block scheduler: " + std::to_string(finished_) + " of " + std::to_string(blocks_) +
                  " CTAs finished, " + std::to_string(next_ - finished_) + " running");
}

}  // namespace teslasim
