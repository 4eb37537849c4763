// SPDX-License-Identifier: Apache-2.0
#include "sim/report/pc_csv.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

#include "sim/base/csv.h"

namespace teslasim {
namespace {

constexpr std::uint64_t shader_cycles_per_sm_cycle = 2;

/// One column that sums issue slots of some reasons.
struct SlotColumn {
  const char* name;
  std::initializer_list<SlotReason> reasons;
};

// Every reason of view A that an instruction can end is in exactly one column, so the columns of a line sum to its
// slots.
const std::array<SlotColumn, 21>& slot_columns() {
  using R = SlotReason;
  static const std::array<SlotColumn, 21> columns{{
      {"slots_issued", {R::issued}},
      {"slots_replay_shared", {R::replay_shared_bank}},
      {"slots_replay_const", {R::replay_const}},
      {"slots_replay_global", {R::replay_global}},
      {"slots_replay_atomic", {R::replay_atomic}},
      {"stall_dep_alu", {R::dep_alu}},
      {"stall_dep_sfu", {R::dep_sfu}},
      {"stall_dep_dp", {R::dep_dp}},
      {"stall_dep_reissue", {R::dep_reissue}},
      {"stall_mem_global", {R::mem_global}},
      {"stall_mem_local", {R::mem_local}},
      {"stall_mem_shared", {R::mem_shared}},
      {"stall_mem_const", {R::mem_const}},
      {"stall_mem_tex", {R::mem_tex}},
      {"stall_mem_queue", {R::mem_queue}},
      {"stall_barrier", {R::sync_barrier}},
      {"stall_membar", {R::sync_membar}},
      {"stall_pipe", {R::pipe_sp, R::pipe_sfu, R::pipe_dp, R::pipe_lsu, R::pipe_collector}},
      {"stall_fetch", {R::fetch}},
      {"stall_branch", {R::branch}},
      {"stall_empty", {R::empty_start, R::empty_tail, R::empty_occupancy}},
  }};
  return columns;
}

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
