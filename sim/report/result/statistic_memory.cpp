// SPDX-License-Identifier: Apache-2.0
// Statistics of the memory side: partitions, translation, latency.
#include <algorithm>

#include "sim/report/result/counted_rows.h"
#include "sim/report/result/memory_balance.h"
#include "sim/report/result/statistic_writer.h"

namespace teslasim {

namespace {

/// Why no cycle of a data bus has an owner.
const char* no_bus_why(bool served) {
  return served ? "the memory model behind the TLM-2.0 socket has its own account" : "no time passed";
}

void write_partition(StatisticWriter row, std::size_t number, const PartitionStatistics& partition) {
  row.count("partition", number);
  for (const Statistic& counted : counted_rows(partition, true)) row.put(counted.path, counted.value);
  std::uint64_t cycles = 0;
  for (const std::uint64_t use : partition.bus) cycles += use;
  const char* why = no_bus_why(partition.queue_cycles != 0);
  row.ratio("utilisation_pct", 100.0 * static_cast<double>(partition.busy_cycles), static_cast<double>(cycles), why);
  row.ratio("queue_mean", static_cast<double>(partition.queue_cycles), static_cast<double>(cycles), why);
}

/// All partitions together.
struct DramSums {
  std::uint64_t read = 0, written = 0, hits = 0, served = 0, most_bytes = 0, cycles = 0;
  BusCycles bus{};
  explicit DramSums(const std::vector<PartitionStatistics>& partitions) {
    for (const PartitionStatistics& partition : partitions) {
      read += partition.read_bytes;
      written += partition.write_bytes;
      most_bytes = std::max(most_bytes, partition.read_bytes + partition.write_bytes);
      hits += partition.row_hits;
      served += partition.row_hits + partition.row_misses;
      for (std::size_t i = 0; i < bus_use_count; ++i) {
        bus[i] += partition.bus[i];
        cycles += partition.bus[i];
      }
    }
  }
};

/// What only the series over time can tell.
void write_queues(StatisticWriter out, const LaunchStatistics& launch) {
  const std::optional<QueueBalance> balance = launch.timed ? queue_balance(launch) : std::nullopt;
  if (balance) {
    out.put("camping_pct", balance->camping_pct);
    return out.put("fullest_queue_mean", balance->fullest_mean);
  }
  const char* why = !launch.timed                  ? functional_why
                    : !launch.intervals.recorded() ? "no series over time was kept"
                                                   : "nothing was accessed";
  out.absent("camping_pct", why);
  out.absent("fullest_queue_mean", why);
}

}  // namespace

void write_dram(StatisticWriter out, const LaunchStatistics& launch, const MachineFacts& machine) {
  const DramSums sums(launch.partitions);
  const auto bytes = static_cast<double>(sums.read + sums.written);
  const auto ratio = [&](const std::string& name, double part, double whole, const char* why) {
    out.ratio(name, part, launch.timed ? whole : 0.0, launch.timed ? why : functional_why);
  };
  launch.timed ? out.count("read_bytes", sums.read) : out.absent("read_bytes", functional_why);
  launch.timed ? out.count("write_bytes", sums.written) : out.absent("write_bytes", functional_why);
  const bool accessed = bytes != 0.0;
  ratio("row_hit_pct", 100.0 * static_cast<double>(sums.hits), static_cast<double>(sums.served),
        accessed ? no_bus_why(accessed) : "nothing was accessed");
  const double seconds = static_cast<double>(launch.duration) * 1e-15;
  ratio("utilisation_pct", 100.0 * bytes, seconds * machine.peak_gbs_dram * 1e9, "no time passed");
  ratio("imbalance", static_cast<double>(sums.most_bytes * launch.partitions.size()), bytes, "nothing was accessed");
  write_queues(out, launch);
  launch.timed ? out.put("atomics_pct", atomics_pct(launch)) : out.absent("atomics_pct", functional_why);
  for (std::size_t i = 0; i < bus_use_count; ++i) {
    ratio("bus_pct/" + std::string(bus_use_names[i]), 100.0 * static_cast<double>(sums.bus[i]),
          static_cast<double>(sums.cycles), no_bus_why(accessed));
  }
  for (std::size_t i = 0; i < launch.partitions.size(); ++i) {
    write_partition(out.element("partitions", i), i, launch.partitions[i]);
  }
}

void write_latency(CountedRows& counted, const StatisticWriter& launch_writer, const LaunchStatistics& launch) {
  const RequestLatency& latency = launch.request_latency;
  StatisticWriter out = launch_writer.below("latency");
  counted.write(launch_writer, "latency/answers");
  constexpr double ns = 1e-6;
  const char* why = launch.timed ? "nothing was answered" : functional_why;
  const auto answers = launch.timed ? static_cast<double>(latency.answers) : 0.0;
  out.ratio("mean_ns", static_cast<double>(latency.total) * ns, answers, why);
  for (std::size_t i = 0; i < memory_stage_count; ++i) {
    out.ratio("stages_ns/" + std::string(memory_stage_names[i]), static_cast<double>(latency.stage[i]) * ns, answers,
              why);
  }
  if (launch.timed) return counted.write(launch_writer, "latency/");
  counted.leave_out("latency/histogram/");
  out.absent("histogram", functional_why);
}

}  // namespace teslasim
