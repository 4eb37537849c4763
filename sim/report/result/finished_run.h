// SPDX-License-Identifier: Apache-2.0
// A finished run, as reports see it. There are two ways to one: from the Result that a simulation left, and from the
// files of a run directory (sim/run/run_reader.h). Both are the same, value by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/lane_record.h"
#include "sim/report/csv/ctas_csv.h"
#include "sim/report/csv/intervals_csv.h"
#include "sim/report/csv/pc_csv.h"
#include "sim/report/result/configuration_row.h"
#include "sim/report/result/statistic_tree.h"
#include "sim/report/text/prediction_report.h"

namespace teslasim {

inline constexpr const char* run_schema = "teslasim.run/1";

/// A warning or an error of a run.
struct RunNote {
  std::string severity, code;
  std::string text;  ///< as it was printed
};

/// A file that a run read.
struct RunInput {
  std::string path;  ///< as it was named
  std::string hash;  ///< XXH3-64, 16 hex digits
};

/// What run.json says about a run and its statistics do not.
struct RunIdentity {
  std::vector<std::string> arguments;  ///< the command line, without the program's name
  std::string version;
  std::string started;  ///< UTC, ISO 8601
  std::vector<RunInput> inputs;
  std::vector<RunNote> notes;
};

/// Lists are empty when the run has no such file.
struct FinishedRun {
  std::string label;                            ///< name of the directory
  StatisticTree statistics;                     ///< stats.json
  std::vector<InstructionRow> instructions;     ///< pc.csv
  std::vector<IntervalRow> intervals;           ///< intervals.csv
  std::vector<BlockRow> blocks;                 ///< ctas.csv
  std::vector<LaunchPredictions> predictions;   ///< models.json
  std::vector<ConfigurationRow> configuration;  ///< config.effective.toml
  LaneRecords lanes;                            ///< lanes.json
  std::optional<RunIdentity> identity;          ///< run.json

  [[nodiscard]] std::size_t launches() const { return statistics["launches"].size(); }
  [[nodiscard]] const StatisticTree& launch(std::size_t place) const { return statistics["launches"].at(place); }
  /// The number in the run of the (first) launch at a place in the list: what tables call it.
  [[nodiscard]] std::uint64_t number_of(std::size_t place) const;
  [[nodiscard]] bool timed() const { return launch(0)["time.cycles"].number().has_value(); }
  /// The place of the launch that took the longest.
  [[nodiscard]] std::size_t longest() const;
  /// How long the launch at a place takes: extrapolated where its blocks are sampled, else counted.
  [[nodiscard]] double ms(std::size_t place) const;
  [[nodiscard]] double total_ms() const;
  /// Slots of a reason, over all launches.
  [[nodiscard]] double slots(std::string_view reason) const;
};

/// All of it but `identity` and `lanes`, which are no part of a result.
[[nodiscard]] FinishedRun finished_run(const Result& result, std::string label);

}  // namespace teslasim
