// SPDX-License-Identifier: Apache-2.0
// A finished run as its HTML report sees it: the files of its directory, read.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/csv.h"
#include "sim/base/slot_reason.h"
#include "sim/report/html/json_value.h"
#include "sim/report/result/run_data.h"
#include "sim/report/text/prediction_report.h"

namespace teslasim {

/// Peaks of a machine, for the chart of all machines.
struct MachinePeaks {
  std::string name;
  double gbs = 0.0, gflops = 0.0;
};

/// One line of config.effective.toml.
struct ConfigurationRow {
  std::string key, value, origin, source;
};

/// The texts of the files. Empty: the run has no such file.
struct ReportFiles {
  std::string label;  ///< name of the directory
  std::string run, stats, pc, intervals, ctas, models, configuration, lanes;
  std::vector<MachinePeaks> machines;
};

struct ReportRun {
  std::string label;
  JsonValue run;       ///< run.json
  JsonValue stats;     ///< stats.json
  CsvTable pc;         ///< pc.csv
  CsvTable intervals;  ///< intervals.csv
  CsvTable ctas;       ///< ctas.csv
  JsonValue models;    ///< models.json
  std::vector<LaunchPredictions> predictions;
  std::vector<ConfigurationRow> configuration;  ///< config.effective.toml
  std::vector<MachinePeaks> machines;           ///< to compare with
  std::string lanes;                            ///< lanes.json
  std::string stats_text;

  /// Throws InputError (RUN-DAMAGED) when stats.json is missing or not whole; everything else may be absent.
  static ReportRun read(ReportFiles files);

  [[nodiscard]] std::size_t launches() const { return stats["launches"].size(); }
  [[nodiscard]] JsonValue launch(std::size_t index) const { return stats["launches"].at(index); }
  [[nodiscard]] bool timed() const { return launch(0)["time.cycles"].number().has_value(); }
  /// The launch that took the longest.
  [[nodiscard]] std::size_t longest() const;
  [[nodiscard]] double total_ms() const;
  /// Slots of a reason, over all launches.
  [[nodiscard]] double slots(std::string_view reason) const;
};

/// The colour of a reason, of its group or of an issue class: the same everywhere in the report, told apart by people
/// with any kind of colour vision (hue and lightness differ).
[[nodiscard]] inline std::string_view color_of(SlotReason reason) {
  return info(reason).colour;
}
/// A value of the configuration by its dotted key, without quotes; "" when it is not there.
[[nodiscard]] std::string configured(const ReportRun& run, std::string_view key);
[[nodiscard]] double configured_number(const ReportRun& run, std::string_view key);

}  // namespace teslasim
