// SPDX-License-Identifier: Apache-2.0
// A small run with books that close, made by hand: 2 SMs, 100 SM cycles, one kernel of three instructions.
#pragma once

#include "sim/report/result/result.h"

namespace teslasim::test {

inline void add_sample_memory(LaunchStatistics& launch) {
  launch.shared.accesses = 3;
  launch.shared.replays = 4;
  launch.shared.degree[1] = 1;
  launch.shared.degree[3] = 2;
  launch.banks.banks = 4;
  launch.banks.all = 1;
  launch.banks.some = {6, 3, 0, 1};
  launch.global = {4, 0, 0, 4, 0, 256, 256};
  launch.load_requests = launch.load_responses = 2;
  launch.store_requests = launch.stores_performed = 2;
  launch.partitions = {{2, 0, 128, 0, 4}, {0, 2, 0, 128, 4}};
  launch.partitions[0].row_hits = launch.partitions[0].row_misses = 1;
  launch.partitions[1].row_hits = 2;
  launch.partitions[0].bus = {4, 0, 0, 26, 0, 0, 70};
  launch.partitions[1].bus = {0, 4, 0, 0, 10, 6, 80};
  launch.request_latency.stage[0] = 300;
  launch.request_latency.stage[5] = 700;
  launch.request_latency.total = 1000;
  launch.tlb = {4, 1, 1, 0, 0};
  launch.request_latency.answers = launch.request_latency.histogram[6] = 2;
}

inline void add_sample_addresses(LaunchStatistics& launch) {
  using R = SlotReason;
  PcStatistics load;
  load.warp_issues = 2;
  load.thread_issues = 64;
  load.slots[R::issued] = 2;
  load.memory = launch.global;
  PcStatistics use;
  use.warp_issues = 4;
  use.thread_issues = 122;
  use.slots[R::issued] = 4;
  use.slots[R::replay_shared_bank] = 4;
  use.slots[R::mem_global] = 88;
  use.shared = launch.shared;
  use.blamed = {{0, 88}};
  PcStatistics last;
  last.warp_issues = 2;
  last.thread_issues = 64;
  last.slots[R::issued] = 2;
  launch.pcs = {load, use, last};
}

/// The same slots over time: 64 cycles of SM 0 with its issues, then the rest.
inline void add_sample_intervals(LaunchStatistics& launch) {
  IntervalStatistics& intervals = launch.intervals;
  const auto column = [](SlotReason reason) { return static_cast<unsigned>(reason); };
  for (int sm = 0; sm < 2; ++sm) intervals.sms.emplace_back(interval_columns, 2);
  IntervalSeries& busy = intervals.sms[0];
  busy.add(column(SlotReason::issued), 0, 8);
  busy.add(column(SlotReason::replay_shared_bank), 8, 12);
  busy.add(column(SlotReason::mem_global), 12, 100);
  busy.add(interval_active, 0, 100, 4);
  busy.add(interval_eligible, 0, 12);
  intervals.sms[1].add(column(SlotReason::empty_occupancy), 0, 100);
  intervals.gpu = IntervalSeries(interval_columns, 2);
  intervals.gpu.widen_to(busy.width());
  for (const IntervalSeries& sm : intervals.sms) intervals.gpu += sm;
  intervals.memory = IntervalSeries(interval_memory_columns + 2 * interval_partition_columns, 2);
  intervals.memory.add_at(interval_read_bytes, 20, 128);
  intervals.memory.add_at(interval_write_bytes, 70, 128);
  intervals.memory.add_at(interval_row_hits, 70, 3);
  intervals.memory.add_at(interval_memory_columns, 20, 128);
  intervals.memory.add_at(interval_memory_columns + 1, 20, 12);
  intervals.memory.add_at(interval_memory_columns + interval_partition_columns, 70, 128);
  intervals.memory.add_at(interval_memory_columns + interval_partition_columns + 1, 70, 6);
}

/// Two warps of each of two blocks, which do the same but for a last instruction with a guard.
inline void add_sample_warps(SmStatistics& sm) {
  sm.warps.keep(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    WarpTimes& warp = sm.warps.first.emplace_back();
    warp.block = warp.slot = i / 2;
    warp.warp = i % 2;
    warp.finish = warp.end = 100;
    warp.instructions = 2;
    warp.thread_instructions = i == 3 ? 58 : 64;
    warp.cycles[SlotReason::issuing] = 2;
    warp.cycles[SlotReason::issuing_replay] = 1;
    warp.cycles[SlotReason::mem_global] = 97;
  }
}

/// SM 0 issues 8 + 4 replays and waits 88 slots for memory; SM 1 never gets a block.
inline LaunchStatistics sample_launch() {
  using R = SlotReason;
  LaunchStatistics launch;
  launch.kernel = "copy";
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  launch.shader_cycles = 200;
  launch.duration = 154'321'000;
  launch.occupancy = {8, 16, 32, "ctas"};
  launch.ctas_total = launch.ctas_done = 2;
  launch.warp_instructions = 8;
  launch.thread_instructions = 250;
  launch.active_lane_sum = 256;
  launch.issued_by_class[0] = 4;
  launch.issued_by_class[7] = 4;
  launch.branches = 1;

  SmStatistics busy;
  busy.slots[R::issued] = 8;
  busy.slots[R::replay_shared_bank] = 4;
  busy.slots[R::mem_global] = 88;
  busy.warp_cycles[R::issuing] = 8;
  busy.warp_cycles[R::issuing_replay] = 4;
  busy.warp_cycles[R::mem_global] = 388;
  busy.resident_warp_cycles = 400;
  busy.issue_events = 12;
  busy.warp_instructions = 8;
  busy.thread_instructions = 250;
  busy.blocks = 2;
  busy.block_times = {{0, 0, 0, 90}, {1, 1, 4, 100}};
  add_sample_warps(busy);
  SmStatistics idle;
  idle.slots[R::empty_occupancy] = 100;
  launch.sms = {busy, idle};
  launch.slots = busy.slots;
  launch.slots += idle.slots;
  launch.warp_cycles = busy.warp_cycles;
  launch.unit_busy_cycles = {40, 0, 0, 8};

  add_sample_memory(launch);
  add_sample_addresses(launch);
  add_sample_intervals(launch);
  return launch;
}

inline Result sample_result() {
  Result result;
  result.name = "copy";
  result.run_directory = "runs/001-copy-tiny";
  result.machine = {"Two SMs", "two@1.0.0", "sm_13", 2, 1296.0, 100.0};
  LaunchResult launch;
  launch.statistics = sample_launch();
  launch.listing = {{0, 8, 3, "mov.u32 $r0, g[$r1]", {}},
                    {8, 8, 4, "add.u32 $r2, $r0, s[$ofs1+0x0010]", {}},
                    {16, 4, 0, "mov.end.u32 g[$r1], \"$r2\"", {}}};
  launch.outputs = std::vector<OutputCheck>{{"out", true, 128, 0, ""}};
  Prediction predicted{"sample", 2e-7, "memory", PredictionLevel::p1, {}, {}, {}, ""};
  Prediction refused{"other", {}, "", PredictionLevel::p0, {}, {}, {}, "it needs more"};
  launch.predictions = {predicted, refused};
  result.launches.push_back(launch);
  result.planned_launches = 1;
  result.host = {0.5, 40.0};
  result.digest = 0x9f3a61c207bed41dULL;
  result.counters_digest = 0x5e1dULL;
  return result;
}

/// The same, stopped by a limit.
inline Result cut_off() {
  Result result = sample_result();
  result.status = result.launches[0].statistics.status = RunStatus::limit;
  return result;
}

/// The same, with 3 wrong elements of 128 in its only checked buffer.
inline Result wrong_outputs() {
  Result result = sample_result();
  result.launches[0].outputs = std::vector<OutputCheck>{{"out", false, 128, 3, "[0] is 1, expected 2"}};
  return result;
}

/// The same as the timed part of a launch of ten blocks.
inline Result block_sample() {
  Result result = sample_result();
  LaunchResult& launch = result.launches[0];
  launch.statistics.grid = {10, 1, 1};
  BlockSample sample;
  sample.waves = 16;
  sample.timed_blocks = 2;
  sample.function_blocks = 8;
  sample.function_warp_instructions = 32;
  sample.cycles = 1000;
  sample.cycles_bound = 20;
  sample.time = 5 * launch.statistics.duration;
  sample.bound = launch.statistics.duration / 10;
  launch.sample = sample;
  launch.sampled = true;
  return result;
}

}  // namespace teslasim::test
