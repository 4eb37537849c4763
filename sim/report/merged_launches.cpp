// SPDX-License-Identifier: Apache-2.0
#include "sim/report/merged_launches.h"

#include <algorithm>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

template <typename Numbers>
void add_each(Numbers& sum, const Numbers& numbers) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += numbers[i];
}

void add(CodeAndConstantStatistics& sum, const CodeAndConstantStatistics& code) {
  sum.instruction_l1 += code.instruction_l1;
  sum.instruction_l2 += code.instruction_l2;
  sum.instruction_l3 += code.instruction_l3;
  sum.constant_l1 += code.constant_l1;
  sum.constant_l2 += code.constant_l2;
  sum.constant_l3 += code.constant_l3;
  sum.transactions += code.transactions;
  sum.answered += code.answered;
  sum.bytes += code.bytes;
}

void add_blame(PcStatistics& sum, const PcStatistics& pc) {
  for (const auto& [producer, slots] : pc.blamed) {
    const auto found = std::find_if(sum.blamed.begin(), sum.blamed.end(),
                                    [who = producer](const auto& row) { return row.first == who; });
    found == sum.blamed.end() ? (void)sum.blamed.emplace_back(producer, slots) : (void)(found->second += slots);
  }
  std::stable_sort(sum.blamed.begin(), sum.blamed.end(), [](const auto& left, const auto& right) {
    return std::pair(right.second, left.first) < std::pair(left.second, right.first);
  });
}

void add(PcStatistics& sum, const PcStatistics& pc) {
  sum.warp_issues += pc.warp_issues;
  sum.thread_issues += pc.thread_issues;
  sum.null_issues += pc.null_issues;
  sum.slots += pc.slots;
  sum.divergent += pc.divergent;
  sum.memory += pc.memory;
  sum.shared += pc.shared;
  sum.constant += pc.constant;
  sum.latency += pc.latency;
  add_blame(sum, pc);
}

void add(SmStatistics& sum, const SmStatistics& sm) {
  sum.slots += sm.slots;
  sum.warp_cycles += sm.warp_cycles;
  sum.slots_without_pc += sm.slots_without_pc;
  sum.resident_warp_cycles += sm.resident_warp_cycles;
  sum.issue_events += sm.issue_events;
  sum.warp_instructions += sm.warp_instructions;
  sum.thread_instructions += sm.thread_instructions;
  sum.blocks += sm.blocks;
  sum.banks += sm.banks;
}

void add(PartitionStatistics& sum, const PartitionStatistics& partition) {
  sum.read_transactions += partition.read_transactions;
  sum.write_transactions += partition.write_transactions;
  sum.read_bytes += partition.read_bytes;
  sum.write_bytes += partition.write_bytes;
  sum.busy_cycles += partition.busy_cycles;
  sum.atomic_operations += partition.atomic_operations;
  sum.row_hits += partition.row_hits;
  sum.row_misses += partition.row_misses;
  sum.activates += partition.activates;
  sum.refreshes += partition.refreshes;
  sum.turns += partition.turns;
  sum.queue_cycles += partition.queue_cycles;
  sum.queue_deepest = std::max(sum.queue_deepest, partition.queue_deepest);
  add_each(sum.bus, partition.bus);
}

void add(TlbStatistics& sum, const TlbStatistics& tlb) {
  sum.l1_look_ups += tlb.l1_look_ups;
  sum.l1_misses += tlb.l1_misses;
  sum.l2_look_ups += tlb.l2_look_ups;
  sum.walks += tlb.walks;
  sum.walk_bytes += tlb.walk_bytes;
}

void add(PipelineStatistics& sum, const PipelineStatistics& pipeline) {
  sum.operand_wait_cycles += pipeline.operand_wait_cycles;
  sum.write_wait_cycles += pipeline.write_wait_cycles;
  sum.collector_full_cycles += pipeline.collector_full_cycles;
  sum.dual_issued_mul += pipeline.dual_issued_mul;
}

