// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/report/result/memory_balance.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr double curable = 1.0, inherent = 0.5;
constexpr double added = 1.0, taken_off = -1.0;  // the end of a launch without a block
constexpr std::string_view slots_prefix = "issue_slots.";

constexpr std::string_view resident = "warps.resident_busy_avg", held = "occupancy.max", waves = "occupancy.waves";
constexpr double many_waves = 4.0, few_warps = 4.0;
/// Bytes next to each other that begin anywhere take 48 per half-warp, one or two transactions of 32: more than the
/// lanes use, and nothing that another order would mend. Words in order take 64.
constexpr double bytes_in_order = 56.0;

constexpr std::array<std::string_view, 6> waits_for_memory{"mem.global", "mem.local", "mem.tex", "mem.queue",
                                                           "pipe.lsu"};
constexpr std::string_view warps_that_fit =
    "{warps.resident_busy_avg} warps on an SM with blocks, {occupancy.warps} would fit";

/// Fewer warps than fit, in a grid of many waves: blocks that ended were not replaced in time.
constexpr HintRule late_blocks(const HintCondition& fitting, const HintCondition& resident_of_them) {
  return {
      "latency-hiding",
      waits_for_memory,
      {{fitting, resident_of_them, {waves, many_waves}}},
      "",
      0.20,
      inherent,
      "memory sets the pace, and places of blocks stay empty until those before them are filled: move fewer bytes, or "
      "let blocks take equally long",
      warps_that_fit};
}

/// The same in a grid that has too few blocks for it.
constexpr HintRule few_blocks(const HintCondition& fitting, const HintCondition& resident_of_them) {
  return {"grid-size",
          waits_for_memory,
          {{fitting, resident_of_them, {"", many_waves, waves}}},
          "",
          0.20,
          curable,
          "memory waits are not hidden, SMs have few warps although more would fit: use more blocks",
          warps_that_fit};
}

