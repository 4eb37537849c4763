// SPDX-License-Identifier: Apache-2.0
// Each constraint of the memory chips as a data sheet would state it: allowed at, refused one cycle before.
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "tests/memory/dram_bench.h"

namespace teslasim::testing {
namespace {

using Direction = DramChannel::Direction;

struct DramChannelTest : ::testing::Test {
  explicit DramChannelTest(const DramSpec& spec = data_sheet()) : path(dram_path(spec)) {}
  MemoryPath path;
  DramChannel dram{path};
};

TEST_F(DramChannelTest, cycles_are_nanoseconds_rounded_up) {
  EXPECT_EQ(cycles_of_ns(12.5, 1'250'000), 10U);
  EXPECT_EQ(cycles_of_ns(12.6, 1'250'000), 11U);
  EXPECT_EQ(cycles_of_ns(15, 903'342), 17U) << "1107 MHz";
  EXPECT_EQ(cycles_of_ns(0, 1'250'000), 0U);
}

TEST_F(DramChannelTest, activate_to_read_tRCDR) {
  dram.activate(0, 7, 100);
  EXPECT_EQ(dram.open_row(0), 7U);
  EXPECT_EQ(dram.earliest_column(0, Direction::read), 113U);
  EXPECT_THROW(dram.access(0, Direction::read, 1, 112), InternalError);
  EXPECT_EQ(dram.access(0, Direction::read, 1, 113), 113U + 11 + 2) << "CL, then two cycles of data";
}

TEST_F(DramChannelTest, activate_to_write_tRCDW) {
  dram.activate(0, 7, 100);
  EXPECT_THROW(dram.access(0, Direction::write, 1, 108), InternalError);
  EXPECT_EQ(dram.access(0, Direction::write, 1, 109), 109U + 5 + 2) << "WL, then two cycles of data";
}

TEST_F(DramChannelTest, activate_to_precharge_tRAS_and_precharge_to_activate_tRP) {
  dram.activate(0, 7, 100);
  EXPECT_EQ(dram.earliest_precharge(0), 129U);
  EXPECT_THROW(dram.precharge(0, 128), InternalError);
  dram.precharge(0, 140);
  EXPECT_EQ(dram.open_row(0), DramChannel::no_row);
  EXPECT_EQ(dram.earliest_activate(0), 152U);
  EXPECT_THROW(dram.activate(0, 8, 151), InternalError);
  dram.activate(0, 8, 152);
}

TEST_F(DramChannelTest, activate_to_activate_of_one_bank_tRC) {
  dram.activate(0, 7, 100);
  dram.precharge(0, 129);
  EXPECT_EQ(dram.earliest_activate(0), 147U) << "tRC 47 is longer than tRAS 29 + tRP 12";
}

TEST_F(DramChannelTest, activates_of_different_banks_tRRD) {
  dram.activate(0, 1, 100);
  EXPECT_EQ(dram.earliest_activate(1), 106U);
  EXPECT_THROW(dram.activate(1, 1, 105), InternalError);
  dram.activate(1, 1, 106);
}

TEST_F(DramChannelTest, at_most_four_activates_in_a_window_tFAW) {
  for (unsigned bank = 0; bank < 4; ++bank) dram.activate(bank, 1, 100 + 6 * bank);
  EXPECT_EQ(dram.earliest_activate(4), 131U) << "31 after the first; tRRD alone would allow 124";
  dram.activate(4, 1, 131);
  EXPECT_EQ(dram.earliest_activate(5), 137U) << "31 after the second, tRRD after the fifth";
}

TEST_F(DramChannelTest, reads_follow_each_other_without_a_gap_tCCD) {
  dram.activate(0, 7, 0);
  dram.access(0, Direction::read, 2, 100);
  EXPECT_EQ(dram.earliest_column(0, Direction::read), 104U) << "two bursts of two cycles";
  EXPECT_EQ(dram.busy_cycles(), 4U);
}

struct TwoRanksTest : DramChannelTest {
  TwoRanksTest() : DramChannelTest(two_ranks()) {}
  static DramSpec two_ranks() {
    DramSpec spec = data_sheet();
    spec.timing.ranks = 2;
    spec.timing.rank_switch_cycles = 3;
    spec.timing.rank_switch_write_cycles = 5;
    return spec;
  }
};

TEST_F(TwoRanksTest, data_of_another_rank_leave_a_gap) {
  for (unsigned bank = 0; bank < 3; ++bank) dram.activate(bank, 7, 10 * bank);
  const MemoryCycle first = dram.access(0, Direction::read, 2, 100);
  EXPECT_EQ(dram.rank_gap(2, Direction::read), 0U) << "banks 0 and 2 lie in one rank";
  EXPECT_EQ(dram.rank_gap(1, Direction::read), 3U);
  const MemoryCycle second = dram.access(1, Direction::read, 2, 104);
  EXPECT_EQ(second, first + 3 + 4);
  EXPECT_EQ(dram.earliest_column(1, Direction::read), 104U + 3 + 4);
  EXPECT_EQ(dram.rank_gap(1, Direction::read), 0U);
  EXPECT_EQ(dram.busy_cycles(), 8U) << "the gap carries no data";
}

TEST_F(TwoRanksTest, data_written_to_another_rank_wait_for_its_termination) {
  for (unsigned bank = 0; bank < 2; ++bank) dram.activate(bank, 7, 10 * bank);
  const MemoryCycle first = dram.access(0, Direction::write, 2, 100);
  EXPECT_EQ(dram.rank_gap(0, Direction::write), 0U);
  EXPECT_EQ(dram.rank_gap(1, Direction::write), 5U);
  EXPECT_EQ(dram.access(1, Direction::write, 2, 104), first + 5 + 4);
}

TEST_F(DramChannelTest, read_to_write_turns_the_bus) {
  dram.activate(0, 7, 0);
  const MemoryCycle end = dram.access(0, Direction::read, 1, 100);
  EXPECT_EQ(end, 113U);
  EXPECT_EQ(dram.earliest_column(0, Direction::write), 113U + 2 - 5) << "write data two cycles after read data";
  dram.access(0, Direction::write, 1, 110);
  EXPECT_EQ(dram.turns(), 1U);
}

TEST_F(DramChannelTest, write_to_read_waits_for_the_data_and_tCDLR_in_every_bank) {
  dram.activate(0, 7, 0);
  dram.activate(1, 7, 10);
  dram.access(0, Direction::write, 2, 100);
  EXPECT_EQ(dram.earliest_column(0, Direction::read), 100U + 5 + 4 + 7);
  EXPECT_EQ(dram.earliest_column(1, Direction::read), 100U + 5 + 4 + 7);
  EXPECT_EQ(dram.earliest_column(1, Direction::write), 104U);
}

TEST_F(DramChannelTest, read_to_precharge_tRTP) {
  dram.activate(0, 7, 0);
  dram.access(0, Direction::read, 3, 100);
  EXPECT_EQ(dram.earliest_precharge(0), 104U + 3) << "after the third command";
}

TEST_F(DramChannelTest, write_recovery_tWR) {
  dram.activate(0, 7, 0);
  dram.access(0, Direction::write, 1, 100);
  EXPECT_EQ(dram.earliest_precharge(0), 100U + 5 + 2 + 14);
}

TEST_F(DramChannelTest, commands_use_the_slots_between_the_bursts) {
  dram.activate(0, 7, 0);
  dram.access(0, Direction::read, 3, 100);  // commands at 100, 102, 104
  EXPECT_EQ(dram.command_slot(100), 101U);
  EXPECT_EQ(dram.command_slot(101), 101U);
  EXPECT_EQ(dram.command_slot(102), 103U);
  EXPECT_EQ(dram.command_slot(104), 105U);
  EXPECT_EQ(dram.command_slot(105), 105U);
}

struct RefreshTest : DramChannelTest {
  static DramSpec often() {
    DramSpec spec = data_sheet();
    spec.timing.refresh_interval_ns = 1000;
    return spec;
  }
  RefreshTest() : DramChannelTest(often()) {}
};

TEST_F(RefreshTest, closes_the_rows_and_takes_tRFC) {
  dram.activate(3, 7, 900);
  EXPECT_FALSE(dram.refresh_up_to(999));
  EXPECT_TRUE(dram.refresh_up_to(1000));
  EXPECT_EQ(dram.open_row(3), DramChannel::no_row);
  EXPECT_EQ(dram.earliest_activate(0), 1000U + 12 + 60) << "precharge all, then refresh";
  EXPECT_EQ(dram.refreshes(), 1U);
}

TEST_F(RefreshTest, waits_for_writes_to_recover) {
  dram.activate(3, 7, 900);
  dram.access(3, Direction::write, 1, 999);
  EXPECT_TRUE(dram.refresh_up_to(1000));
  EXPECT_EQ(dram.earliest_activate(0), 999U + 5 + 2 + 14 + 12 + 60);
}

TEST_F(RefreshTest, does_not_depend_on_when_it_is_worked_out) {
  DramChannel late(path);
  for (DramChannel* channel : {&dram, &late}) channel->activate(0, 1, 500);
  for (MemoryCycle now = 1000; now <= 9500; ++now) dram.refresh_up_to(now);
  late.refresh_up_to(9500);
  EXPECT_EQ(dram.earliest_activate(0), late.earliest_activate(0));
  EXPECT_EQ(dram.refreshes(), late.refreshes());
  EXPECT_EQ(dram.refresh_due(), late.refresh_due());
  EXPECT_EQ(dram.refresh_due(), 10000U);
}

TEST_F(RefreshTest, a_long_sleep_costs_nothing) {
  constexpr MemoryCycle year = 1'000'000'000'000'000;
  EXPECT_FALSE(dram.refresh_up_to(year)) << "no row was open";
  EXPECT_EQ(dram.refreshes(), year / 1000);
}

}  // namespace
}  // namespace teslasim::testing
