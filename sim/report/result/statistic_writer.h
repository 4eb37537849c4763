// SPDX-License-Identifier: Apache-2.0
// How the list of statistics of a launch is made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/result/statistic.h"

namespace teslasim {

inline constexpr const char* functional_why = "functional mode has no time";

class CountedRows;

/// Appends values below a common prefix.
class StatisticWriter {
 public:
  StatisticWriter(std::vector<Statistic>& list, std::string prefix) : list_(list), prefix_(std::move(prefix)) {}
  void put(std::string_view name, StatisticValue value) {
    list_.push_back({prefix_ + std::string(name), std::move(value)});
  }
  void count(std::string_view name, std::uint64_t value) { put(name, value); }
  void text(std::string_view name, std::string value) { put(name, std::move(value)); }
  void absent(std::string_view name, std::string why) { put(name, NotApplicable{std::move(why)}); }
  /// A ratio, or null when its denominator is 0.
  void ratio(std::string_view name, double part, double whole, const char* why) {
    if (whole > 0.0) return put(name, part / whole);
    absent(name, why);
  }
  [[nodiscard]] StatisticWriter below(std::string_view name) const {
    return {list_, prefix_ + std::string(name) + '/'};
  }
  [[nodiscard]] StatisticWriter element(std::string_view name, std::size_t index) const {
    return {list_, prefix_ + std::string(name) + "/#" + std::to_string(index) + '/'};
  }

 private:
  std::vector<Statistic>& list_;
  std::string prefix_;
};

// The memory side, in statistic_memory.cpp.
void write_dram(StatisticWriter out, const LaunchStatistics& launch, const MachineFacts& machine);
void write_latency(CountedRows& counted, const StatisticWriter& launch_writer, const LaunchStatistics& launch);

}  // namespace teslasim
