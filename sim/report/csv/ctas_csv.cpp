// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/ctas_csv.h"

#include "sim/base/csv.h"

namespace teslasim {

std::string ctas_csv(const Result& result) {
  constexpr Cycle shader_cycles_per_sm_cycle = 2;
  const auto shader = [](Cycle cycle) { return std::to_string(shader_cycles_per_sm_cycle * cycle); };
  std::string text = csv_row({"launch", "cta", "sm", "slot", "cycle_begin", "cycle_end"});
  for (std::size_t launch = 0; launch < result.launches.size(); ++launch) {
    const std::vector<SmStatistics>& sms = result.launches[launch].statistics.sms;
    for (std::size_t sm = 0; sm < sms.size(); ++sm) {
      for (const BlockTimes& block : sms[sm].block_times) {
        text += csv_row({std::to_string(result.number_of(launch)), std::to_string(block.block), std::to_string(sm),
                         std::to_string(block.slot), shader(block.begin),
                         block.end == BlockTimes::unfinished ? "" : shader(block.end)});
      }
    }
  }
  return text;
}

}  // namespace teslasim
