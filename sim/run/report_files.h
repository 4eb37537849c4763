// SPDX-License-Identifier: Apache-2.0
// The report of finished runs, from the files of their directories.
#pragma once

#include <string>
#include <vector>

#include "sim/base/text_file.h"
#include "sim/report/html/report_run.h"

namespace teslasim {

/// Reads what a report is made from. Throws InputError when the folder holds no stats.json.
[[nodiscard]] ReportFiles read_report_files(const std::string& directory, FileOwner owner = FileOwner::user);
/// Writes the page about the first directory, compared with the second when there is one, to `file`. A command that
/// reports on its own run owns the files.
void write_report(const std::vector<std::string>& directories, const std::string& file,
                  FileOwner owner = FileOwner::user);

}  // namespace teslasim
