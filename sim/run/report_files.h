// SPDX-License-Identifier: Apache-2.0
// report.html of finished runs.
#pragma once

#include <string>
#include <vector>

#include "sim/report/result/finished_run.h"

namespace teslasim {

/// The page about the first run, compared with the second when there is one.
[[nodiscard]] std::string report_page(const std::vector<FinishedRun>& runs);
/// Writes the page about the first run, compared with the second when there is one, to `file`.
void write_report(const std::vector<FinishedRun>& runs, const std::string& file);

}  // namespace teslasim
