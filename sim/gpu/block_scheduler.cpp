// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/block_scheduler.h"

#include <algorithm>
#include <cmath>

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

BlockScheduler::BlockScheduler(const GpuLayoutSpec& layout, BlockReceiver& receiver)
    : order_(block_order(layout)),
      waves_(layout.cta_replacement == "wave"),
      dispatch_latency_(static_cast<Femtoseconds>(std::llround(layout.cta_dispatch_ns * 1e6))),
      receiver_(receiver),
      free_(order_.size()),
      inboxes_(order_.size(), Inbox<Completion>(layout.max_ctas_per_sm)) {}

void BlockScheduler::begin(std::uint64_t blocks, unsigned ctas_per_sm) {
  blocks_ = blocks;
  next_ = finished_ = 0;
  std::fill(free_.begin(), free_.end(), ctas_per_sm);
  for (Inbox<Completion>& inbox : inboxes_) inbox.clear();
  free_slots_ = std::uint64_t{ctas_per_sm} * order_.size();
  cursor_ = 0;
  draining_ = false;
  last_completion_ = 0;
}

void BlockScheduler::completed(unsigned sm, Femtoseconds when) {
  inboxes_[sm].push({when});
}

void BlockScheduler::take_completions(Femtoseconds now) {
  for (std::size_t sm = 0; sm < inboxes_.size(); ++sm) {
    for (; inboxes_[sm].ready(now); inboxes_[sm].pop()) {
      ++free_[sm];
      ++free_slots_;
      ++finished_;
      last_completion_ = now;
    }
  }
  if (finished_ == next_) draining_ = false;
}

bool BlockScheduler::may_dispatch() const {
  return next_ < blocks_ && free_slots_ != 0 && !draining_;
}

void BlockScheduler::dispatch(Femtoseconds now) {
  while (free_[order_[cursor_]] == 0) cursor_ = (cursor_ + 1) % order_.size();
  const unsigned sm = order_[cursor_];
  cursor_ = (cursor_ + 1) % order_.size();
  --free_[sm];
  --free_slots_;
  receiver_.receive_block(sm, now + dispatch_latency_, next_++);
  if (waves_ && free_slots_ == 0) {
    draining_ = true;
    cursor_ = 0;
  }
}

Femtoseconds BlockScheduler::advance(Femtoseconds now) {
  take_completions(now);
  if (may_dispatch()) dispatch(now);
  if (may_dispatch()) return now + 1;
  Femtoseconds wanted = never;
  for (const Inbox<Completion>& inbox : inboxes_) wanted = std::min(wanted, inbox.next_time());
  return wanted;
}

void BlockScheduler::describe_pending(std::vector<std::string>& lines) const {
  if (done()) return;
  lines.push_back("block scheduler: " + std::to_string(finished_) + " of " + std::to_string(blocks_) +
                  " CTAs finished, " + std::to_string(next_ - finished_) + " running");
}

}  // namespace teslasim
