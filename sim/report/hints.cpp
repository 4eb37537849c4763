// SPDX-License-Identifier: Apache-2.0
#include "sim/report/hints.h"

#include <array>

namespace teslasim {
namespace {

double share(const LaunchStatistics& launch, SlotReason reason) {
  const auto total = static_cast<double>(launch.slots.sum());
  return total > 0.0 ? static_cast<double>(launch.slots[reason]) / total : 0.0;
}

template <SlotReason... reasons>
double share_of(const LaunchStatistics& launch) {
  return (share(launch, reasons) + ...);
}

double waiting_for_memory(const LaunchStatistics& launch) {
  return share_of<SlotReason::mem_global, SlotReason::mem_local, SlotReason::mem_queue, SlotReason::pipe_lsu>(launch);
}

bool few_warps(const LaunchStatistics& launch) {
  return 2 * launch.occupancy.warps <= launch.occupancy.max_warps;
}

/// Memory waits of a kernel that moves at least twice the bytes it uses.
double wasteful_traffic(const LaunchStatistics& launch) {
  const bool wasteful = launch.global.bytes > 2 * launch.global.bytes_used;
  return wasteful ? waiting_for_memory(launch) + share(launch, SlotReason::replay_global) : 0.0;
}

double latency_with_few_warps(const LaunchStatistics& launch) {
  return few_warps(launch) ? waiting_for_memory(launch) : 0.0;
}

double latency_with_many_warps(const LaunchStatistics& launch) {
  return few_warps(launch) ? 0.0 : waiting_for_memory(launch);
}

/// The lanes that idle in the slots that were issued.
double masked_lanes(const LaunchStatistics& launch) {
  if (launch.warp_instructions == 0) return 0.0;
  const double active =
      static_cast<double>(launch.active_lane_sum) / (32.0 * static_cast<double>(launch.warp_instructions));
  return (1.0 - active) * share(launch, SlotReason::issued);
}

using R = SlotReason;
constexpr double curable = 1.0, inherent = 0.5;
constexpr std::array<HintRule, 12> rules{{
    {"bank-conflict", share_of<R::replay_shared_bank, R::mem_shared>, 0.08, curable,
     "lanes of a half-warp meet in the same shared-memory bank: change the stride or pad the rows by one word"},
    {"coalescing", wasteful_traffic, 0.10, curable,
     "global accesses move more than twice the bytes they use: let neighbouring lanes touch neighbouring words"},
    {"occupancy", latency_with_few_warps, 0.20, curable,
     "memory waits are not hidden and the SM is at most half full: raise occupancy or load earlier"},
    {"latency-hiding", latency_with_many_warps, 0.20, inherent,
     "memory sets the pace although the SM is full: move fewer bytes, or reuse them through shared memory"},
    {"divergence", masked_lanes, 0.10, curable,
     "lanes of a warp take different paths: make branches follow warp boundaries"},
    {"constant", share_of<R::replay_const, R::mem_const>, 0.08, curable,
     "lanes read different constant words: constant memory serves one word per half-warp at a time"},
    {"barrier", share_of<R::sync_barrier>, 0.15, curable,
     "warps wait for each other at barriers: balance the work between them or use smaller blocks"},
    {"grid-size", share_of<R::empty_occupancy, R::empty_tail>, 0.15, curable,
     "SMs have no block to run: use more blocks, in a multiple of what the machine holds"},
    {"dependency", share_of<R::dep_alu, R::dep_sfu, R::dep_dp, R::dep_reissue>, 0.20, curable,
     "too few warps to hide arithmetic latency: more warps, or independent instructions within a thread"},
    {"sfu", share_of<R::pipe_sfu>, 0.25, inherent,
     "the special-function unit sets the pace: use fewer rcp, sqrt, sin, ex2"},
    {"branch-cost", share_of<R::branch, R::fetch>, 0.15, curable, "control transfers set the pace: unroll the loop"},
    {"compute-bound", share_of<R::pipe_sp>, 0.25, inherent,
     "the MAD unit sets the pace: only fewer instructions help, e.g. unrolling and cheaper addresses"},
}};

}  // namespace

std::span<const HintRule> hint_rules() {
  return rules;
}

Hint best_hint(const LaunchStatistics& launch) {
  Hint best;
  double most_urgent = 0.0;
  for (const HintRule& rule : rules) {
    const double share = rule.share(launch);
    if (share < rule.threshold || share * rule.urgency <= most_urgent) continue;
    most_urgent = share * rule.urgency;
    best = {share, rule.text, rule.topic};
  }
  return best;
}

}  // namespace teslasim
