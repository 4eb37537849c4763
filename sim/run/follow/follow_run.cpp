// SPDX-License-Identifier: Apache-2.0
#include "sim/run/follow/follow_run.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/base/text_file.h"
#include "sim/report/text/format.h"
#include "sim/run/follow/follow_view.h"

namespace teslasim {
namespace {

constexpr std::chrono::seconds looking_period{1};

[[noreturn]] void refuse_dead(const FollowedRun& run) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-UNFINISHED";
  const bool failed = run.status.phase == "failed";
  diagnostic.message = fmt::format("the run '{}' has ended without its results: {}", run.directory,
                                   failed ? "an error stopped it" : "its process is dead");
  diagnostic.notes.push_back(
      fmt::format("it was last heard of {} ago, at: {}", clock_text(run.status_age), progress_line(run.status.moment)));
  diagnostic.help = failed
                        ? "it said why where it was started; mend that and run it again"
                        : "run it again; a run that is stopped with Ctrl-C, TERM or --max-seconds keeps its statistics";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? size.ws_col : ~std::size_t{0};
}

/// Lines that the terminal would break could not be found again.
std::string narrowed(const std::string& block, std::size_t width) {
  std::string text;
  for (const std::string& line : lines_of(block)) text += shortened(line, width) + "\n";
  return text;
}

/// What is on the screen, and how it changes.
class FollowDisplay {
 public:
  explicit FollowDisplay(ProgressStyle style) : style_(style) {}

  void show(const FollowedRun& run, const RunFollower& follower) {
    switch (style_) {
      case ProgressStyle::none:
        return;
      case ProgressStyle::tty:
        return redraw(run.over() ? "" : followed_block(run));
      case ProgressStyle::plain:
        return add(run.over() ? "" : followed_line(run));
      case ProgressStyle::json:
        return add(one_line(follower.status_text()));
    }
  }

  void show_end(const FollowedRun& run) const {
    if (style_ == ProgressStyle::tty || style_ == ProgressStyle::plain) print_result(ended_text(run));
  }

 private:
  static std::string one_line(const std::string& text) {
    const auto json = nlohmann::ordered_json::parse(shallow_json(text), nullptr, false);
    return json.is_object() ? json_text(json) : "";
  }

  void add(const std::string& line) {
    if (line.empty() || line == shown_) return;
    shown_ = line;
    print_result(line + "\n");
  }

  void redraw(std::string block) {
    block = narrowed(block, terminal_columns());
    const auto lines = std::count(shown_.begin(), shown_.end(), '\n');
    // Up to the first line of the block, and clear from there on.
    print_result((lines == 0 ? "" : fmt::format("\x1b[{}A\r\x1b[J", lines)) + block);
    shown_ = std::move(block);
  }

  ProgressStyle style_;
  std::string shown_;
};

}  // namespace

int follow_run(const RunFollower& follower, ProgressStyle style, FollowUntil until) {
  FollowDisplay display(style);
  for (;;) {
    const FollowedRun run = follower.look();
    display.show(run, follower);
    if (run.life == RunLife::dead) refuse_dead(run);
    if (run.life == RunLife::ended) {
      display.show_end(run);
      return run.end.exit.value_or(0);
    }
    if (until == FollowUntil::now) return 0;
    std::this_thread::sleep_for(looking_period);
  }
}

}  // namespace teslasim
