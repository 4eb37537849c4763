// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/blocks/block_scheduler.h"

#include <algorithm>

#include "sim/base/clock_time.h"

namespace teslasim {

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
    : replacement_(make_block_replacement(
          layout.cta_replacement,
          {block_order(layout), layout.cta_replacement_cycles * sm_period / sp_cycles_per_sm_cycle})),
      clock_gating_(layout.tpc_clock_gating),
      sms_per_tpc_(layout.sms_per_tpc),
      sm_period_(sm_period),
      dispatch_latency_(femtoseconds_of_ns(layout.cta_dispatch_ns)),
      completion_latency_(femtoseconds_of_ns(layout.cta_completion_ns)),
      dispatch_interval_(layout.cta_dispatch_interval_cycles * sm_period / sp_cycles_per_sm_cycle),
      receiver_(receiver),
      inboxes_(std::size_t{layout.tpcs} * layout.sms_per_tpc, Inbox<Completion>(2 * layout.block_slots())),
      tpcs_(layout.tpcs) {}

void BlockScheduler::begin(BlockRange blocks, unsigned ctas_per_sm, std::vector<Femtoseconds>* ends) {
  first_ = next_ = blocks.first;
  end_ = blocks.end;
  finished_ = 0;
  ends_ = ends;
  replacement_->begin(ctas_per_sm);
  for (Inbox<Completion>& inbox : inboxes_) inbox.clear();
  std::fill(tpcs_.begin(), tpcs_.end(), Tpc{});
  next_dispatch_ = 0;
  pressed_ = false;
  last_completion_ = 0;
  soonest_ = never;
}

void BlockScheduler::completed(SmIndex sm, BlockIndex block, Femtoseconds when) {
  inboxes_[sm].push({when, block, false});
  soonest_ = std::min(soonest_, when);
}

void BlockScheduler::released(SmIndex sm, Femtoseconds when) {
  inboxes_[sm].push({when, 0, true});
  soonest_ = std::min(soonest_, when);
}

void BlockScheduler::take_completions(Femtoseconds now) {
  if (soonest_ > now) return;
  soonest_ = never;
  for (SmIndex sm = 0; sm < inboxes_.size(); ++sm) {
    for (; inboxes_[sm].ready(now); inboxes_[sm].pop()) {
      const Completion& completion = inboxes_[sm].front();
      if (completion.only_released) {
        replacement_->released(sm, now);
        continue;
      }
      replacement_->completed(sm, completion.block, now);
      Tpc& tpc = tpcs_[sm / sms_per_tpc_];
      --tpc.blocks;
      const Femtoseconds ended = std::max(completion.when, completion_latency_) - completion_latency_;
      tpc.idle_since = std::max<SmCycle>(tpc.idle_since, ended / sm_period_);
      ++finished_;
      if (ends_ != nullptr) ends_->push_back(completion.when);
      last_completion_ = now;
    }
    soonest_ = std::min(soonest_, inboxes_[sm].next_time());
  }
}

bool BlockScheduler::may_dispatch() const {
  return next_ < end_ && replacement_->ready();
}

/// The counter of a TPC that had nothing to do starts again when its next block arrives.
SmCycle BlockScheduler::clock_stopped_at(unsigned tpc, Femtoseconds arrival) {
  Tpc& state = tpcs_[tpc];
  const SmCycle cycle = (arrival + sm_period_ - 1) / sm_period_;
  if (clock_gating_ && state.blocks == 0) state.stopped += cycle - state.idle_since;
  ++state.blocks;
  return state.stopped;
}

void BlockScheduler::dispatch(Femtoseconds now) {
  const SmIndex sm = replacement_->take();
  const Femtoseconds arrival = now + dispatch_latency_;
  receiver_.receive_block(sm, arrival, next_++, clock_stopped_at(sm / sms_per_tpc_, arrival));
  // Under pressure the interval counts from when the block was due, so that clock edges do not add up.
  next_dispatch_ = (pressed_ ? next_dispatch_ : now) + dispatch_interval_;
  pressed_ = may_dispatch();
  if (next_ != end_) return;
  for (SmIndex other = 0; other < inboxes_.size(); ++other) receiver_.receive_end_of_grid(other);
}

Femtoseconds BlockScheduler::advance(Femtoseconds now) {
  take_completions(now);
  replacement_->advance(now);
  if (may_dispatch() && now >= next_dispatch_) dispatch(now);
  Femtoseconds wanted = never;
  if (next_ < end_) wanted = replacement_->ready() ? std::max(next_dispatch_, now + 1) : replacement_->next_time();
  // Completions are announced ahead of time: one that is already here must be taken when it is due, not at the next
  // deal.
  return std::min(wanted, soonest_);
}

void BlockScheduler::describe_pending(std::vector<std::string>& lines) const {
  if (done()) return;
  lines.push_back("block scheduler: " + std::to_string(finished_) + " of " + std::to_string(end_ - first_) +
                  " blocks finished, " + std::to_string(dispatched() - finished_) + " running");
}

}  // namespace teslasim
