// SPDX-License-Identifier: Apache-2.0
// What tasks leave of points: `place`, `place`.stderr, `place`.exit, and while they are at work `place`.part-JOB.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/run/slurm/study.h"

namespace teslasim {

/// Whether an end tells of the host (no disk, no program, a signal, a result that is gone) rather than of the point.
[[nodiscard]] bool is_of_host(const StudyPoint& point, int exit);

/// Names of the points of a study that have an exit code.
[[nodiscard]] std::vector<std::string> ended_points(const std::string& study);
/// Nothing when it cannot be read, or is no number.
[[nodiscard]] std::optional<int> exit_of(const StudyPoint& point);
/// Gives the point what a command left under another name, and its exit code.
void put_in_place(const StudyPoint& point, const std::string& part, int exit);
/// The exit code has been taken note of: only the result stays.
void forget_exit(const StudyPoint& point);
/// The point may run again.
void forget_result(const StudyPoint& point);
/// Removes what tasks were working on; for when none is at work.
void remove_parts(const std::string& study);

}  // namespace teslasim
