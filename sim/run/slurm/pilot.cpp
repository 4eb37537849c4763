// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/pilot.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "sim/run/process_pool.h"
#include "sim/run/slurm/point_files.h"

namespace teslasim {
namespace {

constexpr std::size_t fewest = 8;
constexpr std::chrono::seconds longest{20};

}  // namespace

std::vector<std::size_t> pilot_points(std::size_t points) {
  if (points < fewest) return {};
  return {0, points / 2, points - 1};
}

std::optional<double> run_pilot(const std::vector<StudyPoint>& points, const std::function<bool()>& interrupted) {
  using Clock = std::chrono::steady_clock;
  std::vector<PoolJob> jobs;
  std::vector<std::string> parts;
  for (const StudyPoint& point : points) {
    const std::string& part = parts.emplace_back(point.place + ".part-pilot" + std::to_string(getpid()));
    std::error_code error;
    std::filesystem::remove_all(part, error);
    PoolJob job{point.command, part + ".stderr"};
    job.arguments.push_back("--out=" + part);
    jobs.push_back(std::move(job));
  }
  const Clock::time_point begin = Clock::now();
  double seconds = 0.0;
  std::size_t ended = 0;
  const bool complete = run_pool(
      jobs, 1,
      [&](const FinishedJob& job, const PoolProgress&) {
        put_in_place(points[job.index], parts[job.index], job.status);
        seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        ++ended;
      },
      [&] { return interrupted() || Clock::now() - begin > longest; });
  if (!complete) {
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::error_code error;
    for (std::size_t i = ended; i < parts.size(); ++i) {
      std::filesystem::remove_all(parts[i], error);
      std::filesystem::remove(parts[i] + ".stderr", error);
    }
  }
  if (ended == 0 || interrupted()) return std::nullopt;
  return seconds / static_cast<double>(ended);
}

}  // namespace teslasim
