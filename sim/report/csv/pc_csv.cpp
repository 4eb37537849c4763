// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/pc_csv.h"

#include <fmt/format.h>

#include "sim/base/csv.h"
#include "sim/report/csv/slot_columns.h"

namespace teslasim {
namespace {

constexpr std::uint64_t shader_cycles_per_sm_cycle = 2;

std::vector<std::string> header() {
  std::vector<std::string> names{"launch",        "kernel",          "pc", "size", "text", "src_line", "warp_issues",
                                 "thread_issues", "active_lanes_avg"};
  for (const SlotColumn& column : slot_columns()) names.emplace_back(column.name);
  for (const char* name : {"blamed_pc", "tx32", "tx64", "tx128", "bytes"}) names.emplace_back(name);
  for (unsigned degree = 1; degree <= 16; ++degree) names.push_back("conflict_deg_" + std::to_string(degree));
  for (const char* name : {"divergent", "lat_min", "lat_p50", "lat_p95", "lat_max", "target", "requests", "bytes_used"})
    names.emplace_back(name);
  return names;
}

std::vector<std::string> row(std::size_t launch, const std::string& kernel, const ListingLine& line,
                             const PcStatistics& pc) {
  const double lanes =
      pc.warp_issues == 0 ? 0.0 : static_cast<double>(pc.thread_issues) / static_cast<double>(pc.warp_issues);
  std::vector<std::string> fields{std::to_string(launch),
                                  kernel,
                                  fmt::format("0x{:04x}", line.pc),
                                  std::to_string(line.bytes),
                                  line.text,
                                  line.source_line == 0 ? "" : std::to_string(line.source_line),
                                  std::to_string(pc.warp_issues),
                                  std::to_string(pc.thread_issues),
                                  fmt::format("{:.2f}", lanes)};
  for (const SlotColumn& column : slot_columns()) {
    std::uint64_t slots = 0;
    for (const SlotReason reason : column.reasons) slots += pc.slots[reason];
    fields.push_back(std::to_string(slots));
  }
  fields.push_back(pc.blamed.empty() ? "" : fmt::format("0x{:04x}", pc.blamed.front().first));
  for (const std::uint64_t count :
       {pc.memory.transactions_32, pc.memory.transactions_64, pc.memory.transactions_128, pc.memory.bytes}) {
    fields.push_back(std::to_string(count));
  }
  for (unsigned degree = 1; degree <= 16; ++degree) fields.push_back(std::to_string(pc.shared.degree[degree]));
  fields.push_back(std::to_string(pc.divergent));
  const LatencyHistogram& latency = pc.latency;
  const std::uint64_t values[] = {latency.least(), latency.percentile(50), latency.percentile(95), latency.greatest()};
  for (const std::uint64_t sm_cycles : values) {
    fields.push_back(latency.count() == 0 ? "" : std::to_string(shader_cycles_per_sm_cycle * sm_cycles));
  }
  fields.push_back(line.target ? fmt::format("0x{:04x}", *line.target) : "");
  fields.push_back(std::to_string(pc.memory.requests_half_warp));
  fields.push_back(std::to_string(pc.memory.bytes_used));
  return fields;
}

}  // namespace

std::string pc_csv(const Result& result) {
  std::string text = csv_row(header());
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const LaunchResult& launch = result.launches[i];
    for (std::size_t index = 0; index < launch.listing.size(); ++index) {
      const PcStatistics none;
      const auto& pcs = launch.statistics.pcs;
      text += csv_row(row(result.number_of(i), launch.statistics.kernel, launch.listing[index],
                          index < pcs.size() ? pcs[index] : none));
    }
  }
  return text;
}

}  // namespace teslasim
