// SPDX-License-Identifier: Apache-2.0
// Which block goes to which SM, and when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/inbox.h"
#include "sim/base/types.h"
#include "sim/gpu/gpu_spec.h"

namespace teslasim {

/// Where dispatched blocks go; `when` is the time from which the SM may take the block.
class BlockReceiver {
 public:
  virtual ~BlockReceiver() = default;
  virtual void receive_block(unsigned sm, Femtoseconds when, std::uint64_t block) = 0;
};

/// The SMs in the order in which they receive blocks. `breadth_first`: one SM of each TPC before the second of any
/// (G92, GT200); `depth_first`: all SMs of a TPC before the next TPC (G80). Collange 2010, section 7.
[[nodiscard]] std::vector<unsigned> block_order(const GpuLayoutSpec& layout);

/// Stands for the chip's compute work distributor: deals the blocks of one grid in order, one per core clock cycle,
/// round robin over the SMs with a free block slot. `wave`: when all slots are filled, nothing more is dealt until
/// every running block has finished, as measured by Collange 2010 (section 7); `per_cta`: a slot is filled again as
/// soon as it is free. Not modelled: several grids at once (the chip cannot), the host's launch overhead. Time:
/// femtoseconds, at core edges.
class BlockScheduler {
 public:
  BlockScheduler(const GpuLayoutSpec& layout, BlockReceiver& receiver);

  void begin(std::uint64_t blocks, unsigned ctas_per_sm);
  /// SM `sm` finished a block; `when` is when the scheduler may know.
  void completed(unsigned sm, Femtoseconds when);
  /// Works at the core clock edge `now`; returns the next wanted time.
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool done() const { return finished_ == blocks_; }
  [[nodiscard]] std::uint64_t finished() const { return finished_; }
  [[nodiscard]] std::uint64_t dispatched() const { return next_; }
  /// When the last completion was seen.
  [[nodiscard]] Femtoseconds last_completion() const { return last_completion_; }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  struct Completion {
    Femtoseconds when = 0;
  };
  void take_completions(Femtoseconds now);
  void dispatch(Femtoseconds now);
  [[nodiscard]] bool may_dispatch() const;

  std::vector<unsigned> order_;
  bool waves_;
  Femtoseconds dispatch_latency_;
  BlockReceiver& receiver_;
  std::vector<unsigned> free_;              ///< block slots per SM
  std::vector<Inbox<Completion>> inboxes_;  ///< one per SM
  std::uint64_t blocks_ = 0, next_ = 0, finished_ = 0;
  std::uint64_t free_slots_ = 0;
  std::size_t cursor_ = 0;  ///< position in order_ of the SM to look at next
  bool draining_ = false;   ///< wave mode: all slots were filled, waiting for all blocks to finish
  Femtoseconds last_completion_ = 0;
};

}  // namespace teslasim
