// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/memory_balance.h"

#include <gtest/gtest.h>

#include "sim/report/text/hints.h"

namespace teslasim {
namespace {

constexpr unsigned two_partitions = interval_memory_columns + 2 * interval_partition_columns;
constexpr unsigned first_queue = interval_memory_columns + 1,
                   second_queue = interval_memory_columns + interval_partition_columns + 1;

/// 100 memory cycles on two partitions.
LaunchStatistics launch_of_two_partitions() {
  LaunchStatistics launch;
  launch.partitions.resize(2);
  for (PartitionStatistics& partition : launch.partitions) partition.bus[static_cast<std::size_t>(BusUse::idle)] = 100;
  launch.intervals.memory = IntervalSeries(two_partitions, 4);
  return launch;
}

TEST(MemoryBalance, crowds_that_move_on_are_even_in_sum_and_camping_at_each_moment) {
  LaunchStatistics launch = launch_of_two_partitions();
  launch.intervals.memory.add_at(first_queue, 0, 300);
  launch.intervals.memory.add_at(second_queue, 4, 300);
  const std::optional<QueueBalance> balance = queue_balance(launch);
  ASSERT_TRUE(balance);
  EXPECT_EQ(balance->camping_pct, 100.0);
  EXPECT_EQ(balance->fullest_mean, 6.0);
}

TEST(MemoryBalance, equal_queues_are_no_camping) {
  LaunchStatistics launch = launch_of_two_partitions();
  launch.intervals.memory.add_at(first_queue, 0, 300);
  launch.intervals.memory.add_at(second_queue, 0, 300);
  EXPECT_EQ(queue_balance(launch)->camping_pct, 0.0);
  EXPECT_EQ(queue_balance(launch)->fullest_mean, 3.0);
}

TEST(MemoryBalance, is_not_known_without_series_or_requests) {
  EXPECT_FALSE(queue_balance(LaunchStatistics{}));
  EXPECT_FALSE(queue_balance(launch_of_two_partitions()));
}

TEST(MemoryBalance, atomics_are_those_of_the_busiest_partition) {
  LaunchStatistics launch = launch_of_two_partitions();
  EXPECT_EQ(atomics_pct(launch), 0.0);
  launch.partitions[1].atomic_cycles = 60;
  EXPECT_EQ(atomics_pct(launch), 60.0);
}

TEST(MemoryBalance, a_launch_drains_when_the_last_block_of_any_sm_has_ended) {
  LaunchStatistics launch;
  EXPECT_EQ(drain_cycles(launch), SmCycle{0});
  launch.sms.resize(3);
  launch.sms[0].blocks = launch.sms[1].blocks = 1;
  launch.sms[0].slots[SlotReason::empty_tail] = 70;
  launch.sms[1].slots[SlotReason::empty_tail] = 50;
  EXPECT_EQ(drain_cycles(launch), SmCycle{50}) << "the third SM never had a block";
}

TEST(MemoryBalance, more_blocks_are_no_advice_for_a_launch_that_drains) {
  LaunchStatistics launch;
  launch.shader_cycles = 200;
  launch.sms.resize(1);
  launch.sms[0].blocks = 1;
  launch.slots[SlotReason::issued] = 20;
  launch.slots[SlotReason::empty_tail] = launch.sms[0].slots[SlotReason::empty_tail] = 80;
  EXPECT_EQ(best_hint(launch).topic, "");
  launch.partitions.resize(1);
  launch.partitions[0].bus[0] = 100;
  launch.partitions[0].atomic_cycles = 90;
  EXPECT_EQ(best_hint(launch).topic, "atomics");
  launch.sms[0].slots[SlotReason::empty_tail] = 0;
  EXPECT_EQ(best_hint(launch).topic, "grid-size") << "another SM worked until the end";
}

}  // namespace
}  // namespace teslasim
