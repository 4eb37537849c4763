// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/intervals_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/csv.h"

namespace teslasim {
namespace {

constexpr Cycle shader_cycles_per_sm_cycle = 2;

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
  std::size_t launch = 0;
  int sm = -1;
  std::size_t row = 0;
  Cycle end = 0;  ///< of the launch, SM cycles
  std::size_t sms = 1;
};

double per(std::uint64_t sum, Cycle cycles) {
  return static_cast<double>(sum) / static_cast<double>(std::max<Cycle>(cycles, 1));
}

std::vector<std::string> fields_of(const Place& place, const IntervalSeries& series) {
  const Cycle begin = place.row * series.width();
  const Cycle end = std::min<Cycle>(begin + series.width(), place.end);
  std::vector<std::string> fields{std::to_string(place.launch), std::to_string(begin * shader_cycles_per_sm_cycle),
                                  std::to_string(end * shader_cycles_per_sm_cycle), std::to_string(place.sm)};
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (is_slot(i)) fields.push_back(std::to_string(series.at(place.row, i)));
  }
  for (const unsigned column : {interval_active, interval_eligible}) {
    fields.push_back(fmt::format("{:.3f}", per(series.at(place.row, column), (end - begin) * place.sms)));
  }
  return fields;
}

void add_memory(std::vector<std::string>& fields, const IntervalSeries& memory, const Place& place) {
  const Cycle cycles = std::min<Cycle>(memory.width(), place.end - place.row * memory.width());
  const std::uint64_t requests = memory.at(place.row, interval_noc_requests),
                      replies = memory.at(place.row, interval_noc_replies);
  for (unsigned column = 0; column < memory.columns(); ++column) {
    if (column == interval_noc_requests) {
      fields.push_back(fmt::format("{:.3f}", per(requests + replies, cycles)));
    } else if (column == interval_noc_replies) {
      fields.push_back(fmt::format("{:.3f}", per(replies, cycles)));
    } else {
      fields.push_back(std::to_string(memory.at(place.row, column)));
    }
  }
}

/// Rows that begin before the end of the launch.
std::size_t rows_in(const IntervalSeries& series, Cycle end) {
  return std::min<std::size_t>(series.rows(), (end + series.width() - 1) / series.width());
}

void add_launch(std::string& text, const LaunchStatistics& launch, std::size_t index, std::size_t columns) {
  const IntervalStatistics& intervals = launch.intervals;
  Place place;
  place.launch = index;
  place.end = launch.shader_cycles / shader_cycles_per_sm_cycle;
  place.sms = std::max<std::size_t>(launch.sms.size(), 1);
  for (place.row = 0; place.row < rows_in(intervals.gpu, place.end); ++place.row) {
    std::vector<std::string> fields = fields_of(place, intervals.gpu);
    add_memory(fields, intervals.memory, place);
    text += csv_row(fields);
  }
  place.sms = 1;
  for (std::size_t sm = 0; sm < intervals.sms.size(); ++sm) {
    place.sm = static_cast<int>(sm);
    for (place.row = 0; place.row < rows_in(intervals.sms[sm], place.end); ++place.row) {
      std::vector<std::string> fields = fields_of(place, intervals.sms[sm]);
      fields.resize(columns);
      text += csv_row(fields);
    }
  }
}

}  // namespace

std::string intervals_csv(const Result& result) {
  std::size_t partitions = 0;
  for (const LaunchResult& launch : result.launches) {
    partitions = std::max(partitions, launch.statistics.partitions.size());
  }
  const std::vector<std::string> names = header(partitions);
  std::string text = csv_row(names);
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    if (result.launches[i].statistics.intervals.recorded()) {
      add_launch(text, result.launches[i].statistics, result.number_of(i), names.size());
    }
  }
  return text;
}

}  // namespace teslasim
