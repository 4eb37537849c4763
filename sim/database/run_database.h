// SPDX-License-Identifier: Apache-2.0
// run.sqlite: a run directory as one file for SQL.
#pragma once

#include <string>

namespace teslasim {

/// Writes run.sqlite of the files that are in `directory`; a run without some of them has no such tables. Returns the
/// file. Throws InputError: RUN-DAMAGED as RunReader, else as database_bytes and write_file.
std::string write_run_database(const std::string& directory);

}  // namespace teslasim
