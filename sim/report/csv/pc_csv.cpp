// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/pc_csv.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sim/base/csv.h"
#include "sim/report/csv/slot_columns.h"

namespace teslasim {
namespace {

std::vector<std::string> header() {
  std::vector<std::string> names{"launch",        "kernel",          "pc", "size", "text", "src_line", "warp_issues",
                                 "thread_issues", "active_lanes_avg"};
  for (const SlotColumn& column : slot_columns()) names.emplace_back(column.name);
  for (const char* name : {"blamed_pc", "tx32", "tx64", "tx128", "bytes"}) names.emplace_back(name);
  for (unsigned degree = 1; degree <= most_conflict_degree; ++degree)
    names.push_back("conflict_deg_" + std::to_string(degree));
  for (const char* name : {"divergent", "lat_min", "lat_p50", "lat_p95", "lat_max", "target", "requests", "bytes_used"})
    names.emplace_back(name);
  return names;
}

constexpr std::array<const char*, 4> latency_columns{"lat_min", "lat_p50", "lat_p95", "lat_max"};

InstructionRow row_of(std::uint64_t launch, const std::string& kernel, const ListingLine& line,
                      const PcStatistics& pc) {
  InstructionRow row;
  row.launch = launch;
  row.kernel = kernel;
  row.line = line;
  row.warp_issues = pc.warp_issues;
  row.thread_issues = pc.thread_issues;
  for (const SlotColumn& column : slot_columns()) {
    std::uint64_t& slots = row.slots.emplace_back();
    for (const SlotReason reason : column.reasons) slots += pc.slots[reason];
  }
  if (!pc.blamed.empty()) row.blamed = pc.blamed.front().first;
  row.transactions_32 = pc.memory.transactions_32;
  row.transactions_64 = pc.memory.transactions_64;
  row.transactions_128 = pc.memory.transactions_128;
  row.bytes = pc.memory.bytes;
  for (unsigned degree = 1; degree <= most_conflict_degree; ++degree) row.conflicts[degree] = pc.shared.degree[degree];
  row.divergent = pc.divergent;
  const LatencyHistogram& latency = pc.latency;
  if (latency.count() != 0) {
    row.latency = {latency.least(), latency.percentile(50), latency.percentile(95), latency.greatest()};
    for (std::uint64_t& cycles : *row.latency) cycles *= sp_cycles_per_sm_cycle;
  }
  row.requests = pc.memory.requests_half_warp;
  row.bytes_used = pc.memory.bytes_used;
  return row;
}

std::string address_text(const std::optional<std::uint32_t>& address) {
  return address ? fmt::format("0x{:04x}", *address) : "";
}

std::vector<std::string> fields_of(const InstructionRow& row) {
  std::vector<std::string> fields{std::to_string(row.launch),
                                  row.kernel,
                                  address_text(row.line.pc),
                                  std::to_string(row.line.bytes),
                                  row.line.text,
                                  row.line.source_line == 0 ? "" : std::to_string(row.line.source_line),
                                  std::to_string(row.warp_issues),
                                  std::to_string(row.thread_issues),
                                  fmt::format("{:.2f}", row.active_lanes())};
  const auto add = [&fields](std::uint64_t count) { fields.push_back(std::to_string(count)); };
  for (const std::uint64_t slots : row.slots) add(slots);
  fields.push_back(address_text(row.blamed));
  for (const std::uint64_t count : {row.transactions_32, row.transactions_64, row.transactions_128, row.bytes})
    add(count);
  for (unsigned degree = 1; degree <= most_conflict_degree; ++degree) add(row.conflicts[degree]);
  add(row.divergent);
  for (std::size_t i = 0; i < latency_columns.size(); ++i)
    fields.push_back(row.latency ? std::to_string((*row.latency)[i]) : "");
  fields.push_back(address_text(row.line.target));
  add(row.requests);
  add(row.bytes_used);
  return fields;
}

std::optional<std::uint32_t> read_address(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 16));
}

InstructionRow read_row(const CsvTable& table, std::size_t i) {
  InstructionRow row;
  row.launch = table.whole(i, "launch");
  row.kernel = table.text(i, "kernel");
  row.line.pc = read_address(table.text(i, "pc")).value_or(0);
  row.line.bytes = static_cast<std::uint32_t>(table.whole(i, "size"));
  row.line.text = table.text(i, "text");
  row.line.source_line = static_cast<std::uint32_t>(table.whole(i, "src_line"));
  row.line.target = read_address(table.text(i, "target"));
  row.warp_issues = table.whole(i, "warp_issues");
  row.thread_issues = table.whole(i, "thread_issues");
  for (const SlotColumn& column : slot_columns()) row.slots.push_back(table.whole(i, column.name));
  row.blamed = read_address(table.text(i, "blamed_pc"));
  row.transactions_32 = table.whole(i, "tx32");
  row.transactions_64 = table.whole(i, "tx64");
  row.transactions_128 = table.whole(i, "tx128");
  row.bytes = table.whole(i, "bytes");
  for (unsigned degree = 1; degree <= most_conflict_degree; ++degree)
    row.conflicts[degree] = table.whole(i, "conflict_deg_" + std::to_string(degree));
  row.divergent = table.whole(i, "divergent");
  if (!table.text(i, "lat_min").empty()) {
    std::array<std::uint64_t, 4>& latency = row.latency.emplace();
    for (std::size_t k = 0; k < latency.size(); ++k) latency[k] = table.whole(i, latency_columns[k]);
  }
  row.requests = table.whole(i, "requests");
  row.bytes_used = table.whole(i, "bytes_used");
  return row;
}

}  // namespace

double InstructionRow::active_lanes() const {
  return warp_issues == 0 ? 0.0 : static_cast<double>(thread_issues) / static_cast<double>(warp_issues);
}

std::vector<InstructionRow> instruction_rows(const Result& result) {
  std::vector<InstructionRow> rows;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const LaunchResult& launch = result.launches[i];
    for (std::size_t index = 0; index < launch.listing.size(); ++index) {
      const PcStatistics none;
      const auto& pcs = launch.statistics.pcs;
      rows.push_back(row_of(result.number_of(i), launch.statistics.kernel, launch.listing[index],
                            index < pcs.size() ? pcs[index] : none));
    }
  }
  return rows;
}

std::string pc_csv(const Result& result) {
  std::string text = csv_row(header());
  for (const InstructionRow& row : instruction_rows(result)) text += csv_row(fields_of(row));
  return text;
}

std::vector<InstructionRow> read_pc_csv(const std::string& text) {
  const CsvTable table = CsvTable::parse(text);
  std::vector<InstructionRow> rows;
  rows.reserve(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) rows.push_back(read_row(table, i));
  return rows;
}

}  // namespace teslasim
