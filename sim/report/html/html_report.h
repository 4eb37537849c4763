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

/// A page with the first sections of it: what the run was, its verdict, how busy the machine was, where the slots went.
[[nodiscard]] std::string html_overview(const FinishedRun& run);

}  // namespace teslasim
