// SPDX-License-Identifier: Apache-2.0
// A run seen from another process, by what stands in its folder: how far it is, whether it still lives, how it ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/report/result/finished_run.h"
#include "sim/run/run_files.h"
#include "sim/run/run_status.h"

namespace teslasim {

enum class RunLife : std::uint8_t {
  starting,  ///< nothing is simulated yet
  running,
  silent,   ///< on a host of which this one knows nothing, and not heard of for a while
  writing,  ///< simulated; files are being written
  ended,
  dead,  ///< its process ended without the results
};

/// What a look found.
struct FollowedRun {
  std::string directory, label;
  RunLife life = RunLife::starting;
  RunStatusRecord status;
  double status_age = 0.0;  ///< seconds of the host since status.json was written
  RecordedEnd end;
  RunIdentity identity;  ///< empty before run.json is there

  [[nodiscard]] bool over() const { return life == RunLife::ended || life == RunLife::dead; }
};

class RunFollower {
 public:
  /// Seconds after which a run on another host counts as silent: many times the period of status.json.
  static constexpr double patience = 60.0;

  explicit RunFollower(std::string directory) : directory_(std::move(directory)) {}
  [[nodiscard]] FollowedRun look() const;
  /// What status.json holds; "" without one.
  [[nodiscard]] std::string status_text() const;

 private:
  std::string directory_;
};

}  // namespace teslasim
