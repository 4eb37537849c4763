// SPDX-License-Identifier: Apache-2.0
// Where the points of a sweep are kept: one folder per point, named by a fingerprint of program, machine and inputs, so
// that a sweep goes on where it was stopped and points are shared between plans of one name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/csv/plan_table.h"
#include "sim/report/result/run_data.h"
#include "sim/run/plans/sweep_plan.h"

namespace teslasim {

struct PointOutcome {
  int exit = 0;
  std::string reason;  ///< of a failure: what the run said, in one line
};

class SweepStore {
 public:
  /// `folder` is made when it does not exist; `program` is the file of this program.
  SweepStore(const SweepPlan& plan, std::string folder, std::string program);

  /// Folder of a point. The same point of the same inputs and machine always gets the same.
  [[nodiscard]] std::string directory(const SweepPoint& point);
  /// The command that runs it, program first; and the same without the folder (--out).
  [[nodiscard]] std::vector<std::string> command(const SweepPoint& point);
  [[nodiscard]] std::vector<std::string> command_anywhere(const SweepPoint& point) const;
  /// The points without those that are equal to one before them: they have one folder, and are one run.
  [[nodiscard]] std::vector<SweepPoint> distinct(const std::vector<SweepPoint>& points);
  [[nodiscard]] std::string error_file(const SweepPoint& point) { return directory(point) + ".stderr"; }

  /// Of an earlier or this sweep; nothing when the point has to be run. Remains of an interrupted run are removed.
  [[nodiscard]] std::optional<PointOutcome> outcome(const SweepPoint& point);
  /// Whether a point has to be run: it was not, or the host's state at that time made it fail (memory, disk, a signal).
  [[nodiscard]] bool to_run(const SweepPoint& point);
  /// Whether a run ended with status limit.
  [[nodiscard]] bool limited(const SweepPoint& point);
  /// Notes how a run ended and removes the files that the plan does not keep.
  void record(const SweepPoint& point, int exit);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string table_file() const { return folder_ + "/table.csv"; }
  [[nodiscard]] std::string page_file() const { return folder_ + "/report.html"; }
  /// What the run of a point counted; nothing when it did not get so far.
  [[nodiscard]] std::optional<RunData> data_of(const SweepPoint& point);
  /// Names of the statistics in the table.
  [[nodiscard]] const std::vector<std::string>& columns() const;
  /// One line per point: axes, status, exit code, reason, columns. A point that failed has no status `ok`.
  [[nodiscard]] PlanTable table(const std::vector<SweepPoint>& points);

 private:
  [[nodiscard]] std::vector<PlanCell> row_of(const SweepPoint& point, const PointOutcome& outcome);
  [[nodiscard]] bool deserves_more_time(double seconds) const;
  [[nodiscard]] std::uint64_t inputs_hash(const std::string& input);
  [[nodiscard]] std::string reason_of(const SweepPoint& point, int exit);

  const SweepPlan& plan_;
  std::string folder_, program_;
  std::uint64_t program_hash_ = 0;
  std::map<std::string, std::uint64_t> input_hashes_;
  std::map<std::size_t, std::string> directories_;  ///< by number of the point
};

}  // namespace teslasim