constexpr std::array<HintRule, 22> rules{{
    {"bank-conflict",
     {"replay.shared_bank", "mem.shared"},
     {{{"shared.replays", 0.1, "shared.accesses_half_warp"}}},
     "",
     0.08,
     curable,
     "lanes of a half-warp meet in the same shared-memory bank: change the stride or pad the rows by one word",
     "{shared.replays} replays in {shared.accesses_half_warp} half-warp accesses"},
    {"coalescing",
     {"mem.global", "mem.queue", "pipe.lsu"},
     {{{"global.bytes", 2.0, "global.bytes_used"}, {"global.bytes", bytes_in_order, "global.requests_half_warp"}}},
     "",
     0.10,
     curable,
     "global accesses move more than twice the bytes they use: let neighbouring lanes touch neighbouring words",
     "{global.bytes} bytes moved for {global.bytes_used} used"},
    {"partition-camping",
     waits_for_memory,
     {{{"dram.camping_pct", 40.0}, {"dram.fullest_queue_mean", 4.0}, {"dram.bus_pct.idle", 30.0}}},
     "",
     0.20,
     curable,
     "requests crowd at one memory partition while others are idle: pad the rows, or take blocks along diagonals",
     "{dram.fullest_queue_mean} transactions on average at the partition that has most, buses idle {dram.bus_pct.idle} "
     "% "
     "of the time"},
    {"atomics",
     {"mem.global", "mem.queue", "pipe.lsu"},
     {{{"dram.atomics_pct", 50.0}}},
     "",
     0.20,
     curable,
     "atomic operations wait for each other at one partition: add up in shared memory first, or spread the addresses",
     "one partition is busy with atomic operations {dram.atomics_pct} % of the time",
     added},
    {"local-memory",
     {"mem.local", "mem.queue", "pipe.lsu"},
     {{{"local.bytes", 0.5, "global.bytes"}}},
     "",
     0.10,
     curable,
     "spilled registers and arrays of threads lie in device memory: allow more registers, or use shared memory",
     "{local.bytes} bytes of local memory moved beside {global.bytes} of global memory"},
    {"texture-cache",
     {"mem.tex", "mem.queue", "pipe.lsu"},
     {{{"caches.texture_l1.misses", 0.25, "caches.texture_l1.accesses"}, {"texture.bytes", 1.0, "global.bytes"}}},
     "",
     0.15,
     curable,
     "texels that warps wait for are not in the cache: let lanes and warps nearby read texels nearby",
     "{caches.texture_l1.misses} misses in {caches.texture_l1.accesses} look-ups of the texture caches"},
    {"occupancy",
     waits_for_memory,
     {{{held, 1.999, "occupancy.warps"}, {resident, 0.5001, "occupancy.warps"}}},
     "",
     0.20,
     curable,
     "memory waits are not hidden and the SM is at most half full: raise occupancy or load earlier",
     "{occupancy.warps} of {occupancy.max} warps fit an SM"},
    {"latency-hiding",
     waits_for_memory,
     {{{resident, 0.5001, held}}},
     "",
     0.20,
     inherent,
     "memory sets the pace although SMs are more than half full: move fewer bytes, or reuse them through shared memory",
     "{global.bytes} bytes moved, {warps.resident_busy_avg} of {occupancy.max} warps on an SM with blocks"},
    late_blocks({"occupancy.warps", 0.5001, held}, {held, 1.9996, resident}),
    late_blocks({held, 1.999, "occupancy.warps"}, {"occupancy.warps", 1.9996, resident}),
    few_blocks({"occupancy.warps", 0.5001, held}, {held, 1.9996, resident}),
    few_blocks({held, 1.999, "occupancy.warps"}, {"occupancy.warps", 1.9996, resident}),
    {"divergence",
     {"issued"},
     {{{"divergence.divergent", 0.0, "divergence.branches"}}},
     "divergence.simd_efficiency_pct",
     0.10,
     curable,
     "lanes of a warp take different paths: make branches follow warp boundaries",
     "{divergence.divergent} of {divergence.branches} branches split their warp"},
    {"constant",
     {"replay.const", "mem.const"},
     {{{"constant.replays", 0.1, "constant.accesses"}}},
     "",
     0.08,
     curable,
     "lanes read different constant words, which are served one by one: use a common index, or shared memory",
     "{constant.replays} replays in {constant.accesses} accesses"},
    {"barrier",
     {"sync.barrier"},
     {{{"occupancy.warps", 1.5, "occupancy.ctas_per_sm"}}},
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
     "{ctas.total} blocks, {occupancy.ctas_per_sm} at a time on each SM",
     taken_off},
    // With a handful of warps the latencies of the SM itself show: what they are is not what limits.
    {"grid-size",
     {"fetch", "branch", "dep.alu", "dep.sfu", "dep.dp", "dep.reissue"},
     {{{"", few_warps, resident}, {"occupancy.warps", 1.3333, resident}}},
     "",
     0.15,
     curable,
     "SMs have so few warps that nothing hides what one of them waits for: use more blocks, or more threads in each",
     warps_that_fit},
    {"dependency",
     {"dep.alu", "dep.sfu", "dep.dp", "dep.reissue"},
     {{{held, 1.3333, resident}}},
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
     {{{"instructions.by_class.branch", 0.0, "instructions.warp"}}},
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
  const double cycles = statistics("time.cycles").value_or(0.0);
  const double drained = cycles > 0.0 ? statistics("time.drain_cycles").value_or(0.0) / cycles : 0.0;
  const double share = std::max(0.0, slots / total + rule.drain * drained);
  if (rule.efficiency.empty()) return share;
  constexpr double all = 100.0;
  return share * (1.0 - statistics(rule.efficiency).value_or(all) / all);
}

/// Warps on an SM in an average cycle in which it had a block.
double resident_warps(const LaunchStatistics& launch) {
  const std::uint64_t with_block =
      launch.slots.sum() - launch.slots[SlotReason::empty_occupancy] - launch.slots[SlotReason::empty_tail];
  return with_block == 0 ? 0.0 : static_cast<double>(launch.warp_cycles.sum()) / static_cast<double>(with_block);
}

bool holds(const HintCondition& condition, const StatisticLookup& statistics) {
  if (condition.left.empty() && condition.right.empty()) return true;
  const auto value = [&](std::string_view name) { return name.empty() ? std::optional(1.0) : statistics(name); };
  const std::optional<double> left = value(condition.left), right = value(condition.right);
  if (!left || !right) return false;
  return condition.left.empty() ? condition.factor > *right : *left > condition.factor * *right;
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

double idle_pct(const LaunchStatistics& launch) {
  constexpr auto idle = static_cast<std::size_t>(BusUse::idle);
  double unused = 0.0, cycles = 0.0;
  for (const PartitionStatistics& partition : launch.partitions) {
    unused += static_cast<double>(partition.bus[idle]);
    for (const std::uint64_t use : partition.bus) cycles += static_cast<double>(use);
  }
  return cycles > 0.0 ? 100.0 * unused / cycles : 0.0;
}

/// Statistics of partitions and of the whole time, which take a walk through the launch.
std::optional<double> computed(const LaunchStatistics& launch, std::string_view name) {
  const double room = static_cast<double>(launch.occupancy.ctas_per_sm) * static_cast<double>(launch.sms.size());
  if (name == waves && room > 0.0) return static_cast<double>(launch.ctas_total) / room;
  if (name == "time.drain_cycles") return static_cast<double>(sp_cycles(drain_cycles(launch)).count());
  if (name == "dram.atomics_pct") return atomics_pct(launch);
  if (name == "dram.bus_pct.idle") return idle_pct(launch);
  const std::optional<QueueBalance> balance = name.starts_with("dram.") ? queue_balance(launch) : std::nullopt;
  if (balance && name == "dram.camping_pct") return balance->camping_pct;
  if (balance && name == "dram.fullest_queue_mean") return balance->fullest_mean;
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
      {"global.requests_half_warp", static_cast<double>(launch.global.requests_half_warp)},
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
      {"local.bytes", static_cast<double>(launch.local.bytes)},
      {"texture.bytes", static_cast<double>(launch.texture.bytes)},
      {"caches.texture_l1.accesses", static_cast<double>(launch.textures.l1.accesses)},
      {"caches.texture_l1.misses", static_cast<double>(launch.textures.l1.misses)},
      {"time.cycles", static_cast<double>(launch.shader_cycles.count())},
  };
  for (const auto& [key, value] : known) {
    if (key == name) return value;
  }
  return computed(launch, name);
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
    const auto applies = [&](const HintCondition& condition) { return holds(condition, statistics); };
    if (share < rule.threshold || !std::all_of(rule.conditions.begin(), rule.conditions.end(), applies)) continue;
    hints.push_back({share, rule.text, rule.topic, filled(rule.evidence, statistics), rule.urgency});
  }
  std::stable_sort(hints.begin(), hints.end(), [](const Hint& left, const Hint& right) {
    return left.share * left.urgency > right.share * right.urgency;
  });
  std::set<std::string_view> told;
  std::erase_if(hints, [&told](const Hint& hint) { return !told.insert(hint.topic).second; });
  return hints;
}

Hint best_hint(const LaunchStatistics& launch) {
  std::vector<Hint> hints = hints_for(statistics_in(launch));
  return hints.empty() ? Hint{} : std::move(hints.front());
}

}  // namespace teslasim
