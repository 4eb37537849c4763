// SPDX-License-Identifier: Apache-2.0
// What an SM is built from, and what it is given for a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/transaction.h"
#include "sim/base/interval_statistics.h"
#include "sim/base/launch_statistics.h"
#include "sim/exec/launch.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/blocks/block_slots.h"
#include "sim/sm/instruction_timing.h"
#include "sim/sm/issue/scoreboard.h"
#include "sim/sm/memory/line_link.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/observer.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// Told when all warps of `block` have finished; `when` is the SM's time of the first cycle without the block.
class BlockCompletionReceiver {
 public:
  virtual ~BlockCompletionReceiver() = default;
  virtual void block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) = 0;
  /// With early release, before the completion of the same block: its place may be given to another one.
  virtual void block_released(SmIndex /*sm*/, Femtoseconds /*when*/) {}
};

/// How far an SM may go on beyond the quantum.
struct SmReach {
  SmCycle furthest = 0;
  SmCycle sent_from = 0;  ///< what others will still send it, they send in this cycle or later
};

/// How long what comes to the SM is at least under way, in whole SM cycles.
struct SmIncoming {
  SmCycle blocks = 0, responses = 0, credits = 0, lines = 0;
};

/// What an SM is built from.
struct SmParameters {
  const SmSpec* spec = nullptr;
  CoalescingRules coalescing{};
  MemoryLink link;
  LineLink lines;  ///< to the second-level cache; its receiver comes with the launch
  SmIncoming incoming{};
  unsigned warp_slots = 32;
  unsigned block_slots = 8;
  unsigned block_launch_cycles = 8;  ///< SM cycles to set up one block
  bool early_release = false;        ///< give a block's place back when half of its warps have finished
  bool sleeping = true;              ///< false: tick every cycle while a block is resident (never changes a result)
};

/// What all SMs share during a launch. Immutable but for the counters.
struct SmLaunch {
  const Launch* launch = nullptr;
  const std::vector<InstructionTiming>* timing = nullptr;
  std::vector<PcStatistics>* pcs = nullptr;
  WarpStream* stream = nullptr;        ///< this SM's own
  SmStatistics* statistics = nullptr;  ///< this SM's own
  TransactionReceiver* memory = nullptr;
  BlockCompletionReceiver* completion = nullptr;
  LineReceiver* lines = nullptr;              ///< may be null when both first-level caches are ideal
  unsigned block_limit = 1;                   ///< blocks that fit, for early release
  BlockPace block_pace{};                     ///< when further blocks may come
  Address code = 0;                           ///< device address of the kernel's first instruction
  ProfilerCounters* sm_profile = nullptr;     ///< where the SM that the profiler watches counts, else null
  ProfilerCounters* tpc_profile = nullptr;    ///< the same for the SMs of the TPC that it watches
  SmObserver* observer = nullptr;             ///< told what happens here; null: nobody
  NarrowIntervalSeries* intervals = nullptr;  ///< where slots are counted over time; null: nowhere
  /// Where the stream describes what an instruction did, until its record holds what the units need. SMs that run one
  /// after the other may share it, which keeps it in the host's cache; null: the SM has its own.
  WarpInst* performed = nullptr;
  Scoreboard::Sets register_sets = Scoreboard::Sets::any;  ///< those of `timing`
};

}  // namespace teslasim
