// SPDX-License-Identifier: Apache-2.0
// Running the points of a sweep, on a local pool or as jobs of Slurm; shared by `sweep` and `dse`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/run/console.h"
#include "sim/run/plans/sweep_plan.h"
#include "sim/run/plans/sweep_store.h"
#include "sim/run/slurm/slurm_request.h"

namespace teslasim {

struct SweepRequest {
  std::string place;        ///< of the plan, as the user called it
  std::size_t width = 1;    ///< runs at a time on this host
  std::size_t skipped = 0;  ///< points that were left out, for the message
  ConsoleOptions console{};
  bool page = true;                     ///< report.html beside the table
  std::optional<SlurmRequest> slurm{};  ///< nothing: on this host
};

/// Runs what was not run before, writes the table, and says how it went. Returns the exit code.
[[nodiscard]] int run_sweep(const SweepPlan& plan, SweepStore& store, const std::vector<SweepPoint>& points,
                            const SweepRequest& request);

/// The folder of a plan's results, `runs`/`name`. Throws InputError (usage) for an empty `runs`, which would be the
/// root.
[[nodiscard]] std::string plan_folder(const std::string& runs, const std::string& name);
/// The file of this program.
[[nodiscard]] std::string own_program();
/// Processors of the host, at least 1.
[[nodiscard]] std::size_t processors();
/// Text of a plan. Throws InputError (FILE-READ).
[[nodiscard]] std::string plan_text(const std::string& path);

}  // namespace teslasim
