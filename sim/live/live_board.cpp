// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_board.h"

#include <algorithm>
#include <utility>

namespace teslasim {

void LiveBoard::post(LiveView view) {
  auto posted = std::make_shared<const LiveView>(std::move(view));
  const std::lock_guard lock(mutex_);
  view_ = std::move(posted);
  if (view_->counters) history_.add(view_->progress.seconds, *view_->counters);
}

std::vector<LiveWish> LiveBoard::take_wishes() {
  const std::lock_guard lock(mutex_);
  has_wishes_ = false;
  return std::exchange(wishes_, {});
}

std::shared_ptr<const LiveView> LiveBoard::view() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

LiveHistory LiveBoard::history() const {
  const std::lock_guard lock(mutex_);
  return history_;
}

std::size_t LiveBoard::history_points() const {
  const std::lock_guard lock(mutex_);
  return history_.points().size();
}

std::optional<std::string> LiveBoard::wish(LiveWish wish) {
  const std::lock_guard lock(mutex_);
  if (std::optional<std::string> why = refusal(wish)) return why;
  if (wish.action == LiveAction::stop) stopping_ = true;
  wishes_.push_back(wish);
  has_wishes_ = true;
  return std::nullopt;
}

bool LiveBoard::waits(LiveAction action) const {
  return std::any_of(wishes_.begin(), wishes_.end(), [action](const LiveWish& one) { return one.action == action; });
}

std::optional<std::string> LiveBoard::refusal(LiveWish wish) const {
  if (stopping_) return "the run is being stopped";
  if (view_->phase != "running") return "the simulation has ended";
  const auto writes = [this](LiveProduct::Kind kind) {
    return std::any_of(view_->products.begin(), view_->products.end(), [kind](const LiveProduct& one) {
      return one.kind == kind && one.state == LiveProduct::State::writing;
    });
  };
  switch (wish.action) {
    case LiveAction::stop:
      break;
    case LiveAction::snapshot:
      if (!view_->no_snapshots.empty()) return view_->no_snapshots;
      if (waits(LiveAction::snapshot) || writes(LiveProduct::Kind::snapshot))
        return "a snapshot is being written: one at a time";
      break;
    case LiveAction::begin_timeline:
      if (!view_->no_timelines.empty()) return view_->no_timelines;
      if (view_->recording || waits(LiveAction::begin_timeline)) return "a timeline is being recorded: one at a time";
      if (wish.sm >= view_->sms)
        return "there is no SM " + std::to_string(wish.sm) + ": the machine has " + std::to_string(view_->sms);
      break;
    case LiveAction::end_timeline:
      if (!view_->recording || waits(LiveAction::end_timeline)) return "no timeline is being recorded";
      break;
  }
  return std::nullopt;
}

}  // namespace teslasim
