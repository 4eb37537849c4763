// SPDX-License-Identifier: Apache-2.0
// Executes blocks of a launch one after the other, without time, and counts what they do.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "memory/tpc/texture_segments.h"
#include "sim/exec/barrier.h"
#include "sim/exec/execution_stream.h"
#include "sim/model/functional_model.h"
#include "sim/model/kernel_profile.h"

namespace teslasim {

/// What is watched of a thread of the host that runs blocks beside others.
struct ThreadWatch {
  MemoryFootprint footprint;
  PartialBarriers partial_barriers{};
};

/// Stands for nothing in hardware: the warps of a block in turn, each until it waits at a barrier or ends. One thread
/// of the host uses it. Not modelled: time; blocks that overlap.
class BlockRunner {
 public:
  /// All outlive this object; `watched` is null unless other threads run blocks, too.
  BlockRunner(const Launch& launch, const FunctionalOptions& options, const RunControl& control,
              ThreadWatch* watched = nullptr);

  /// Runs one block to its end, unless an error, a dead end, a limit or `control` stops it: then `going_on` is false.
  void run_block(BlockIndex block);
  [[nodiscard]] bool going_on() const { return outcome_.statistics.status == RunStatus::ok; }
  /// Warp instructions so far.
  [[nodiscard]] std::uint64_t issued() const { return issued_; }
  [[nodiscard]] std::uint64_t blocks_done() const { return outcome_.statistics.ctas_done; }
  [[nodiscard]] RunStatus status() const { return outcome_.statistics.status; }

  /// Adds what another one ran of the same launch.
  void take_over(const BlockRunner& other);
  /// From outside: the run must stop.
  void interrupt() { outcome_.statistics.status = RunStatus::interrupted; }
  /// What was counted, summed up. Call once, at the end.
  [[nodiscard]] LaunchOutcome finish();

 private:
  struct Passes {
    unsigned all = 0, replays = 0;
  };

  void run_warps(BlockIndex block);
  LaneMask run_warp(unsigned warp);
  LaneMask finish_warp(LaneMask warp);
  void count(unsigned warp);
  std::uint64_t count_access(const MemoryAccess& access, CoalescingStatistics& statistics);
  Passes count_passes(const OnChipAccess& access, OnChipStatistics& statistics, bool shared);
  bool watch();
  void sum_up();
  CoalescingStatistics& traffic_of(const Instruction& instruction);
  void report_stuck(BlockIndex block);

  const Launch& launch_;
  const FunctionalOptions& options_;
  const RunControl& control_;
  unsigned warps_;
  std::unique_ptr<WarpStream> stream_;
  BlockBarriers barriers_;
  WarpInst record_;
  LaneMask unfinished_ = 0;
  std::vector<std::uint32_t> last_pc_;
  std::uint64_t issued_ = 0;
  std::uint64_t next_watch_ = 0;
  std::uint64_t active_lanes_ = 0;
  std::optional<ProfileRecorder> recorder_;
  std::array<CoalescedTransaction, max_texture_segments> transactions_;
  LaunchOutcome outcome_;
};

}  // namespace teslasim
