// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/study_progress.h"

#include <fmt/format.h>

#include "sim/run/plans/shell_word.h"

namespace teslasim {
namespace {

std::string some(std::size_t count, const char* what) {
  return count == 0 ? "" : fmt::format("  {} {}", what, count);
}

}  // namespace

StudyProgress::StudyProgress(std::size_t points, const ConsoleOptions& console) : points_(points), console_(console) {}

void StudyProgress::settled(int exit) {
  ++settled_;
  failed_ += exit == 0 ? 0U : 1U;
}

void StudyProgress::pilots(std::size_t points) const {
  if (speaks()) print_notice(fmt::format("  pilot: {} points on this host\n", points));
}

void StudyProgress::submits(std::size_t points, std::size_t tasks, const std::string& why) const {
  if (!speaks()) return;
  print_notice(fmt::format("  submitting {} {}{} in {} {}\n", points, points == 1 ? "point" : "points",
                           why.empty() ? "" : " again, e.g. because " + why, tasks, tasks == 1 ? "task" : "tasks"));
}

void StudyProgress::submitted(const std::string& job) const {
  if (speaks()) print_notice(fmt::format("  submitted as job {}\n", job));
}

void StudyProgress::waits_for_controller(const std::string& trouble) {
  if (speaks() && !told_silence_)
    print_notice(fmt::format("  the controller of Slurm does not answer; trying again{}\n",
                             trouble.empty() ? "" : " (" + trouble + ")"));
  told_silence_ = true;
}

void StudyProgress::show(const std::optional<Submissions::Tasks>& tasks) {
  if (!tasks) return waits_for_controller("");
  told_silence_ = false;
  constexpr std::chrono::seconds interval{5};
  const Clock::time_point now = Clock::now();
  if (!speaks() || now - last_ < interval) return;
  last_ = now;
  std::string line =
      fmt::format("  {}/{}  tasks running {}  waiting {}", settled_, points_, tasks->running, tasks->waiting);
  if (tasks->running == 0 && tasks->waiting != 0) line += " (" + tasks->reason + ")";
  line += some(failed_, "failed") + some(lost_, "lost");
  if (line == shown_) return;
  shown_ = line;
  if (settled_ != 0) {
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    line += fmt::format("  ETA {:.0f} s",
                        seconds * static_cast<double>(points_ - settled_ - lost_) / static_cast<double>(settled_));
  }
  print_notice(line + "\n");
}

void StudyProgress::left(const std::vector<std::string>& jobs, const std::string& study) const {
  std::string numbers;
  for (const std::string& job : jobs) numbers += " " + job;
  std::string text = fmt::format("interrupted: {} of {} points have results\n", settled_, points_);
  if (!numbers.empty()) text += fmt::format("   = note: jobs{} go on; scancel{} ends them\n", numbers, numbers);
  print_notice(text + "   = help: teslasim sweep --resume " + shell_word(study) + "\n");
}

}  // namespace teslasim
