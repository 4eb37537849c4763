// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/memory_balance.h"

#include <algorithm>
#include <numeric>

namespace teslasim {
namespace {

constexpr double hundred = 100.0;

double memory_cycles(const PartitionStatistics& partition) {
  return static_cast<double>(std::accumulate(partition.bus.begin(), partition.bus.end(), std::uint64_t{0}));
}

}  // namespace

std::optional<QueueBalance> queue_balance(const LaunchStatistics& launch) {
  const IntervalSeries& series = launch.intervals.memory;
  const std::size_t partitions = launch.partitions.size();
  if (!series.recorded() || partitions == 0) return std::nullopt;
  double fullest = 0.0, all = 0.0;
  for (std::size_t row = 0; row < series.rows(); ++row) {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < partitions; ++i) {
      const auto queue = static_cast<unsigned>(interval_memory_columns + interval_partition_columns * i + 1);
      const std::uint64_t transactions = series.at(row, queue);
      most = std::max(most, transactions);
      all += static_cast<double>(transactions);
    }
    fullest += static_cast<double>(most);
  }
  const double cycles = memory_cycles(launch.partitions.front());
  if (all == 0.0 || cycles == 0.0) return std::nullopt;
  const double others = static_cast<double>(partitions - 1);
  QueueBalance balance;
  if (partitions > 1)
    balance.camping_pct = hundred * (fullest * static_cast<double>(partitions) - all) / (all * others);
  balance.fullest_mean = fullest / cycles;
  return balance;
}

double atomics_pct(const LaunchStatistics& launch) {
  double most = 0.0;
  for (const PartitionStatistics& partition : launch.partitions) {
    const double cycles = memory_cycles(partition);
    if (cycles > 0.0) most = std::max(most, hundred * static_cast<double>(partition.atomic_cycles) / cycles);
  }
  return most;
}

SmCycle drain_cycles(const LaunchStatistics& launch) {
  // The SM that had a block last was without one only then.
  std::optional<std::uint64_t> least;
  for (const SmStatistics& sm : launch.sms) {
    if (sm.blocks == 0) continue;
    const std::uint64_t tail = sm.slots[SlotReason::empty_tail];
    least = least ? std::min(*least, tail) : tail;
  }
  return SmCycle{least.value_or(0)};
}

}  // namespace teslasim
