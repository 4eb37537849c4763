// SPDX-License-Identifier: Apache-2.0
// report.html: a finished run in one file that needs no network and no other file.
#pragma once

#include <string>
#include <vector>

#include "sim/report/html/sections.h"
#include "sim/report/result/finished_run.h"

namespace teslasim {

/// The page of the first run; a second one is compared with it. `machines` are those of the chart of all machines.
[[nodiscard]] std::string html_report(const std::vector<FinishedRun>& runs,
                                      const std::vector<MachinePeaks>& machines = {});

}  // namespace teslasim
