// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/warps_csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/csv.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

TEST(WarpsCsv, one_line_per_warp_of_the_chosen_sms) {
  const Result result = test::sample_result();
  ASSERT_TRUE(any_warps(result));
  const CsvTable table = CsvTable::parse(warps_csv(result));
  ASSERT_EQ(table.rows(), 4U);
  EXPECT_EQ(warps_kept(result), 4U);
  EXPECT_EQ(table.text(0, "kernel"), "copy");
  EXPECT_EQ(table.whole(3, "cta"), 1U);
  EXPECT_EQ(table.whole(3, "slot"), 1U);
  EXPECT_EQ(table.whole(3, "warp"), 1U);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    EXPECT_EQ(table.whole(row, "sm"), 0U);
    EXPECT_EQ(table.whole(row, "cycle_finish"), 200U);
    EXPECT_EQ(table.whole(row, "instructions"), 2U);
    EXPECT_EQ(2 * table.whole(row, "warp_cycles"), table.whole(row, "cycle_end") - table.whole(row, "cycle_begin"));
  }
}

TEST(WarpsCsv, columns_are_the_states_of_warps) {
  Result result = test::sample_result();
  WarpTimes& warp = result.launches[0].statistics.sms[0].warps.first[0];
  warp.cycles = {};
  for (unsigned reason = 0; reason < slot_reason_count; ++reason) {
    if (!name_of_warp_state(reason).empty()) warp.cycles.counts[reason] = 1000 + reason;
  }
  const CsvTable table = CsvTable::parse(warps_csv(result));
  const auto cycles = [&](const char* column) { return table.whole(0, column); };
  EXPECT_EQ(cycles("wait_mem_global"), warp.cycles[SlotReason::mem_global]);
  EXPECT_EQ(cycles("wait_sync_barrier"), warp.cycles[SlotReason::sync_barrier]);
  EXPECT_EQ(cycles("ready_not_chosen"), warp.cycles[SlotReason::not_selected]);
  EXPECT_EQ(cycles("issuing"), warp.cycles[SlotReason::issuing]);
  EXPECT_EQ(cycles("issuing_replay"), warp.cycles[SlotReason::issuing_replay]);
  EXPECT_EQ(cycles("finished_waiting_for_cta"), warp.cycles[SlotReason::finished]);
  std::uint64_t sum = 0;
  const std::vector<std::string>& columns = table.columns();
  for (auto name = std::find(columns.begin(), columns.end(), "warp_cycles") + 1; name != columns.end(); ++name)
    sum += table.whole(0, *name);
  EXPECT_EQ(sum, warp.cycles.sum()) << "every state has one column";
}

TEST(WarpsCsv, times_that_have_not_come_are_empty) {
  Result result = test::sample_result();
  WarpRecords& warps = result.launches[0].statistics.sms[0].warps;
  warps.first[1].finish = warps.first[1].end = WarpTimes::unfinished;
  warps.dropped = 7;
  const CsvTable table = CsvTable::parse(warps_csv(result));
  EXPECT_EQ(table.text(1, "cycle_finish"), "");
  EXPECT_EQ(table.text(1, "cycle_end"), "");
  EXPECT_EQ(table.text(1, "cycle_begin"), "0");
  EXPECT_EQ(warps_dropped(result), 7U);
}

TEST(WarpsCsv, without_a_chosen_sm_there_is_nothing) {
  Result result = test::sample_result();
  result.launches[0].statistics.sms[0].warps = {};
  EXPECT_FALSE(any_warps(result));
  EXPECT_EQ(CsvTable::parse(warps_csv(result)).rows(), 0U);
}

}  // namespace
}  // namespace teslasim
