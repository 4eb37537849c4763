// SPDX-License-Identifier: Apache-2.0
// A study: many commands whose results stand in one folder, each under a name that its content decides. What a command
// leaves at `place` may be a folder (a run) or a file (a measurement); `place`.exit says how it ended.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace teslasim {

struct StudyPoint {
  std::string place;                 ///< FOLDER/points/NAME; the command gets --out=
  std::vector<std::string> command;  ///< program first, without --out
};

struct Study {
  std::string folder, name;
  std::vector<StudyPoint> points;  ///< those without a result; no two at one place
  /// Called for each point when its result is in its place, with the exit code of its command.
  std::function<void(std::size_t point, int exit)> settled{};
};

/// A point whose jobs ended without its result.
struct LostPoint {
  std::size_t point = 0;
  std::string why;
};

struct StudyEnd {
  bool interrupted = false;
  std::vector<LostPoint> lost{};
};

/// The last part of a place.
[[nodiscard]] inline std::string name_of(const StudyPoint& point) {
  return point.place.substr(point.place.rfind('/') + 1);
}
[[nodiscard]] inline std::string points_folder(const std::string& study) {
  return study + "/points";
}
[[nodiscard]] inline std::string rounds_folder(const std::string& study) {
  return study + "/slurm";
}

}  // namespace teslasim
