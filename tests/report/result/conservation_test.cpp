// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/conservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

using R = SlotReason;

std::vector<std::string> laws_broken_by(const std::function<void(LaunchStatistics&)>& change) {
  LaunchStatistics launch = test::sample_launch();
  change(launch);
  std::vector<std::string> laws;
  for (const Violation& violation : check_conservation(launch)) laws.emplace_back(violation.law);
  return laws;
}

TEST(Conservation, honest_books_close) {
  for (const Violation& violation : check_conservation(test::sample_launch())) ADD_FAILURE() << describe(violation);
}

struct Fraud {
  const char* law;
  void (*change)(LaunchStatistics&);
};

/// Not the address of the change, which is another in every run.
void PrintTo(const Fraud& fraud, std::ostream* out) {
  *out << fraud.law;
}

class Frauds : public ::testing::TestWithParam<Fraud> {};

TEST_P(Frauds, are_found) {
  EXPECT_THAT(laws_broken_by(GetParam().change), ::testing::Contains(GetParam().law));
}

INSTANTIATE_TEST_SUITE_P(
    Conservation, Frauds,
    ::testing::Values(Fraud{"slots-close", [](LaunchStatistics& l) { l.sms[1].slots[R::empty_occupancy] -= 1; }},
                      Fraud{"slots-close", [](LaunchStatistics& l) { l.shader_cycles += 2; }},
                      Fraud{"warp-cycles-close", [](LaunchStatistics& l) { l.sms[0].resident_warp_cycles += 1; }},
                      Fraud{"views-agree", [](LaunchStatistics& l) { l.sms[0].warp_cycles[R::issuing] += 1; }},
                      Fraud{"issue-events", [](LaunchStatistics& l) { l.sms[0].issue_events += 1; }},
                      Fraud{"banks", [](LaunchStatistics& l) { l.banks.some[0] += 1; }},
                      Fraud{"banks", [](LaunchStatistics& l) { l.banks.all = l.banks.some[0] = 0; }},
                      Fraud{"issue-events", [](LaunchStatistics& l) { l.sms[0].warp_instructions -= 1; }},
                      Fraud{"vocabulary", [](LaunchStatistics& l) { l.sms[0].slots[R::not_selected] += 1; }},
                      Fraud{"vocabulary", [](LaunchStatistics& l) { l.sms[0].warp_cycles[R::issued] += 1; }},
                      Fraud{"sms-sum", [](LaunchStatistics& l) { l.slots[R::mem_global] += 1; }},
                      Fraud{"blocks", [](LaunchStatistics& l) { l.sms[0].blocks = 3; }},
                      Fraud{"blocks", [](LaunchStatistics& l) { l.ctas_done = 1; }},
                      Fraud{"replays", [](LaunchStatistics& l) { l.shared.replays += 1; }},
                      Fraud{"replays", [](LaunchStatistics& l) { l.constant.accesses += 1; }},
                      Fraud{"bytes", [](LaunchStatistics& l) { l.global.bytes += 32; }},
                      Fraud{"bytes", [](LaunchStatistics& l) { l.global.requests_half_warp = 5; }},
                      Fraud{"requests", [](LaunchStatistics& l) { l.load_responses -= 1; }},
                      Fraud{"requests", [](LaunchStatistics& l) { l.stores_performed -= 1; }},
                      Fraud{"dram", [](LaunchStatistics& l) { l.partitions[0].read_bytes += 64; }},
                      Fraud{"dram", [](LaunchStatistics& l) { l.partitions[1].write_transactions += 1; }},
                      Fraud{"dram", [](LaunchStatistics& l) { l.partitions[1].row_hits += 1; }},
                      Fraud{"dram", [](LaunchStatistics& l) { l.partitions[1].bus[4] += 1; }},
                      Fraud{"dram",
                            [](LaunchStatistics& l) { std::swap(l.partitions[0].bus[0], l.partitions[0].bus[3]); }},
                      Fraud{"dram", [](LaunchStatistics& l) { l.atomic_requests += 1; }},
                      Fraud{"latency", [](LaunchStatistics& l) { l.request_latency.stage[2] += 1; }},
                      Fraud{"dram", [](LaunchStatistics& l) { l.tlb.walks += 1; }},
                      Fraud{"tlb", [](LaunchStatistics& l) { l.tlb.l1_look_ups += 1; }},
                      Fraud{"latency", [](LaunchStatistics& l) { l.request_latency.histogram[9] += 1; }},
                      Fraud{"caches", [](LaunchStatistics& l) { l.code.constant_l1.hits += 1; }},
                      Fraud{"caches", [](LaunchStatistics& l) { l.code.instruction_l2.fills += 1; }},
                      Fraud{"caches", [](LaunchStatistics& l) { l.code.answered += 1; }},
                      Fraud{"addresses-sum", [](LaunchStatistics& l) { l.pcs[0].warp_issues += 1; }},
                      Fraud{"addresses-sum", [](LaunchStatistics& l) { l.pcs[1].slots[R::mem_global] += 1; }},
                      Fraud{"classes-sum", [](LaunchStatistics& l) { l.issued_by_class[3] += 1; }},
                      Fraud{"intervals", [](LaunchStatistics& l) { l.intervals.gpu.add_at(0, 3, 1); }},
                      Fraud{"intervals", [](LaunchStatistics& l) { l.intervals.sms[1].add_at(1, 3, 1); }},
                      Fraud{"intervals", [](LaunchStatistics& l) { l.intervals.gpu.add_at(interval_active, 3, 1); }},
                      Fraud{"intervals", [](LaunchStatistics& l) { l.intervals.gpu.add_at(interval_eligible, 3, 1); }},
                      Fraud{"intervals", [](LaunchStatistics& l) { l.intervals.memory.add_at(0, 3, 32); }},
                      Fraud{"warps", [](LaunchStatistics& l) { l.sms[0].warps.first[1].end = 99; }},
                      Fraud{"warps", [](LaunchStatistics& l) { l.sms[0].warps.first[1].finish = 99; }},
                      Fraud{"warps", [](LaunchStatistics& l) { l.sms[0].warps.first.pop_back(); }},
                      Fraud{"warps", [](LaunchStatistics& l) { l.sms[0].warps.rest.cycles[R::branch] = 1; }},
                      Fraud{"warps", [](LaunchStatistics& l) { l.sms[0].warps.first[2].instructions += 1; }},
                      Fraud{"warps", [](LaunchStatistics& l) { l.sms[0].warps.first[2].thread_instructions -= 1; }},
                      Fraud{"lanes", [](LaunchStatistics& l) { l.active_lane_sum = 257; }},
                      Fraud{"lanes", [](LaunchStatistics& l) { l.divergent_branches = 2; }}),
    [](const auto& row) {
      std::string name = row.param.law + std::to_string(row.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Conservation, warps_that_were_there_at_the_end_or_were_not_kept_count_too) {
  EXPECT_THAT(laws_broken_by([](LaunchStatistics& launch) {
                WarpRecords& warps = launch.sms[0].warps;
                warps.first[0].end = warps.first[0].finish = WarpTimes::unfinished;
                warps.rest = warps.first.back();
                warps.first.pop_back();
                warps.dropped = 1;
              }),
              ::testing::IsEmpty());
}

TEST(Conservation, a_stopped_launch_may_have_accesses_in_flight) {
  EXPECT_THAT(laws_broken_by([](LaunchStatistics& launch) {
                launch.status = RunStatus::interrupted;
                launch.load_responses -= 1;
                launch.ctas_done = 1;
              }),
              ::testing::IsEmpty());
}

/// As a memory model behind a TLM-2.0 socket leaves them.
void forget_buses_and_rows(LaunchStatistics& launch) {
  for (PartitionStatistics& partition : launch.partitions) {
    partition.bus = {};
    partition.busy_cycles = partition.row_hits = partition.row_misses = 0;
  }
  launch.intervals = {};
}

TEST(Conservation, a_memory_outside_keeps_its_own_account_of_buses_and_rows) {
  EXPECT_THAT(laws_broken_by(forget_buses_and_rows), ::testing::IsEmpty());
  const auto fraud = [](void (*change)(LaunchStatistics&)) {
    return laws_broken_by([change](LaunchStatistics& launch) {
      forget_buses_and_rows(launch);
      change(launch);
    });
  };
  EXPECT_THAT(fraud([](LaunchStatistics& l) { l.partitions[0].row_hits = 1; }), ::testing::Contains("dram"));
  EXPECT_THAT(fraud([](LaunchStatistics& l) { l.partitions[1].busy_cycles = 1; }), ::testing::Contains("dram"));
  EXPECT_THAT(fraud([](LaunchStatistics& l) { l.partitions[0].bus[6] = 100; }), ::testing::Contains("dram"));
  EXPECT_THAT(fraud([](LaunchStatistics& l) { l.partitions[0].read_bytes += 64; }), ::testing::Contains("dram"));
  EXPECT_THAT(fraud([](LaunchStatistics& l) { l.partitions[1].write_transactions += 1; }), ::testing::Contains("dram"));
}

TEST(Conservation, a_violation_names_the_law_and_both_figures) {
  LaunchStatistics launch = test::sample_launch();
  launch.sms[0].issue_events = 99;
  const std::vector<Violation> violations = check_conservation(launch);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(describe(violations[0]), "issue-events: issued + replayed slots = issue events, SM 0 (12 and 99)");
}

}  // namespace
}  // namespace teslasim
