// SPDX-License-Identifier: Apache-2.0
// How far a run is at a moment: for the progress line, and as status.json for other processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exec/run_control.h"

namespace teslasim {

struct Moment {
  std::size_t launch = 0, launches = 1;
  std::string kernel;
  Progress progress;
  double seconds = 0.0;           ///< since the run began
  double warp_instr_per_s = 0.0;  ///< over the current launch
  double eta_seconds = -1.0;      ///< of the current launch; negative = unknown
};

/// "reduce1  1234/4096 blocks  30 %  2.1 s  0.40 M warp-instr/s  ETA 0:05", at most 100 columns.
[[nodiscard]] std::string progress_line(const Moment& moment);
[[nodiscard]] std::string progress_json(const Moment& moment);
/// "1:05", "2:00:09".
[[nodiscard]] std::string clock_text(double seconds);

/// What was done between two moments of one launch.
struct StatusInterval {
  std::size_t launch = 0;
  double seconds_begin = 0.0, seconds_end = 0.0;  ///< of the host, since the run began
  std::uint64_t cycle_begin = 0, cycle_end = 0;   ///< SP cycles of the launch
  std::uint64_t warp_instructions = 0, ctas = 0;
};

/// The last intervals of a run. None reaches over the end of a launch, whose last counts nobody sees.
class RecentIntervals {
 public:
  static constexpr std::size_t most = 10;
  /// The next interval begins here.
  void begin(const Moment& moment) { mark_ = moment; }
  /// An interval ends here, and the next one begins.
  void end(const Moment& moment);
  [[nodiscard]] const std::vector<StatusInterval>& list() const { return list_; }

 private:
  Moment mark_;
  std::vector<StatusInterval> list_;
};

/// What status.json says.
struct RunStatusRecord {
  std::string phase;  ///< "running", or how the simulation ended
  Moment moment;
  double rss_mb = 0.0;
  std::string host;           ///< where the run is
  std::uint64_t process = 0;  ///< its number there
  std::vector<StatusInterval> intervals;

  [[nodiscard]] bool running() const { return phase == "running"; }
};

/// That of this process.
[[nodiscard]] RunStatusRecord status_of_process(std::string phase, const Moment& moment,
                                                std::vector<StatusInterval> intervals);
[[nodiscard]] std::string status_json(const RunStatusRecord& status);
/// Nothing when `text` is not JSON. What is missing or of another kind is empty.
[[nodiscard]] std::optional<RunStatusRecord> read_status(std::string_view text);

}  // namespace teslasim
