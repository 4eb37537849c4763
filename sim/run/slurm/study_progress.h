// SPDX-License-Identifier: Apache-2.0
// What a study says while it is followed: lines on stderr.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/console.h"
#include "sim/run/slurm/submissions.h"

namespace teslasim {

class StudyProgress {
 public:
  StudyProgress(std::size_t points, const ConsoleOptions& console);

  void settled(int exit);
  void lost() { ++lost_; }
  void pilots(std::size_t points) const;
  /// `why`: what became of one of them before; empty the first time.
  void submits(std::size_t points, std::size_t tasks, const std::string& why) const;
  void submitted(const std::string& job) const;
  void waits_for_controller(const std::string& trouble);
  /// A line when something is new, every five seconds at most. Nothing for tasks: the controller does not answer.
  void show(const std::optional<Submissions::Tasks>& tasks);
  /// Always said: how to go on.
  void left(const std::vector<std::string>& jobs, const std::string& study) const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool speaks() const { return !console_.quiet && console_.progress != ProgressStyle::none; }

  std::size_t points_, settled_ = 0, failed_ = 0, lost_ = 0;
  ConsoleOptions console_;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
  std::string shown_;
  bool told_silence_ = false;
};

}  // namespace teslasim
