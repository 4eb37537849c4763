// SPDX-License-Identifier: Apache-2.0
#include "sim/run/action_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/run/signals.h"

namespace teslasim {
namespace {

using Seconds = std::chrono::duration<double>;

std::string progress_json(const std::string& action, std::uint64_t percent, double seconds, std::uint64_t left) {
  nlohmann::ordered_json json;
  json["action"] = action;
  json["percent"] = percent;
  json["seconds"] = std::round(seconds * 10.0) / 10.0;
  json["eta_s"] = left;
  return json_text(json);
}

Seconds period_of(ProgressStyle style) {
  constexpr Seconds tty{0.2}, json{2.0}, plain{30.0};
  return style == ProgressStyle::tty ? tty : style == ProgressStyle::json ? json : plain;
}

}  // namespace

ActionProgress::ActionProgress(std::string action, ProgressStyle style, std::uint64_t total)
    : action_(std::move(action)), style_(style), total_(total), start_(Clock::now()), shown_(start_) {
  catch_signals();
}

ActionProgress::~ActionProgress() {
  if (line_open_) print_notice("\r\x1b[K");
}

void ActionProgress::look(std::uint64_t done) {
  if (caught_signal() != 0) throw Interrupted{caught_signal()};
  const Clock::time_point now = Clock::now();
  if (style_ == ProgressStyle::none || now - shown_ < period_of(style_) || done == 0 || total_ == 0) return;
  shown_ = now;
  const double seconds = Seconds(now - start_).count();
  const auto left = static_cast<std::uint64_t>(seconds * static_cast<double>(total_ - std::min(done, total_)) /
                                               static_cast<double>(done));
  const std::uint64_t percent = 100 * done / total_;
  if (style_ == ProgressStyle::json) return print_notice(progress_json(action_, percent, seconds, left) + "\n");
  const std::string line =
      fmt::format("{}  {} %  {:.1f} s  ETA {}:{:02}", action_, percent, seconds, left / 60, left % 60);
  print_notice(style_ == ProgressStyle::tty ? "\r\x1b[K" + line : "progress: " + line + "\n");
  line_open_ = style_ == ProgressStyle::tty;
}

}  // namespace teslasim
