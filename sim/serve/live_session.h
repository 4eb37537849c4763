// SPDX-License-Identifier: Apache-2.0
// One run, looked at from outside while it goes on: shows the moments at which the watch looks, and grants what the
// page of the live view and signals ask for: SIGUSR1 appends what stands where to snapshots.txt, SIGUSR2 begins a
// timeline of SM 0 and ends it. Snapshots and timelines are written by copies of the process
// (sim/run/process_copies.h): a copy ends as the run would by Ctrl-C, so its numbers are whole and obey all laws, and
// the run itself goes on with nothing changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/launch_statistics.h"
#include "sim/base/output_file.h"
#include "sim/base/temporary_folder.h"
#include "sim/gpu/launch_look.h"
#include "sim/gpu/recording/pipeline_recorder.h"
#include "sim/live/live_board.h"
#include "sim/live/live_server.h"
#include "sim/run/process_copies.h"
#include "sim/run/run_directory.h"
#include "sim/run/timelines.h"
#include "sim/run/watch.h"
#include "sim/run/workload_run.h"

namespace teslasim {

class LiveSession {
 public:
  /// Listens from now on: to signals, and with a `port` to browsers. `prepared` outlives it; `own` is what the run
  /// records by itself: then nothing else can be. Throws InputError: LiveServer's.
  LiveSession(std::optional<unsigned> port, const PreparedRun& prepared, const TimelineRequest& own);

  /// Before the simulation begins; both outlive it. Says where the page is. `directory` is null when the run writes
  /// none: then snapshots and timelines go with the process.
  void begin(LaunchModel& model, const RunDirectory* directory);

  /// The watch's onlooker.
  ProcessSide see(const Moment& moment);
  /// Told of each launch as it ends. Does not return in a copy that was made for a timeline.
  void launch_ended(std::uint64_t launch, const LaunchStatistics& statistics);
  /// Whether this process is a copy that is to write a snapshot.
  [[nodiscard]] bool in_copy() const { return copies_.side() == ProcessSide::copy; }
  /// In that copy: has `write` fill the new folder of a run, given by its path, and ends the process. What `write`
  /// returns is the problem that it had, or empty.
  [[noreturn]] void end_copy(const std::function<std::string(const std::string& folder)>& write);
  /// In that copy, when the run failed.
  [[noreturn]] void end_copy(const std::exception& failure);

  /// What the page says of the run from now on.
  void show_phase(std::string phase);
  /// Waits until everything asked for is written, shows how the run ended, and says on stderr where things are. The
  /// timelines for run.json.
  [[nodiscard]] std::vector<TimelineNote> finish(std::string status);

 private:
  using Clock = std::chrono::steady_clock;
  struct Recording {
    LiveTimeline facts;
    std::unique_ptr<PipelineRecorder> recorder;
  };

  [[nodiscard]] LiveProgress progress_of(const Moment& moment) const;
  [[nodiscard]] std::optional<LiveCounters> counters() const;
  void post();
  ProcessSide grant_signals(const Moment& moment);
  void describe(const Moment& moment);
  ProcessSide grant(const LiveWish& wish);
  ProcessSide take_snapshot();
  void begin_recording(unsigned sm);
  ProcessSide save_recording();
  [[nodiscard]] LiveProduct& add_product(LiveProduct::Kind kind, std::uint64_t launch, std::uint64_t cycle);
  ProcessSide make_copy(LiveProduct& product);
  [[noreturn]] void write_timeline(const LaunchStatistics& statistics);
  void settle(const std::vector<EndedCopy>& ended);

  const PreparedRun& prepared_;
  LiveBoard board_;
  LiveView view_;
  std::unique_ptr<LiveServer> server_;  ///< with --serve
  LaunchModel* model_ = nullptr;
  std::uint64_t most_events_, most_bytes_;  ///< of a timeline
  std::string folder_;                      ///< of snapshots and timelines; empty: not needed yet
  std::unique_ptr<OutputFile> texts_;       ///< snapshots.txt
  unsigned described_ = 0;                  ///< moments in it
  std::unique_ptr<TemporaryFolder> temporary_;
  LaunchLook ended_;  ///< launches that have
  std::optional<Recording> recording_;
  ProcessCopies copies_;
  std::size_t in_work_ = 0;  ///< in a copy: the product that it was made for
  std::vector<TimelineNote> timelines_;
  Clock::time_point posted_{};
};

}  // namespace teslasim
