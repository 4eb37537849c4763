// SPDX-License-Identifier: Apache-2.0
// report.html: a finished run in one file that needs no network and no other file.
#pragma once

#include <string>
#include <vector>

#include "sim/report/html/report_run.h"

namespace teslasim {

/// The page of the first run; a second one is compared with it. Made of the files of the runs only.
[[nodiscard]] std::string html_report(std::vector<ReportFiles> runs);

}  // namespace teslasim
