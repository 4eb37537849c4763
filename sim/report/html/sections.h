// SPDX-License-Identifier: Apache-2.0
// The sections of the report, in their order on the page. Each returns HTML; where a run lacks the numbers (functional
// mode, no intervals, an older version), a section says so instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/slot_reason.h"
#include "sim/report/result/finished_run.h"

namespace teslasim {

/// Peaks of a machine, for the chart of all machines.
struct MachinePeaks {
  std::string name;
  double gbs = 0.0, gflops = 0.0;
};

/// The colour of a reason: the same everywhere in the report, told apart by people with any kind of colour vision (hue
/// and lightness differ).
[[nodiscard]] inline std::string_view color_of(SlotReason reason) {
  return info(reason).colour;
}

/// Why the partitions may have been busy one after the other and nobody sees it; empty where it is seen, or where no
/// memory was used.
[[nodiscard]] std::string unseen_camping(const StatisticTree& launch);

/// What a reader must know before any number: empty for a whole run.
[[nodiscard]] std::string banner_of(const FinishedRun& run);
[[nodiscard]] std::string header_section(const FinishedRun& run);          ///< 1
[[nodiscard]] std::string verdict_section(const FinishedRun& run);         ///< 2
[[nodiscard]] std::string speed_of_light_section(const FinishedRun& run);  ///< 3
[[nodiscard]] std::string slots_section(const FinishedRun& run);           ///< 4
[[nodiscard]] std::string occupancy_section(const FinishedRun& run);       ///< 5
[[nodiscard]] std::string shared_section(const FinishedRun& run);          ///< 6
[[nodiscard]] std::string global_section(const FinishedRun& run);          ///< 7
[[nodiscard]] std::string listing_section(const FinishedRun& run);         ///< 8
[[nodiscard]] std::string time_section(const FinishedRun& run);            ///< 9
/// SMs whose blocks section 9 shows.
[[nodiscard]] std::vector<std::uint64_t> sms_with_blocks(const FinishedRun& run);
[[nodiscard]] std::string memory_chart_section(const FinishedRun& run);  ///< 10
[[nodiscard]] std::string models_section(const FinishedRun& run);        ///< 11
[[nodiscard]] std::string roofline_section(const FinishedRun& run,
                                           const std::vector<MachinePeaks>& machines);  ///< 12
[[nodiscard]] std::string compare_section(const std::vector<FinishedRun>& runs);  ///< 13; of two runs 0: the first two
[[nodiscard]] std::string configuration_section(const FinishedRun& run);          ///< 14
[[nodiscard]] std::string data_section(const FinishedRun& run);                   ///< 15

}  // namespace teslasim
