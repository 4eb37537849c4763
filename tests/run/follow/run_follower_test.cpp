// SPDX-License-Identifier: Apache-2.0
// Datasheet of a follower: what the files of a run and the lock of its folder say together.
#include "sim/run/follow/run_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "sim/base/output_file.h"
#include "sim/base/temporary_folder.h"
#include "sim/base/text_file.h"
#include "sim/report/text/format.h"
#include "sim/run/folder_lock.h"
#include "sim/run/follow/follow_view.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FollowRun : public ::testing::Test {
 protected:
  void status(const std::string& phase, const std::string& host = "") {
    Moment moment;
    moment.kernel = "reduce1";
    moment.progress = {1, 4, 500, 1000};
    moment.seconds = 4.0;
    moment.warp_instr_per_s = 125.0;
    moment.eta_seconds = 12.0;
    RunStatusRecord record =
        status_of_process(phase, moment, {{0, 0.0, 2.0, 0, 400, 300, 1}, {0, 2.0, 4.0, 400, 1000, 200, 0}});
    if (!host.empty()) record.host = host;
    write_file(folder_.file("status.json"), status_json(record));
  }
  void end(const std::string& text) { write_file(folder_.file("run.json"), text); }
  void age_by(std::chrono::seconds seconds) {
    const std::filesystem::path file = folder_.file("status.json");
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - seconds);
  }
  [[nodiscard]] FollowedRun look() const { return RunFollower(folder_.path()).look(); }
  void lock() { lock_.emplace(folder_.path(), FolderLock::Wait::no); }
  void leave() { lock_.reset(); }

  TemporaryFolder folder_{"follow"};
  std::optional<FolderLock> lock_;
};

TEST_F(FollowRun, lives_as_long_as_somebody_holds_its_folder) {
  lock();
  EXPECT_EQ(look().life, RunLife::starting);
  status("running");
  EXPECT_EQ(look().life, RunLife::running);
  EXPECT_FALSE(look().over());
  leave();
  EXPECT_EQ(look().life, RunLife::dead);
  EXPECT_TRUE(look().over());
}

TEST_F(FollowRun, writes_between_the_simulation_and_its_end) {
  lock();
  status("ok");
  EXPECT_EQ(look().life, RunLife::writing);
  end(R"({"status": "ok", "exit": 0, "writing": true})");
  EXPECT_EQ(look().life, RunLife::writing);
  end(R"({"status": "ok", "exit": 0})");
  EXPECT_EQ(look().life, RunLife::writing) << "the report comes last";
  leave();
  EXPECT_EQ(look().life, RunLife::ended);
  end(R"({"status": "ok", "exit": 0, "writing": true})");
  EXPECT_EQ(look().life, RunLife::dead) << "killed while it wrote";
}

TEST_F(FollowRun, of_another_host_the_age_of_the_status_has_to_do) {
  status("running", "elsewhere");
  EXPECT_EQ(look().life, RunLife::running) << "the lock says nothing here";
  age_by(std::chrono::seconds(100));
  EXPECT_EQ(look().life, RunLife::silent);
  EXPECT_THAT(followed_line(look()), HasSubstr("no sign of life for 1:4"));
  end(R"({"status": "ok", "exit": 0})");
  EXPECT_EQ(look().life, RunLife::ended);
}

TEST_F(FollowRun, as_text) {
  lock();
  status("running");
  EXPECT_EQ(followed_line(look()), "reduce1  1/4 blocks  25 %  4.0 s  125 warp-instr/s  ETA 0:12");
  const std::string block = followed_block(look());
  EXPECT_THAT(block, HasSubstr("   running\n"));
  EXPECT_THAT(block, HasSubstr("kernel   reduce1\n"));
  EXPECT_THAT(block, HasSubstr("blocks   1 of 4  25 %  [##########------------------------------]\n"));
  EXPECT_THAT(block, HasSubstr("cycle    1 000   500 warp instructions, 125/s\n"));
  EXPECT_THAT(block, HasSubstr("time     0:04, 0:12 left, "));
  EXPECT_THAT(block, HasSubstr("lately   100/s warp instructions, 300/s cycles"));
  EXPECT_THAT(block, HasSubstr("before   warp instructions/s: 150\n"));
}

TEST_F(FollowRun, no_line_is_wider_than_a_terminal) {
  lock();
  Moment moment;
  moment.kernel = std::string(300, 'k');
  moment.launches = 1ULL << 60;
  moment.progress = {1ULL << 60, 1ULL << 59, 1ULL << 60, std::uint64_t{1} << 60};
  moment.warp_instr_per_s = moment.eta_seconds = 1e300;
  std::vector<StatusInterval> intervals(RecentIntervals::most, {0, 0.0, 1e-300, 900, 0, 1ULL << 60, 1ULL << 60});
  write_file(folder_.file("status.json"), status_json(status_of_process("running", moment, intervals)));
  for (const std::string& line : lines_of(followed_block(look()))) EXPECT_LE(columns(line), 100U) << line;
  EXPECT_LE(columns(followed_line(look())), 100U);
}

TEST_F(FollowRun, its_end_in_words) {
  const auto words = [this](const std::string& text) {
    end(text);
    return ended_text(look());
  };
  EXPECT_THAT(words(R"({"status": "ok", "exit": 0})"), HasSubstr(": done (status ok, exit 0); results in "));
  EXPECT_THAT(words(R"({"status": "limit", "exit": 0})"), HasSubstr("stopped at the limit"));
  EXPECT_THAT(words(R"({"status": "ok", "exit": 1})"), HasSubstr("a check failed"));
  EXPECT_THAT(words(R"({"status": "interrupted", "exit": 130})"), HasSubstr("stopped by a signal"));
  const std::string failed = words(R"({"status": "kernel_error", "exit": 5, "diagnostics": [
      {"severity": "warning", "code": "W", "text": "mild\n"}, {"severity": "error", "code": "E", "text": "harsh\n"}]})");
  EXPECT_THAT(failed, HasSubstr("harsh\n"));
  EXPECT_THAT(failed, Not(HasSubstr("mild")));
}

TEST_F(FollowRun, a_look_takes_the_folder_from_nobody) {
  (void)look();
  lock();
  EXPECT_TRUE(lock_->held());
}

}  // namespace
}  // namespace teslasim
