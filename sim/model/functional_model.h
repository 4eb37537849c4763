// SPDX-License-Identifier: Apache-2.0
// Executes a launch without time: one block after the other, the warps of a block in turn between barriers; on several
// threads of the host with the same outcome.
//
// For checking results quickly and for counts that need no clock. Cycles and slots stay empty, and so do the statistics
// of global and local memory unless coalescing rules are given; LaunchStatistics::timed is false. %clock reads the
// number of warp instructions issued so far. Blocks do not overlap, so a program in which one block waits for another
// never ends here (RunControl::watch can interrupt).
#pragma once

#include <set>

#include "memory/tpc/coalescer.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/launch.h"
#include "sim/exec/run_control.h"
#include "sim/model/kernel_profile.h"

namespace teslasim {

struct FunctionalOptions {
  unsigned divergence_stack = 64;  ///< entries per warp
  unsigned limited_calls = 32768;  ///< active limited calls per warp
  unsigned access_group = 16;      ///< lanes served together by shared and constant memory
  unsigned banks = 16;             ///< of shared memory
  bool finished_warps_hold_barriers = false;
  const CoalescingRules* coalescing = nullptr;  ///< set: global and local accesses are coalesced and counted
  KernelProfile* profile = nullptr;             ///< set (with `coalescing`): filled for analytical models
  StreamFactory stream{};                       ///< what the warps run instead of executing: recording, replay
  /// Of the host. Blocks run at once where nothing shows it: kernels without atomics and clock, whose blocks turn out
  /// not to meet in global memory; others run in order. Not with `profile`, nor with a `stream` that records or
  /// replays.
  unsigned threads = 1;
  /// Kernels whose blocks met, or went wrong: for them it is not tried again. Null: not remembered.
  std::set<const Kernel*>* dependent = nullptr;
};

/// Runs `launch` to its end, to a kernel error, to a dead end, or until `control` stops it. Here `max_shader_cycles`
/// limits warp instructions.
[[nodiscard]] LaunchOutcome run_functional(const Launch& launch, const FunctionalOptions& options,
                                           const RunControl& control);

}  // namespace teslasim
