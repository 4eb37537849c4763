// SPDX-License-Identifier: Apache-2.0
// Statistics of the memory side: partitions, translation, latency.
#include <algorithm>
#include <array>
#include <utility>

#include "sim/report/statistic_writer.h"

namespace teslasim {

namespace {

void write_partition(StatisticWriter row, std::size_t number, const PartitionStatistics& partition) {
  row.count("partition", number);
  row.count("read_transactions", partition.read_transactions);
  row.count("write_transactions", partition.write_transactions);
  row.count("read_bytes", partition.read_bytes);
  row.count("write_bytes", partition.write_bytes);
  row.count("busy_cycles", partition.busy_cycles);
  row.count("atomic_operations", partition.atomic_operations);
  row.count("row_hits", partition.row_hits);
  row.count("row_misses", partition.row_misses);
  row.count("activates", partition.activates);
  row.count("refreshes", partition.refreshes);
  row.count("turns", partition.turns);
  row.count("queue_cycles", partition.queue_cycles);
  row.count("queue_deepest", partition.queue_deepest);
  StatisticWriter bus = row.below("bus_cycles");
  for (std::size_t i = 0; i < bus_use_count; ++i) bus.count(bus_use_names[i], partition.bus[i]);
  std::uint64_t cycles = 0;
  for (const std::uint64_t use : partition.bus) cycles += use;
  const char* why = "no time passed";
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

}  // namespace

void write_dram(StatisticWriter out, const LaunchStatistics& launch, const MachineFacts& machine) {
  const DramSums sums(launch.partitions);
  const auto bytes = static_cast<double>(sums.read + sums.written);
  const auto ratio = [&](const std::string& name, double part, double whole, const char* why) {
    out.ratio(name, part, launch.timed ? whole : 0.0, launch.timed ? why : functional_why);
  };
  launch.timed ? out.count("read_bytes", sums.read) : out.absent("read_bytes", functional_why);
  launch.timed ? out.count("write_bytes", sums.written) : out.absent("write_bytes", functional_why);
  ratio("row_hit_pct", 100.0 * static_cast<double>(sums.hits), static_cast<double>(sums.served),
        "nothing was accessed");
  const double seconds = static_cast<double>(launch.duration) * 1e-15;
  ratio("utilisation_pct", 100.0 * bytes, seconds * machine.peak_gbs_dram * 1e9, "no time passed");
  ratio("imbalance", static_cast<double>(sums.most_bytes * launch.partitions.size()), bytes, "nothing was accessed");
  for (std::size_t i = 0; i < bus_use_count; ++i) {
    ratio("bus_pct/" + std::string(bus_use_names[i]), 100.0 * static_cast<double>(sums.bus[i]),
          static_cast<double>(sums.cycles), "no time passed");
  }
  for (std::size_t i = 0; i < launch.partitions.size(); ++i) {
    write_partition(out.element("partitions", i), i, launch.partitions[i]);
  }
}

void write_tlb(StatisticWriter out, const LaunchStatistics& launch) {
  const std::pair<const char*, std::uint64_t> rows[] = {{"l1_look_ups", launch.tlb.l1_look_ups},
                                                        {"l1_misses", launch.tlb.l1_misses},
                                                        {"l2_look_ups", launch.tlb.l2_look_ups},
                                                        {"walks", launch.tlb.walks}};
  for (const auto& [name, value] : rows) launch.timed ? out.count(name, value) : out.absent(name, functional_why);
}

void write_latency(StatisticWriter out, const LaunchStatistics& launch) {
  const RequestLatency& latency = launch.request_latency;
  if (!launch.timed) {
    out.absent("answers", functional_why);
    out.absent("mean_ns", functional_why);
    for (const std::string_view stage : memory_stage_names)
      out.absent("stages_ns/" + std::string(stage), functional_why);
    return out.absent("histogram", functional_why);
  }
  constexpr double ns = 1e-6;
  const auto answers = static_cast<double>(latency.answers);
  out.count("answers", latency.answers);
  out.ratio("mean_ns", static_cast<double>(latency.total) * ns, answers, "nothing was answered");
  for (std::size_t i = 0; i < memory_stage_count; ++i) {
    out.ratio("stages_ns/" + std::string(memory_stage_names[i]), static_cast<double>(latency.stage[i]) * ns, answers,
              "nothing was answered");
  }
  for (std::size_t i = 0; i < RequestLatency::bins; ++i) {
    out.count("histogram/" + std::to_string(i * 50), latency.histogram[i]);
  }
}

void write_texture_units(StatisticWriter out, const LaunchStatistics& launch) {
  const TextureStatistics& textures = launch.textures;
  const std::initializer_list<std::pair<const char*, std::uint64_t>> counts{
      {"requests", textures.requests},
      {"replies", textures.replies},
      {"line_requests", textures.line_requests},
      {"line_replies", textures.line_replies},
      {"memory_transactions", textures.reads},
      {"memory_bytes", textures.read_bytes},
      {"address_cycles", textures.address_cycles},
      {"filter_cycles", textures.filter_cycles},
      {"held_back_cycles", textures.held_back_cycles}};
  for (const auto& [name, value] : counts) launch.timed ? out.count(name, value) : out.absent(name, functional_why);
}

}  // namespace teslasim
