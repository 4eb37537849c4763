// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simulation.h"

#include <algorithm>
#include <cstdlib>
#include <systemc>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

void throw_reports(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_INFO || actions == sc_core::SC_DO_NOTHING) return;
  throw InternalError(std::string("SystemC: ") + report.what());
}

Femtoseconds add(Femtoseconds time, Femtoseconds duration) {
  return duration > never - time ? never : time + duration;
}

}  // namespace

Simulation::Simulation() {
  sc_core::sc_report_handler::set_handler(throw_reports);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

void Simulation::begin_launch(Island& island) {
  if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  island.begin_launch();
}

RunResult Simulation::run(Island& island, const RunRequest& request) {
  SIM_CHECK(request.work_left, "a run needs to know whether work is left");
  SIM_CHECK(request.stuck_after == never || request.last_progress, "a live-lock guard needs to know the last progress");
  island.set_watcher(request.watcher);
  RunEnd end = RunEnd::finished;
  for (;;) {
    // The guard looks at exact times, so that a live-lock is found at the same cycle for any look-ahead.
    const Femtoseconds deadline =
        request.stuck_after == never ? never : add(request.last_progress(), request.stuck_after);
    const std::optional<Femtoseconds> stretch = request.stretch ? request.stretch() : never;
    if (!stretch) {
      end = RunEnd::interrupted;
      break;
    }
    island.run_until(std::min({request.limit, deadline, *stretch}));
    if (island.stopped()) break;
    if (island.interrupted()) {
      end = RunEnd::interrupted;
      break;
    }
    if (island.next_wanted() == never) {
      end = request.work_left() ? RunEnd::dead_end : RunEnd::finished;
      break;
    }
    if (*stretch < std::min(request.limit, deadline)) continue;
    if (island.next_wanted() >= request.limit) {
      end = RunEnd::limit;
      break;
    }
    if (add(request.last_progress(), request.stuck_after) <= deadline) {
      end = RunEnd::live_lock;
      break;
    }
  }
  island.set_watcher({});
  return {end, island.now(), end == RunEnd::finished ? std::vector<std::string>{} : island.describe_pending()};
}

int enter_systemc(int argc, char* argv[]) {
  constexpr int keep_what_is_set = 0;
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", keep_what_is_set);
  return sc_core::sc_elab_and_sim(argc, argv);
}

}  // namespace teslasim
