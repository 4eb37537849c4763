// SPDX-License-Identifier: Apache-2.0
// Everything that decides the result of a run, as the user asked for it. Written into run.json and read back by
// `rerun`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/workload/read/load.h"
#include "sim/base/types.h"
#include "sim/run/block_choice.h"
#include "sim/run/block_sample_rule.h"

namespace teslasim {

enum class Mode : std::uint8_t { timing, functional };

struct RunSettings {
  WorkloadRequest workload;
  std::vector<std::string> configs;
  std::vector<std::string> sets;
  Mode mode = Mode::timing;
  unsigned look_ahead = 16;  ///< SM cycles; 0 = exact; never more than the links of the machine allow
  unsigned threads = 1;      ///< of the host, that simulate one launch at once; never changes a result
  bool sleeping = true;
  bool intervals = true;          ///< record how the launch went over time; never changes a result
  std::string warp_sms = "none";  ///< SMs whose warps are kept one by one: "all", "none", "0-2,5"; "": SM 0, with time
  SpCycle max_cycles = never;     ///< SP cycles, over all launches
  std::string calibration;  ///< of the analytical models: a file, "none", or empty for the cache; decides no result
  BlockRequest blocks;      ///< a sampled run
  std::optional<BlockSampleRule> sample;  ///< of each launch some blocks in time, the others by function
  std::string launch_details;  ///< LaunchDetails: which launches keep statistics of their own; never changes a result
};

/// What happens around a run: limits of the host, where results go, what is checked.
struct RunOutputs {
  double max_seconds = 0.0;  ///< 0 = no limit
  double max_rss_mb = 0.0;   ///< 0 = no limit
  bool limit_is_error = false;
  std::string out;            ///< --out, empty = numbered folder
  std::string runs = "runs";  ///< --runs-dir
  bool write_directory = true;
  bool report = true;     ///< write report.html too
  bool database = false;  ///< and run.sqlite
  std::string json;       ///< empty: none; "-": stdout; else a file
  std::vector<std::string> expectations;
  std::vector<std::pair<std::string, std::string>> dumps;  ///< buffer, file
  std::optional<unsigned> serve;                           ///< port of the live view; 0 = a free one
};

/// Outputs in the folder that the run makes must be beside its own files, and none of them. Throws InputError.
void check_places(const RunOutputs& outputs);

/// Where the runs of a command stop when they have not ended before.
struct RunLimits {
  SpCycle max_cycles = never;  ///< SP cycles; without time, warp instructions
  double max_seconds = 0.0;    ///< 0 = no limit
  bool limit_is_error = false;
  [[nodiscard]] bool any() const { return max_cycles != never || max_seconds > 0.0; }
};

}  // namespace teslasim