template <typename Row>
void add_rows(std::vector<Row>& sum, const std::vector<Row>& rows) {
  SIM_CHECK(sum.size() == rows.size(), "launches of one kernel have as many instructions, SMs and partitions");
  for (std::size_t i = 0; i < rows.size(); ++i) add(sum[i], rows[i]);
}

void add_memory(LaunchStatistics& sum, const LaunchStatistics& launch) {
  sum.shared += launch.shared;
  sum.banks += launch.banks;
  sum.constant += launch.constant;
  sum.global += launch.global;
  sum.local += launch.local;
  sum.texture += launch.texture;
  add(sum.code, launch.code);
  sum.textures += launch.textures;
  add_each(sum.profiler.counts, launch.profiler.counts);
  sum.load_requests += launch.load_requests;
  sum.load_responses += launch.load_responses;
  sum.store_requests += launch.store_requests;
  sum.stores_performed += launch.stores_performed;
  sum.atomic_requests += launch.atomic_requests;
  sum.atomic_bytes += launch.atomic_bytes;
  add_rows(sum.partitions, launch.partitions);
  sum.request_latency += launch.request_latency;
  add(sum.tlb, launch.tlb);
}

void add(LaunchStatistics& sum, const LaunchStatistics& launch) {
  SIM_CHECK(sum.kernel == launch.kernel && sum.timed == launch.timed, "a sum is of launches of one kernel");
  sum.shader_cycles += launch.shader_cycles;
  sum.duration += launch.duration;
  sum.overhead += launch.overhead;
  sum.ctas_total += launch.ctas_total;
  sum.ctas_done += launch.ctas_done;
  sum.warp_instructions += launch.warp_instructions;
  sum.thread_instructions += launch.thread_instructions;
  sum.null_instructions += launch.null_instructions;
  add_each(sum.issued_by_class, launch.issued_by_class);
  sum.branches += launch.branches;
  sum.divergent_branches += launch.divergent_branches;
  sum.active_lane_sum += launch.active_lane_sum;
  sum.barriers += launch.barriers;
  sum.slots += launch.slots;
  sum.warp_cycles += launch.warp_cycles;
  add_each(sum.unit_busy_cycles, launch.unit_busy_cycles);
  add(sum.pipeline, launch.pipeline);
  add_memory(sum, launch);
  add_rows(sum.sms, launch.sms);
  add_rows(sum.pcs, launch.pcs);
}

/// A sum of times has no terms: those of one launch explain that launch.
void add(Prediction& sum, const Prediction& prediction) {
  if (!prediction.refusal.empty() && sum.refusal.empty()) sum.refusal = prediction.refusal;
  if (sum.bound != prediction.bound) sum.bound = "differs by launch";
  const bool both = sum.seconds && prediction.seconds;
  sum.seconds = both ? std::optional(*sum.seconds + *prediction.seconds) : std::nullopt;
}

void drop_details(Prediction& prediction) {
  prediction.terms.clear();
  prediction.inputs.clear();
  prediction.notes = {"the sum over several launches; ask for the details of one to see its terms"};
}

}  // namespace

void begin_sum(LaunchResult& launch, std::uint64_t number) {
  launch.index = number;
  launch.merged = MergedLaunches{1, number, true};
  launch.statistics.intervals = {};
  for (SmStatistics& sm : launch.statistics.sms) sm.block_times = {};
  for (Prediction& prediction : launch.predictions) drop_details(prediction);
}

void add_launch(LaunchResult& sum, LaunchResult launch, std::uint64_t number) {
  SIM_CHECK(sum.merged && sum.predictions.size() == launch.predictions.size(),
            "a launch is added to a sum of its kind");
  ++sum.merged->count;
  sum.merged->last = number;
  sum.merged->same_shape = sum.merged->same_shape && sum.statistics.grid == launch.statistics.grid &&
                           sum.statistics.block == launch.statistics.block;
  add(sum.statistics, launch.statistics);
  for (std::size_t i = 0; i < sum.predictions.size(); ++i) add(sum.predictions[i], launch.predictions[i]);
  sum.sampled = sum.sampled || launch.sampled;
}

}  // namespace teslasim
