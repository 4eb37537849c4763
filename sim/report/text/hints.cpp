// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr double curable = 1.0, inherent = 0.5;
constexpr std::string_view slots_prefix = "issue_slots.";

constexpr std::string_view resident = "warps.resident_busy_avg", held = "occupancy.max";

constexpr std::array<HintRule, 14> rules{{
    {"bank-conflict",
     {"replay.shared_bank", "mem.shared"},
     {"shared.replays", 0.1, "shared.accesses_half_warp"},
     "",
     0.08,
     curable,
     "lanes of a half-warp meet in the same shared-memory bank: change the stride or pad the rows by one word",
     "{shared.replays} replays in {shared.accesses_half_warp} half-warp accesses"},
    {"coalescing",
     {"mem.global", "mem.queue", "pipe.lsu"},
     {"global.bytes", 2.0, "global.bytes_used"},
     "",
     0.10,
     curable,
     "global accesses move more than twice the bytes they use: let neighbouring lanes touch neighbouring words",
     "{global.bytes} bytes moved for {global.bytes_used} used"},
    {"occupancy",
     {"mem.global", "mem.local", "mem.queue", "pipe.lsu"},
     {"occupancy.max", 1.999, "occupancy.warps"},
     "",
     0.20,
     curable,
     "memory waits are not hidden and the SM is at most half full: raise occupancy or load earlier",
     "{occupancy.warps} of {occupancy.max} warps fit an SM"},
    {"latency-hiding",
     {"mem.global", "mem.local", "mem.queue", "pipe.lsu"},
     {resident, 0.5001, held},
     "",
     0.20,
     inherent,
     "memory sets the pace although SMs are more than half full: move fewer bytes, or reuse them through shared memory",
     "{global.bytes} bytes moved, {warps.resident_busy_avg} of {occupancy.max} warps on an SM with blocks"},
    {"grid-size",
     {"mem.global", "mem.local", "mem.queue", "pipe.lsu"},
     {"occupancy.warps", 0.5001, held},
     "",
     0.20,
     curable,
     "memory waits are not hidden: SMs have few warps although more would fit: use more blocks",
     "{warps.resident_busy_avg} warps on an SM with blocks, {occupancy.warps} would fit",
     {held, 1.9996, resident}},
    {"divergence",
     {"issued"},
     {"divergence.divergent", 0.0, "divergence.branches"},
     "divergence.simd_efficiency_pct",
     0.10,
     curable,
     "lanes of a warp take different paths: make branches follow warp boundaries",
     "{divergence.divergent} of {divergence.branches} branches split their warp"},
    {"constant",
     {"replay.const", "mem.const"},
     {"constant.replays", 0.1, "constant.accesses"},
     "",
     0.08,
     curable,
     "lanes read different constant words: constant memory serves one word per half-warp at a time",
     "{constant.replays} replays in {constant.accesses} accesses"},
    {"barrier",
     {"sync.barrier"},
     {"occupancy.warps", 1.5, "occupancy.ctas_per_sm"},
     "",
     0.15,
     curable,
     "warps wait for each other at barriers: balance the work between them or use smaller blocks",
     "{instructions.barriers} barriers were executed by warps"},
    {"grid-size",
     {"empty.occupancy", "empty.tail"},
     {},
     "",
     0.15,
     curable,
     "SMs have no block to run: use more blocks, in a multiple of what the machine holds",
     "{ctas.total} blocks, {occupancy.ctas_per_sm} at a time on each SM"},
    {"dependency",
     {"dep.alu", "dep.sfu", "dep.dp", "dep.reissue"},
     {held, 1.3333, resident},
     "",
     0.20,
     curable,
     "too few warps to hide arithmetic latency: more warps, or independent instructions within a thread",
     "{warps.resident_busy_avg} of {occupancy.max} warps on an SM with blocks, {occupancy.warps} would fit"},
    {"sfu",
     {"pipe.sfu"},
     {},
     "",
     0.25,
     inherent,
     "the special-function unit sets the pace: use fewer rcp, sqrt, sin, ex2",
     "{instructions.by_class.sfu} of {instructions.warp} warp instructions"},
    {"branch-cost",
     {"branch"},
     {"instructions.by_class.branch", 0.0, "instructions.warp"},
     "",
     0.15,
     curable,
     "control transfers set the pace: unroll the loop",
     "{instructions.by_class.branch} of {instructions.warp} warp instructions"},
    {"code-size",
     {"fetch"},
     {},
     "",
     0.15,
     curable,
     "warps wait for their instructions: loops that fit the instruction cache, less unrolling, longer launches",
     "{caches.instruction_l1.misses} misses in {caches.instruction_l1.accesses} look-ups of the instruction cache"},
    {"compute-bound",
     {"pipe.sp"},
     {},
     "",
     0.25,
     inherent,
     "the MAD unit sets the pace: only fewer instructions help, e.g. unrolling and cheaper addresses",
     "{instructions.warp} warp instructions"},
}};

