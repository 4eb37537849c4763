// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/intervals_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/csv.h"

namespace teslasim {
namespace {

bool is_slot(unsigned reason) {
  return slot_reasons[reason].views != ReasonViews::B;
}

std::vector<std::string> header(std::size_t partitions) {
  std::vector<std::string> names{"launch", "cycle_begin", "cycle_end", "sm"};
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (is_slot(i)) names.push_back("slot_" + std::string(slot_reasons[i].name));
  }
  for (const char* name : {"active_warps", "eligible_warps", "dram_read_bytes", "dram_write_bytes", "dram_row_hits",
                           "noc_queue_avg", "noc_replies_avg"}) {
    names.emplace_back(name);
  }
  for (std::size_t i = 0; i < partitions; ++i) {
    names.push_back(fmt::format("partition{}_bytes", i));
    names.push_back(fmt::format("partition{}_queue_cycles", i));
  }
  return names;
}

struct Place {
  std::uint64_t launch = 0;
  std::optional<std::uint64_t> sm;
  SmCycle end = 0;  ///< of the launch, SM cycles
  std::size_t sms = 1;
};

double per(std::uint64_t sum, SmCycle cycles) {
  return static_cast<double>(sum) / static_cast<double>(std::max<SmCycle>(cycles, 1));
}

IntervalRow row_of(const Place& place, const IntervalSeries& series, std::size_t number) {
  const SmCycle begin = number * series.width();
  const SmCycle end = std::min<SmCycle>(begin + series.width(), place.end);
  IntervalRow row;
  row.launch = place.launch;
  row.begin = sp_cycles(begin);
  row.end = sp_cycles(end);
  row.sm = place.sm;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (is_slot(i)) row.slots[static_cast<SlotReason>(i)] = series.at(number, i);
  }
  row.active_warps = per(series.at(number, interval_active), (end - begin) * place.sms);
  row.eligible_warps = per(series.at(number, interval_eligible), (end - begin) * place.sms);
  return row;
}

IntervalMemory memory_of(const IntervalSeries& series, std::size_t number, SmCycle launch_end) {
  const SmCycle cycles = std::min<SmCycle>(series.width(), launch_end - number * series.width());
  const std::uint64_t requests = series.at(number, interval_noc_requests),
                      replies = series.at(number, interval_noc_replies);
  IntervalMemory memory;
  memory.read_bytes = series.at(number, interval_read_bytes);
  memory.write_bytes = series.at(number, interval_write_bytes);
  memory.row_hits = series.at(number, interval_row_hits);
  memory.requests = per(requests + replies, cycles);
  memory.replies = per(replies, cycles);
  for (unsigned column = interval_memory_columns; column < series.columns(); ++column)
    memory.partitions.push_back(series.at(number, column));
  return memory;
}

/// Rows that begin before the end of the launch.
std::size_t rows_in(const IntervalSeries& series, SmCycle end) {
  return std::min<std::size_t>(series.rows(), (end + series.width() - 1) / series.width());
}

void add_launch(std::vector<IntervalRow>& rows, const LaunchStatistics& launch, std::uint64_t index) {
  const IntervalStatistics& intervals = launch.intervals;
  Place place;
  place.launch = index;
  place.end = whole_sm_cycles(launch.shader_cycles);
  place.sms = std::max<std::size_t>(launch.sms.size(), 1);
  for (std::size_t i = 0; i < rows_in(intervals.gpu, place.end); ++i) {
    rows.push_back(row_of(place, intervals.gpu, i));
    rows.back().memory = memory_of(intervals.memory, i, place.end);
  }
  place.sms = 1;
  for (std::size_t sm = 0; sm < intervals.sms.size(); ++sm) {
    place.sm = sm;
    for (std::size_t i = 0; i < rows_in(intervals.sms[sm], place.end); ++i)
      rows.push_back(row_of(place, intervals.sms[sm], i));
  }
}

std::vector<std::string> fields_of(const IntervalRow& row) {
  std::vector<std::string> fields{std::to_string(row.launch), std::to_string(row.begin.count()),
                                  std::to_string(row.end.count()), row.sm ? std::to_string(*row.sm) : "-1"};
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (is_slot(i)) fields.push_back(std::to_string(row.slots[static_cast<SlotReason>(i)]));
  }
  fields.push_back(fmt::format("{:.3f}", row.active_warps));
  fields.push_back(fmt::format("{:.3f}", row.eligible_warps));
  if (!row.memory) return fields;
  const IntervalMemory& memory = *row.memory;
  for (const std::uint64_t count : {memory.read_bytes, memory.write_bytes, memory.row_hits})
    fields.push_back(std::to_string(count));
  fields.push_back(fmt::format("{:.3f}", memory.requests));
  fields.push_back(fmt::format("{:.3f}", memory.replies));
  for (const std::uint64_t count : memory.partitions) fields.push_back(std::to_string(count));
  return fields;
}

IntervalMemory read_memory(const CsvTable& table, std::size_t row) {
  IntervalMemory memory;
  memory.read_bytes = table.whole(row, "dram_read_bytes");
  memory.write_bytes = table.whole(row, "dram_write_bytes");
  memory.row_hits = table.whole(row, "dram_row_hits");
  memory.requests = table.number(row, "noc_queue_avg");
  memory.replies = table.number(row, "noc_replies_avg");
  for (const std::string& column : table.columns()) {
    if (column.starts_with("partition") && !table.text(row, column).empty())
      memory.partitions.push_back(table.whole(row, column));
  }
  return memory;
}

}  // namespace

std::vector<IntervalRow> interval_rows(const Result& result) {
  std::vector<IntervalRow> rows;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const LaunchStatistics& launch = result.launches[i].statistics;
    if (launch.intervals.recorded()) add_launch(rows, launch, result.number_of(i));
  }
  return rows;
}

std::string intervals_csv(const Result& result) {
  std::size_t partitions = 0;
  for (const LaunchResult& launch : result.launches) {
    partitions = std::max(partitions, launch.statistics.partitions.size());
  }
  const std::vector<std::string> names = header(partitions);
  std::string text = csv_row(names);
  for (const IntervalRow& row : interval_rows(result)) {
    std::vector<std::string> fields = fields_of(row);
    if (!row.memory) fields.resize(names.size());
    text += csv_row(fields);
  }
  return text;
}

std::vector<IntervalRow> read_intervals_csv(const std::string& text) {
  const CsvTable table = CsvTable::parse(text);
  std::vector<IntervalRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    IntervalRow row;
    row.launch = table.whole(i, "launch");
    row.begin = table.whole(i, "cycle_begin");
    row.end = table.whole(i, "cycle_end");
    for (unsigned reason = 0; reason < slot_reason_count; ++reason) {
      if (is_slot(reason))
        row.slots[static_cast<SlotReason>(reason)] = table.whole(i, "slot_" + std::string(slot_reasons[reason].name));
    }
    row.active_warps = table.number(i, "active_warps");
    row.eligible_warps = table.number(i, "eligible_warps");
    if (table.text(i, "sm") == "-1") {
      row.memory = read_memory(table, i);
    } else {
      row.sm = table.whole(i, "sm");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace teslasim
