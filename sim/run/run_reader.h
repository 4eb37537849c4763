// SPDX-License-Identifier: Apache-2.0
// The one reader of finished runs: turns the files of a run directory back into what the run left.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text_file.h"
#include "sim/report/result/finished_run.h"
#include "sim/report/result/run_data.h"
#include "sim/run/run_files.h"
#include "sim/run/run_status.h"

namespace teslasim {

/// Reads a file when it is asked for what is in it. A run lacks files that it had no reason to write: their lists are
/// empty.
class RunReader {
 public:
  explicit RunReader(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] const std::string& directory() const { return directory_; }
  /// What the run is called in tables: the name of its directory.
  [[nodiscard]] std::string label() const;
  /// Throws InputError (RUN-DAMAGED) without a stats.json of a run, as all that needs it.
  [[nodiscard]] StatisticTree statistics() const;
  [[nodiscard]] RunData data() const { return RunData::from_tree(label(), statistics()); }
  [[nodiscard]] std::vector<LaunchPredictions> predictions() const;
  [[nodiscard]] std::vector<ConfigurationRow> configuration() const;
  [[nodiscard]] std::optional<RunIdentity> identity() const;
  [[nodiscard]] RecordedEnd end() const;
  /// How far it had come when its status.json was last written; nothing without one.
  [[nodiscard]] std::optional<RunStatusRecord> status() const;
  /// Time of each launch, of those that ended well; empty when the run left no statistics.
  [[nodiscard]] std::vector<std::optional<double>> simulated_ms() const;
  /// What it takes to run it again. Throws InputError when the run is damaged or an input changed.
  [[nodiscard]] RecordedRun record() const;
  /// All of it but how it ended.
  [[nodiscard]] FinishedRun run() const;
  /// The text of a file; "" when it is not there or cannot be read.
  [[nodiscard]] std::string text(const char* name) const;
  /// The same of a file that gzip packed.
  [[nodiscard]] std::string packed_text(const char* name) const;

 private:
  std::string directory_;
};

}  // namespace teslasim
