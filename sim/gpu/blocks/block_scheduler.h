// SPDX-License-Identifier: Apache-2.0
// Which block goes to which SM, and when.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/inbox.h"
#include "sim/base/types.h"
#include "sim/exec/run_control.h"
#include "sim/gpu/blocks/block_replacement/block_replacement.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// Where dispatched blocks go; `when` is the time from which the SM may take the block, `clock_stopped` the SM cycles
/// for which the clock counter of its TPC has stood still by then.
class BlockReceiver {
 public:
  virtual ~BlockReceiver() = default;
  virtual void receive_block(SmIndex sm, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) = 0;
  /// All blocks have been sent. Takes no time: it lets the simulation know what cannot happen.
  virtual void receive_end_of_grid(SmIndex /*sm*/) {}
};

/// The SMs in the order in which they receive blocks. `breadth_first`: one SM of each TPC before the second of any
/// (G92, GT200); `depth_first`: all SMs of a TPC before the next TPC (G80). Collange 2010, section 7.
[[nodiscard]] std::vector<unsigned> block_order(const GpuLayoutSpec& layout);

/// Stands for the chip's block scheduler: deals the blocks of one grid in order, one per
/// `cta_dispatch_interval_cycles` (Ye 2009, table 4: an empty kernel takes 16 SP cycles more for each block), to the
/// SMs that its policy of replacement names (`cta_replacement`, see block_replacement/README.md). The clock counter of
/// a TPC stops while it has no work (Collange 2010, section 7): the scheduler knows when, and passes it on with the
/// next block. Not modelled: several grids at once (the chip cannot). Time: femtoseconds, at core edges.
class BlockScheduler {
 public:
  /// `sm_period`: length of an SM cycle, two SP cycles.
  BlockScheduler(const GpuLayoutSpec& layout, Femtoseconds sm_period, BlockReceiver& receiver);

  /// `ends`: gets the time at which each block ended, as the scheduler learns it; has room for all, or null.
  void begin(BlockRange blocks, unsigned ctas_per_sm, std::vector<Femtoseconds>* ends = nullptr);
  /// SM `sm` has finished `block`; the scheduler learns of it at `when`.
  void completed(SmIndex sm, BlockIndex block, Femtoseconds when);
  /// A block of SM `sm` gave its place back before it finished (`early`).
  void released(SmIndex sm, Femtoseconds when);
  /// From the end of a block on its SM until another one comes there in its place, at the earliest.
  [[nodiscard]] Femtoseconds shortest_replacement() const {
    return completion_latency_ + replacement_->shortest() + dispatch_latency_;
  }
  /// Between the arrivals of two blocks at one SM, at the least. A block is dealt up to a core cycle late.
  [[nodiscard]] Femtoseconds shortest_spacing(Femtoseconds core_period) const {
    const Femtoseconds spacing = replacement_->apart() * dispatch_interval_;
    return spacing > core_period ? spacing - core_period : Femtoseconds{0};
  }
  /// SM cycles for which the clock counter of a TPC has stood still so far, until its last block was sent.
  [[nodiscard]] SmCycle clock_stopped(unsigned tpc) const { return tpcs_[tpc].stopped; }
  /// Works at the core clock edge `now`; returns the next wanted time.
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool done() const { return first_ + finished_ == end_; }
  [[nodiscard]] std::uint64_t finished() const { return finished_; }
  [[nodiscard]] std::uint64_t dispatched() const { return next_ - first_; }
  /// When the last completion was seen.
  [[nodiscard]] Femtoseconds last_completion() const { return last_completion_; }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  struct Completion {
    Femtoseconds when = 0;
    BlockIndex block = 0;
    bool only_released = false;  ///< the block still runs
  };
  struct Tpc {
    unsigned blocks = 0;     ///< sent and not known to have finished
    SmCycle idle_since = 0;  ///< SM cycle in which its last block ended
    SmCycle stopped = 0;
  };
  void take_completions(Femtoseconds now);
  void dispatch(Femtoseconds now);
  [[nodiscard]] bool may_dispatch() const;
  [[nodiscard]] SmCycle clock_stopped_at(unsigned tpc, Femtoseconds arrival);

  std::unique_ptr<BlockReplacement> replacement_;
  bool clock_gating_;
  unsigned sms_per_tpc_;
  Femtoseconds sm_period_;
  Femtoseconds dispatch_latency_, completion_latency_, dispatch_interval_;
  BlockReceiver& receiver_;
  std::vector<Inbox<Completion>> inboxes_;  ///< one per SM
  Femtoseconds soonest_ = never;            ///< of the oldest in each inbox
  std::vector<Tpc> tpcs_;
  Femtoseconds next_dispatch_ = 0;
  bool pressed_ = false;                          ///< another block could have been sent with the last
  std::uint64_t first_ = 0, end_ = 0, next_ = 0;  ///< blocks of the grid
  std::uint64_t finished_ = 0;
  std::vector<Femtoseconds>* ends_ = nullptr;
  Femtoseconds last_completion_ = 0;
};

}  // namespace teslasim
