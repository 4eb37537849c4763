// SPDX-License-Identifier: Apache-2.0
// The tables of run.sqlite that are made of what a run left; those that are CSV files already stay as they are.
#pragma once

#include <string>
#include <vector>

#include "sim/database/database.h"
#include "sim/report/result/finished_run.h"

namespace teslasim {

/// One line: who, what, when. `status` and `exit` are empty of a run that left no end.
[[nodiscard]] DatabaseTable run_table(const FinishedRun& run, const std::string& status, const std::string& exit);
/// One line per launch.
[[nodiscard]] DatabaseTable launch_table_of(const FinishedRun& run);
/// One line per analytical model and launch, and one per term of each.
[[nodiscard]] DatabaseTable model_table(const FinishedRun& run);
[[nodiscard]] DatabaseTable model_term_table(const FinishedRun& run);

/// `v_stack`: issue slots of each launch by reason. `v_hot`: instructions by slots that were lost for them; `pc` is the
/// table that it reads.
[[nodiscard]] std::vector<DatabaseView> run_views(const CsvTable& pc);

}  // namespace teslasim
