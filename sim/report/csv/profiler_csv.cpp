// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/profiler_csv.h"

#include "sim/base/csv.h"

namespace teslasim {

std::string profiler_csv(const Result& result) {
  std::string text = csv_row({"launch", "kernel", "counter", "scope", "value", "description"});
  for (std::size_t launch = 0; launch < result.launches.size(); ++launch) {
    const LaunchStatistics& statistics = result.launches[launch].statistics;
    for (std::size_t i = 0; i < profiler_counters.size(); ++i) {
      const ProfilerCounterInfo& counter = profiler_counters[i];
      const bool known = statistics.timed && statistics.profiler.has(counter);
      text += csv_row({std::to_string(result.number_of(launch)), statistics.kernel, std::string(counter.name),
                       counter.scope == ProfilerScope::sm ? "sm0" : "tpc0",
                       known ? std::to_string(statistics.profiler.counts[i]) : "", std::string(counter.description)});
    }
  }
  return text;
}

}  // namespace teslasim
