// SPDX-License-Identifier: Apache-2.0
// Datasheet of the board between a run and its live view: wishes that are granted, and why others are not; a history
// that stays small.
#include "sim/live/live_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

using ::testing::HasSubstr;

LiveView view() {
  LiveView view;
  view.sms = 30;
  return view;
}

std::string refusal(LiveBoard& board, LiveAction action, unsigned sm = 0) {
  return board.wish({action, sm}).value_or("");
}

TEST(LiveBoard, hands_wishes_over_once_and_in_order) {
  LiveBoard board;
  board.post(view());
  EXPECT_FALSE(board.has_wishes());
  EXPECT_EQ(refusal(board, LiveAction::begin_timeline, 29), "");
  EXPECT_EQ(refusal(board, LiveAction::snapshot), "");
  EXPECT_TRUE(board.has_wishes());
  const std::vector<LiveWish> wishes = board.take_wishes();
  ASSERT_EQ(wishes.size(), 2U);
  EXPECT_EQ(wishes[0].action, LiveAction::begin_timeline);
  EXPECT_EQ(wishes[0].sm, 29U);
  EXPECT_EQ(wishes[1].action, LiveAction::snapshot);
  EXPECT_FALSE(board.has_wishes());
  EXPECT_TRUE(board.take_wishes().empty());
}

TEST(LiveBoard, one_snapshot_at_a_time) {
  LiveBoard board;
  board.post(view());
  EXPECT_EQ(refusal(board, LiveAction::snapshot), "");
  EXPECT_THAT(refusal(board, LiveAction::snapshot), HasSubstr("one at a time"));
  static_cast<void>(board.take_wishes());
  LiveView writing = view();
  writing.products.emplace_back();
  board.post(writing);
  EXPECT_THAT(refusal(board, LiveAction::snapshot), HasSubstr("one at a time"));
  writing.products.front().state = LiveProduct::State::written;
  board.post(writing);
  EXPECT_EQ(refusal(board, LiveAction::snapshot), "");
}

TEST(LiveBoard, one_timeline_at_a_time_of_an_sm_that_is_there) {
  LiveBoard board;
  board.post(view());
  EXPECT_THAT(refusal(board, LiveAction::end_timeline), HasSubstr("no timeline"));
  EXPECT_THAT(refusal(board, LiveAction::begin_timeline, 30), HasSubstr("there is no SM 30: the machine has 30"));
  LiveView recording = view();
  recording.recording = LiveTimeline{3, 0, 1000};
  board.post(recording);
  EXPECT_THAT(refusal(board, LiveAction::begin_timeline), HasSubstr("one at a time"));
  EXPECT_EQ(refusal(board, LiveAction::end_timeline), "");
  EXPECT_THAT(refusal(board, LiveAction::end_timeline), HasSubstr("no timeline"));
}

TEST(LiveBoard, says_what_the_run_cannot_do) {
  LiveBoard board;
  LiveView poor = view();
  poor.no_snapshots = "no snapshots here";
  poor.no_timelines = "no timelines here";
  board.post(poor);
  EXPECT_EQ(refusal(board, LiveAction::snapshot), "no snapshots here");
  EXPECT_EQ(refusal(board, LiveAction::begin_timeline), "no timelines here");
}

TEST(LiveBoard, takes_no_wish_after_stop_and_none_after_the_end) {
  LiveBoard stopped;
  stopped.post(view());
  EXPECT_EQ(refusal(stopped, LiveAction::stop), "");
  for (const LiveAction action : {LiveAction::stop, LiveAction::snapshot, LiveAction::begin_timeline})
    EXPECT_THAT(refusal(stopped, action), HasSubstr("being stopped"));
  EXPECT_EQ(stopped.take_wishes().size(), 1U) << "a second Ctrl-C would end the program";
  LiveBoard over;
  LiveView ended = view();
  ended.phase = "writing";
  over.post(ended);
  EXPECT_THAT(refusal(over, LiveAction::stop), HasSubstr("has ended"));
}

TEST(LiveHistory, keeps_a_point_each_second) {
  LiveHistory history;
  for (const double seconds : {0.2, 0.4, 1.1, 1.2, 2.3, 9.0}) history.add(seconds, {});
  std::vector<double> kept;
  for (const LiveHistory::Point& point : history.points()) kept.push_back(point.seconds);
  EXPECT_EQ(kept, (std::vector<double>{0.2, 1.2, 2.3, 9.0}));
}

TEST(LiveHistory, stays_small_and_reaches_back_to_the_start) {
  LiveHistory history;
  constexpr unsigned seconds = 100'000;
  LiveCounters counters;
  for (unsigned i = 0; i < seconds; ++i) {
    counters.read_bytes = i;
    history.add(i, counters);
    ASSERT_LE(history.points().size(), LiveHistory::most_points);
  }
  EXPECT_GE(history.points().size(), LiveHistory::most_points / 2);
  EXPECT_EQ(history.points().front().seconds, 0.0);
  EXPECT_GT(history.points().back().seconds, 0.98 * seconds);
  for (std::size_t i = 1; i < history.points().size(); ++i)
    EXPECT_LT(history.points()[i - 1].read_bytes, history.points()[i].read_bytes);
}

}  // namespace
}  // namespace teslasim
