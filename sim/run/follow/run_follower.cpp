// SPDX-License-Identifier: Apache-2.0
#include "sim/run/follow/run_follower.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "sim/base/excerpt.h"
#include "sim/run/folder_lock.h"
#include "sim/run/host_name.h"
#include "sim/run/run_reader.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

double age_of(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(file, error);
  if (error) return 0.0;
  return std::max(0.0, std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count());
}

RunLife life_of(const FollowedRun& run, FolderUse use) {
  const bool complete = run.end.exit && !run.end.writing;
  if (complete) return use == FolderUse::taken ? RunLife::writing : RunLife::ended;
  if (use == FolderUse::free) return RunLife::dead;
  const bool simulated = run.end.exit || !(run.status.running() || run.status.phase.empty());
  if (use == FolderUse::unknown && run.status_age > RunFollower::patience) return RunLife::silent;
  if (simulated) return RunLife::writing;
  const bool begun =
      run.status.running() && (run.status.moment.launch != 0 || run.status.moment.progress.ctas_total != 0);
  return begun ? RunLife::running : RunLife::starting;
}

}  // namespace

FollowedRun RunFollower::look() const {
  FollowedRun run;
  run.directory = directory_;
  // Asked before the files are read: what a process left that has ended by now is all there.
  FolderUse use = folder_use(directory_);
  const RunReader reader(directory_);
  run.label = reader.label();
  run.status = reader.status().value_or(RunStatusRecord{});
  run.status.moment.kernel = printable(run.status.moment.kernel);
  run.status_age = age_of(fs::path(directory_) / "status.json");
  run.end = reader.end();
  run.identity = reader.identity().value_or(RunIdentity{});
  // Locks of folders are those of one host, on network file systems too.
  if (!run.status.host.empty() && run.status.host != host_name()) use = FolderUse::unknown;
  run.life = life_of(run, use);
  return run;
}

std::string RunFollower::status_text() const {
  return RunReader(directory_).text("status.json");
}

}  // namespace teslasim
