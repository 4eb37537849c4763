// SPDX-License-Identifier: Apache-2.0
// The memory side as a whole: latency, bandwidth, conservation, fairness, and independence of how it is run.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/base/clock_time.h"
#include "tests/gpu/memory_system.h"

namespace teslasim::testing {
namespace {

constexpr Address base = 4096;

MemorySystemSpec gtx280_like() {
  MemorySystemSpec spec;
  spec.plan = {10, 3, period_of_mhz(602), period_of_mhz(1107)};
  return spec;
}

/// Small, with odd numbers of everything.
MemorySystemSpec any_spec() {
  MemorySystemSpec spec;
  spec.plan.tpcs = *rc::gen::inRange(1U, 5U);
  spec.plan.sms_per_tpc = *rc::gen::inRange(1U, 4U);
  spec.plan.core_period = *rc::gen::inRange<std::uint64_t>(800'000, 2'500'000);
  spec.plan.memory_period = *rc::gen::inRange<std::uint64_t>(400'000, 2'500'000);
  const auto nanoseconds = [](double from) { return from + *rc::gen::inRange(0, 300) / 7.0; };
  spec.tpc.request_ns = nanoseconds(0.1);
  spec.tpc.response_ns = nanoseconds(13.0);
  spec.tpc.queue = *rc::gen::inRange(1U, 6U);
  spec.noc = {nanoseconds(0.1), nanoseconds(0.1), *rc::gen::inRange(1U, 6U)};
  spec.noc.request_width_bytes = 4U << *rc::gen::inRange(0U, 6U);
  spec.dram.partitions = *rc::gen::inRange(1U, 8U);
  spec.dram.bus_width_bits_per_partition = 16U << *rc::gen::inRange(0U, 4U);
  spec.dram.interleave_bytes = 128U << *rc::gen::inRange(0U, 3U);
  spec.dram.latency_ns = nanoseconds(0.1);
  spec.dram.queue = *rc::gen::inRange(1U, 6U);
  return spec;
}

/// Pages so small and TLBs so short that misses, merges and refusals all happen.
MemorySystemSpec any_spec_with_tlbs() {
  MemorySystemSpec spec = any_spec();
  TlbSpec& tlb = spec.tlb;
  tlb.ideal = false;
  tlb.driver = "own";
  tlb.page_kb = 4;
  tlb.l1_entries = 1U << *rc::gen::inRange(0, 3);
  tlb.l1_ways = tlb.l1_entries;
  tlb.l2_entries = 4;
  tlb.l2_ways = 2;
  tlb.pages_under_way = *rc::gen::inRange(1U, 5U);
  tlb.miss_queue = *rc::gen::inRange(1U, 8U);
  tlb.walks = *rc::gen::inRange(1U, 4U);
  return spec;
}

/// The sum of the links, each hop rounded up to the edges of the clock that takes it over.
Femtoseconds unloaded(const MemoryPath& path, unsigned bytes) {
  const LinkLatencies& link = path.latency;
  const Femtoseconds core = path.plan.core_period, memory = path.plan.memory_period;
  const Femtoseconds tpc = edge_at_or_after(link.sm_to_tpc, core);
  const Femtoseconds crossbar = edge_at_or_after(tpc + link.tpc_to_crossbar, core);
  const Femtoseconds partition = edge_at_or_after(crossbar + link.crossbar_to_partition, memory);
  const DramTiming timing(path.dram.timing, path.bytes_per_memory_cycle, memory);
  const std::uint64_t bursts = (bytes + timing.burst_bytes - 1) / timing.burst_bytes;
  const MemoryCycle access = timing.activate_to_read + timing.cas + bursts * timing.burst;
  const Femtoseconds service = std::max(access * memory, edge_at_or_after(link.dram, memory));
  const Femtoseconds back = edge_at_or_after(partition + service + link.partition_to_crossbar, core);
  return edge_at_or_after(back + link.crossbar_to_tpc, core) + link.tpc_to_sm;
}

RC_GTEST_PROP(MemoryPathLaw, unloaded_latency_is_the_sum_of_the_links, ()) {
  const MemorySystemSpec spec = any_spec();
  const auto bytes = static_cast<std::uint16_t>(*rc::gen::element(32, 64, 128));
  MemorySystem system(spec);
  system.run({{{base, bytes, false}}});
  RC_ASSERT(system.sms[0]->answers.size() == 1U);
  RC_ASSERT(system.sms[0]->answers[0].when == unloaded(system.path, bytes));
}

TEST(MemoryPath, unloaded_latency_of_a_round_machine_is_the_configured_sum) {
  MemorySystemSpec spec;
  spec.plan = {1, 1, 1'000'000, 1'000'000};
  spec.sm_period = 1'000'000;
  spec.tpc.request_ns = 10;
  spec.tpc.response_ns = 40;
  spec.tpc.queue = 16;
  spec.noc = {30, 30, 16};
  spec.dram.latency_ns = 200;
  MemorySystem system(spec);
  system.run({{{base, 64, false}}});
  EXPECT_EQ(system.sms[0]->answers.at(0).when, 310'000'000U) << "10 + 30 + 200 + 30 + 40 ns";
}

TEST(MemoryPath, all_partitions_together_reach_the_bandwidth_of_their_buses) {
  MemorySystem system(gtx280_like());
  std::vector<std::vector<TrafficItem>> items(30);
  constexpr unsigned per_sm = 400;
  for (unsigned sm = 0; sm < 30; ++sm) {
    for (unsigned i = 0; i < per_sm; ++i) items[sm].push_back({base + (i * 30 + sm) * 64 % 49152, 64, false});
  }
  EXPECT_EQ(system.run(items).end, RunEnd::finished);
  const Femtoseconds start = unloaded(system.path, 64) / 4;  // a request is at its partition by then
  for (const auto& partition : system.partitions) {
    const auto& core = partition->core();
    const Femtoseconds busy = core.statistics().busy_cycles * system.path.plan.memory_period;
    const Femtoseconds end = core.last_completion() - system.path.latency.dram;
    EXPECT_GT(static_cast<double>(busy), 0.90 * static_cast<double>(end - start)) << partition->name();
    EXPECT_LE(busy, end) << partition->name() << ": more than the bus can carry";
    EXPECT_EQ(core.statistics().busy_cycles, core.statistics().read_transactions * 4) << "64 bytes at 16 per cycle";
    EXPECT_EQ(core.statistics().row_hits + core.statistics().row_misses, core.statistics().read_transactions);
  }
}

TEST(MemoryPath, one_tpc_alone_gets_the_whole_bus_of_one_partition) {
  MemorySystem system(gtx280_like());
  std::vector<std::vector<TrafficItem>> items(3);
  constexpr unsigned per_sm = 300;
  for (auto& list : items) {
    for (unsigned i = 0; i < per_sm; ++i) list.push_back({base, 128, false});
  }
  EXPECT_EQ(system.run(items).end, RunEnd::finished);
  const auto& first = system.partitions[base / 256 % 8]->core();
  EXPECT_EQ(first.statistics().read_bytes, 3U * per_sm * 128U);
  const auto busy = static_cast<double>(first.statistics().busy_cycles * system.path.plan.memory_period);
  EXPECT_GT(busy, 0.93 * static_cast<double>(first.last_completion() - system.path.latency.dram));
}

/// Core cycles from one transaction of 64 bytes to the next when every SM sends to one partition.
double core_cycles_per_transaction(unsigned request_width_bytes, bool write) {
  MemorySystemSpec spec = gtx280_like();
  spec.noc.request_width_bytes = request_width_bytes;
  MemorySystem system(spec);
  constexpr unsigned per_sm = 60;
  system.run(std::vector<std::vector<TrafficItem>>(30, std::vector<TrafficItem>(per_sm, TrafficItem{base, 64, write})));
  const Femtoseconds end = system.partitions[base / 256 % 8]->core().last_completion();
  return static_cast<double>(end) / static_cast<double>(30 * per_sm * spec.plan.core_period);
}

TEST(MemoryPath, a_partition_takes_the_data_of_writes_at_the_width_of_its_port) {
  EXPECT_NEAR(core_cycles_per_transaction(8, true), 8.0, 0.4);
  EXPECT_NEAR(core_cycles_per_transaction(16, true), 4.0, 0.2);
  EXPECT_LT(core_cycles_per_transaction(64, true), 2.5) << "the bus of the chips: 64 bytes in 4 memory cycles";
}

TEST(MemoryPath, requests_to_read_carry_no_data) {
  EXPECT_NEAR(core_cycles_per_transaction(8, false), core_cycles_per_transaction(64, false), 0.01);
}

TEST(MemoryPath, the_sms_of_a_tpc_share_it_equally) {
  MemorySystemSpec spec = gtx280_like();
  spec.plan.tpcs = 1;
  MemorySystem system(spec);
  std::vector<std::vector<TrafficItem>> items(3);
  constexpr unsigned per_sm = 500;
  for (unsigned sm = 0; sm < 3; ++sm) {
    for (unsigned i = 0; i < per_sm; ++i) items[sm].push_back({base + i * 32, 32, false});
  }
  EXPECT_EQ(system.run(items).end, RunEnd::finished);
  Femtoseconds earliest = never, latest = 0;
  for (const auto& sm : system.sms) {
    earliest = std::min(earliest, sm->answers.back().when);
    latest = std::max(latest, sm->answers.back().when);
  }
  EXPECT_LE(latest - earliest, 10 * spec.plan.core_period);
}

TEST(MemoryPath, tpcs_that_fight_for_one_partition_get_equal_shares) {
  MemorySystem system(gtx280_like());
  constexpr unsigned per_sm = 60;
  std::vector<std::vector<TrafficItem>> items(30, std::vector<TrafficItem>(per_sm, TrafficItem{base, 64, false}));
  EXPECT_EQ(system.run(items).end, RunEnd::finished);
  Femtoseconds earliest = never, latest = 0;
  for (const auto& sm : system.sms) {
    earliest = std::min(earliest, sm->answers.back().when);
    latest = std::max(latest, sm->answers.back().when);
  }
  const Femtoseconds transfer = 4 * system.path.plan.memory_period;
  EXPECT_LE(latest - earliest, 40 * transfer) << "one turn over all 30 SMs takes 30 transfers";
}

TEST(MemoryPath, a_load_behind_a_store_of_the_same_sm_sees_it) {
  MemorySystem system(gtx280_like());
  system.run({{{base, 32, true}, {base, 32, false}}});
  EXPECT_EQ(system.sms[0]->accesses[1].data[0][0], 1U) << "item 0 of SM 0 writes 1";
}

TEST(MemoryPath, stores_are_not_answered_but_counted) {
  MemorySystem system(gtx280_like());
  system.run({{{base, 32, true}, {base + 256, 64, true}, {base + 256, 128, false}}});
  EXPECT_EQ(system.sms[0]->answers.size(), 1U);
  const auto& first = system.partitions[base / 256 % 8]->core();
  const auto& second = system.partitions[(base / 256 + 1) % 8]->core();
  EXPECT_EQ(first.statistics().write_bytes, 32U);
  EXPECT_EQ(first.stores_performed(), 1U);
  EXPECT_EQ(second.statistics().write_transactions, 1U);
  EXPECT_EQ(second.statistics().read_bytes, 128U);
}

TEST(MemoryPath, a_page_costs_a_walk_once_and_the_second_level_later) {
  MemorySystemSpec spec = gtx280_like();
  spec.tlb.ideal = false;
  spec.tlb.driver = "own";
  spec.tlb.page_kb = 4;
  spec.tlb.l1_entries = spec.tlb.l1_ways = 1;
  MemorySystem system(spec);
  const auto time_of = [&](std::vector<TrafficItem> items) {
    // One at a time: each is answered before the next is sent.
    system.run({std::move(items)});
    return system.sms[0]->answers.back().when - system.sms[0]->sent.back();
  };
  const Femtoseconds walked = time_of({{base, 32, false}});
  EXPECT_EQ(system.management->core().walks(), 1U);
  spec.tlb.ideal = true;
  MemorySystem known(spec);
  known.run({{{base, 32, false}}});
  const Femtoseconds unloaded_time = known.sms[0]->answers[0].when;
  const Femtoseconds page_table_read = system.path.latency.crossbar_to_partition + system.path.latency.dram +
                                       system.path.latency.partition_to_crossbar + system.path.latency.crossbar_to_tpc;
  const Femtoseconds second_level = femtoseconds_of_ns(spec.tlb.l2_ns);
  EXPECT_GE(walked - unloaded_time, page_table_read + second_level);
  EXPECT_LE(walked - unloaded_time, page_table_read + second_level + 6 * spec.plan.core_period) << "edges of clocks";
}

TEST(MemoryPath, floor_plan_names) {
  MemorySystem system(gtx280_like());
  EXPECT_STREQ(system.sms[10]->name(), "tpc3.sm1");
  EXPECT_NE(sc_core::sc_find_object("partition5.dram"), nullptr);
}

RC_GTEST_PROP(MemoryPathLaw, every_request_is_answered_and_every_credit_comes_back, ()) {
  const MemorySystemSpec spec = any_spec_with_tlbs();
  MemorySystem system(spec);
  const auto sms = static_cast<unsigned>(system.sms.size());
  const auto items = random_traffic(sms, *rc::gen::inRange(1U, 60U), *rc::gen::arbitrary<std::uint32_t>());
  RC_ASSERT(system.run(items).end == RunEnd::finished);
  std::uint64_t bytes = 0, requests = 0, responses = 0;
  for (const auto& list : items) {
    for (const TrafficItem& item : list) bytes += item.bytes;
  }
  for (const auto& tpc : system.tpcs) {
    RC_ASSERT(tpc->core().idle());
    requests += tpc->core().requests();
    responses += tpc->core().responses();
  }
  std::uint64_t served = 0, moved = 0, stores = 0;
  for (const auto& partition : system.partitions) {
    RC_ASSERT(partition->core().idle());
    const PartitionStatistics& statistics = partition->core().statistics();
    served += statistics.read_transactions + statistics.write_transactions;
    moved += statistics.read_bytes + statistics.write_bytes;
    stores += partition->core().stores_performed();
  }
  RC_ASSERT(system.crossbar->request_network().idle() && system.crossbar->response_network().idle());
  const MemoryManagementUnit& management = system.management->core();
  RC_ASSERT(management.idle());
  RC_ASSERT(system.crossbar->request_network().passed() == requests + management.walks());
  RC_ASSERT(served == requests + management.walks());
  RC_ASSERT(moved == bytes + management.walks() * MemoryManagementUnit::entry_read_bytes);
  RC_ASSERT(responses + stores == requests);
  for (const auto& sm : system.sms) RC_ASSERT(sm->credits_in_use() == 0U);
}

RC_GTEST_PROP(MemoryPathLaw, look_ahead_order_and_sleeping_change_nothing, ()) {
  const MemorySystemSpec spec = any_spec_with_tlbs();
  const unsigned sms = spec.plan.tpcs * spec.plan.sms_per_tpc;
  const auto items = random_traffic(sms, *rc::gen::inRange(1U, 40U), *rc::gen::arbitrary<std::uint32_t>());
  const auto digest = [&](const MemorySystemOptions& options) {
    MemorySystem system(spec, options);
    system.run(items);
    return system.digest();
  };
  const std::uint64_t exact = digest({.look_ahead = 0});
  RC_ASSERT(digest({.look_ahead = *rc::gen::element(1U, 4U, 8U)}) == exact);
  RC_ASSERT(digest({.look_ahead = 8, .construction_seed = *rc::gen::inRange(1U, 1000U)}) == exact);
  RC_ASSERT(digest({.look_ahead = *rc::gen::element(0U, 8U), .sleeping = Sleeping::off}) == exact);
}

TEST(MemoryPathLaw, the_same_twice_in_a_row) {
  MemorySystem system(gtx280_like());
  const auto items = random_traffic(30, 100, 7);
  system.run(items);
  system.run(items);
  const std::uint64_t second = system.digest();
  system.run(items);
  EXPECT_EQ(system.digest(), second);
}

}  // namespace
}  // namespace teslasim::testing