double share_of(const HintRule& rule, const StatisticLookup& statistics) {
  const double total = statistics("issue_slots.total").value_or(0.0);
  if (total <= 0.0) return 0.0;
  double slots = 0.0;
  for (const std::string_view reason : rule.reasons) {
    if (!reason.empty()) slots += statistics(std::string(slots_prefix) + std::string(reason)).value_or(0.0);
  }
  if (rule.efficiency.empty()) return slots / total;
  constexpr double all = 100.0;
  return slots / total * (1.0 - statistics(rule.efficiency).value_or(all) / all);
}

/// Warps on an SM in an average cycle in which it had a block.
double resident_warps(const LaunchStatistics& launch) {
  const std::uint64_t with_block =
      launch.slots.sum() - launch.slots[SlotReason::empty_occupancy] - launch.slots[SlotReason::empty_tail];
  return with_block == 0 ? 0.0 : static_cast<double>(launch.warp_cycles.sum()) / static_cast<double>(with_block);
}

bool holds(const HintCondition& condition, const StatisticLookup& statistics) {
  if (condition.left.empty()) return true;
  const std::optional<double> left = statistics(condition.left), right = statistics(condition.right);
  return left && right && *left > condition.factor * *right;
}

std::string filled(std::string_view evidence, const StatisticLookup& statistics) {
  std::string text;
  for (std::size_t open = evidence.find('{'); open != std::string_view::npos; open = evidence.find('{')) {
    const std::size_t close = evidence.find('}', open);
    const std::optional<double> value = statistics(evidence.substr(open + 1, close - open - 1));
    text += evidence.substr(0, open);
    text += value ? grouped(static_cast<std::uint64_t>(std::llround(*value))) : "-";
    evidence.remove_prefix(close + 1);
  }
  return text + std::string(evidence);
}

std::optional<double> slot_statistic(const PerReason<>& slots, std::string_view name) {
  if (name == "total") return static_cast<double>(slots.sum());
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slot_reasons[i].name == name) return static_cast<double>(slots.counts[i]);
  }
  return std::nullopt;
}

/// Statistics that rules name, from the counters of a launch: the same values as in stats.json.
std::optional<double> statistic_in(const LaunchStatistics& launch, std::string_view name) {
  constexpr std::size_t sfu = 2, branch = 4;
  const double lanes = warp_size * static_cast<double>(launch.warp_instructions);
  const std::pair<std::string_view, double> known[] = {
      {"shared.replays", static_cast<double>(launch.shared.replays)},
      {"shared.accesses_half_warp", static_cast<double>(launch.shared.accesses)},
      {"global.bytes", static_cast<double>(launch.global.bytes)},
      {"global.bytes_used", static_cast<double>(launch.global.bytes_used)},
      {"occupancy.warps", launch.occupancy.warps},
      {resident, resident_warps(launch)},
      {"caches.instruction_l1.accesses", static_cast<double>(launch.code.instruction_l1.accesses)},
      {"caches.instruction_l1.misses", static_cast<double>(launch.code.instruction_l1.misses)},
      {"occupancy.max", launch.occupancy.max_warps},
      {"occupancy.ctas_per_sm", launch.occupancy.ctas_per_sm},
      {"divergence.simd_efficiency_pct",
       lanes == 0.0 ? 100.0 : 100.0 * static_cast<double>(launch.active_lane_sum) / lanes},
      {"divergence.divergent", static_cast<double>(launch.divergent_branches)},
      {"divergence.branches", static_cast<double>(launch.branches)},
      {"constant.replays", static_cast<double>(launch.constant.replays)},
      {"constant.accesses", static_cast<double>(launch.constant.accesses)},
      {"instructions.barriers", static_cast<double>(launch.barriers)},
      {"instructions.warp", static_cast<double>(launch.warp_instructions)},
      {"instructions.by_class.sfu", static_cast<double>(launch.issued_by_class[sfu])},
      {"instructions.by_class.branch", static_cast<double>(launch.issued_by_class[branch])},
      {"ctas.total", static_cast<double>(launch.ctas_total)},
  };
  for (const auto& [key, value] : known) {
    if (key == name) return value;
  }
  return std::nullopt;
}

}  // namespace

std::span<const HintRule> hint_rules() {
  return rules;
}

StatisticLookup statistics_in(const LaunchStatistics& launch) {
  return [&launch](std::string_view name) {
    return name.starts_with(slots_prefix) ? slot_statistic(launch.slots, name.substr(slots_prefix.size()))
                                          : statistic_in(launch, name);
  };
}

std::vector<Hint> hints_for(const StatisticLookup& statistics) {
  std::vector<Hint> hints;
  for (const HintRule& rule : rules) {
    const double share = share_of(rule, statistics);
    if (share < rule.threshold || !holds(rule.condition, statistics) || !holds(rule.also, statistics)) continue;
    hints.push_back({share, rule.text, rule.topic, filled(rule.evidence, statistics), rule.urgency});
  }
  std::stable_sort(hints.begin(), hints.end(), [](const Hint& left, const Hint& right) {
    return left.share * left.urgency > right.share * right.urgency;
  });
  return hints;
}

Hint best_hint(const LaunchStatistics& launch) {
  std::vector<Hint> hints = hints_for(statistics_in(launch));
  return hints.empty() ? Hint{} : std::move(hints.front());
}

}  // namespace teslasim
