// SPDX-License-Identifier: Apache-2.0
// The sections of the report, in their order on the page. Each returns HTML; where a run lacks the numbers (functional
// mode, no intervals, an older version), a section says so instead.
#pragma once

#include <string>
#include <vector>

#include "sim/report/html/report_run.h"

namespace teslasim {

/// What a reader must know before any number: empty for a whole run.
[[nodiscard]] std::string banner_of(const ReportRun& run);
[[nodiscard]] std::string header_section(const ReportRun& run);          ///< 1
[[nodiscard]] std::string verdict_section(const ReportRun& run);         ///< 2
[[nodiscard]] std::string speed_of_light_section(const ReportRun& run);  ///< 3
[[nodiscard]] std::string slots_section(const ReportRun& run);           ///< 4
[[nodiscard]] std::string occupancy_section(const ReportRun& run);       ///< 5
[[nodiscard]] std::string shared_section(const ReportRun& run);          ///< 6
[[nodiscard]] std::string global_section(const ReportRun& run);          ///< 7
[[nodiscard]] std::string listing_section(const ReportRun& run);         ///< 8
[[nodiscard]] std::string time_section(const ReportRun& run);            ///< 9
/// SMs whose blocks section 9 shows.
[[nodiscard]] std::vector<std::string> sms_with_blocks(const ReportRun& run);
[[nodiscard]] std::string memory_chart_section(const ReportRun& run);           ///< 10
[[nodiscard]] std::string models_section(const ReportRun& run);                 ///< 11
[[nodiscard]] std::string roofline_section(const ReportRun& run);               ///< 12
[[nodiscard]] std::string compare_section(const std::vector<ReportRun>& runs);  ///< 13; of two runs 0: the first two
[[nodiscard]] std::string configuration_section(const ReportRun& run);          ///< 14
[[nodiscard]] std::string data_section(const ReportRun& run);                   ///< 15

}  // namespace teslasim
