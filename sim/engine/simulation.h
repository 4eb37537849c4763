// SPDX-License-Identifier: Apache-2.0
// Starts and stops SystemC: one launch after the other, each until it ends or can go no further.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/engine/island.h"

namespace teslasim {

/// What ends a run, and how it is watched. Everything but `watcher` gives the same results on every host.
struct RunRequest {
  Femtoseconds limit = never;        ///< edges at or after this local time are not run
  Femtoseconds stuck_after = never;  ///< live-lock: time without progress
  /// Asked when no unit wants anything any more: whether that is the end or a dead end. Required.
  std::function<bool()> work_left{};
  /// Local time of the last progress (an instruction issued...). Required when stuck_after is set.
  std::function<Femtoseconds()> last_progress{};
  Island::Watcher watcher{};  ///< called now and then from inside the run; may be empty
  /// Asked between stretches of the run, when nothing is under way, how far the next one goes; nothing: the run ends
  /// here, interrupted. Never changes what is run. Empty: one stretch.
  std::function<std::optional<Femtoseconds>()> stretch{};
};

enum class RunEnd : std::uint8_t {
  finished,     ///< no work left, or a unit called Island::stop_after
  dead_end,     ///< nothing can happen any more, but work is left
  live_lock,    ///< no progress for `stuck_after`
  limit,        ///< `limit` was reached
  interrupted,  ///< the watcher wished to stop, or no further stretch was wanted
};

struct RunResult {
  RunEnd end = RunEnd::finished;
  Femtoseconds now = 0;              ///< local time that has been run
  std::vector<std::string> pending;  ///< unless finished: "gpu.tpc3: ..." for all that the units hold
};

/// One SystemC context: construct it before the first module (it fixes the time resolution of 1 fs and turns SystemC's
/// warnings and errors into InternalError), then build the modules, then `begin_launch` and `run` once per launch.
class Simulation {
 public:
  Simulation();
  ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Completes elaboration (first call) and sets local time to 0. Units are to be reset after this, before `run`.
  static void begin_launch(Island& island);
  /// Runs until one of the ends. What a unit throws comes out unchanged; the next launch can begin after that.
  static RunResult run(Island& island, const RunRequest& request);
};

/// The program's way into SystemC: banner off, then SystemC calls `sc_main`, which every program that links SystemC
/// must define as `extern "C" int sc_main(int, char*[])`. Returns its exit code.
int enter_systemc(int argc, char* argv[]);

}  // namespace teslasim
