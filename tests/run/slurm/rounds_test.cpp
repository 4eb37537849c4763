// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/rounds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/run/slurm/point_files.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

class RoundsOfStudy : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path().string() + "/rounds_%_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] StudyPoint point(const std::string& name, std::vector<std::string> command) const {
    fs::create_directories(points_folder(folder_));
    return {points_folder(folder_) + "/" + name, std::move(command)};
  }
  [[nodiscard]] static std::string text(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }
  /// A task as Slurm would run it.
  static int run_task(const Round& round, int task) {
    const std::string command =
        "SLURM_JOB_ID=5 SLURM_ARRAY_TASK_ID=" + std::to_string(task) + " bash '" + Rounds::script(round) + "'";
    return std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe)
  }

  std::string folder_;
};

TEST_F(RoundsOfStudy, are_read_as_they_were_made) {
  const Rounds rounds(folder_, "sweep-a");
  EXPECT_TRUE(rounds.read().empty());
  const RoundContent content{true, 2, {point("p", {"x"}), point("q", {"x"}), point("r", {"x"})}};
  std::optional<Round> made = rounds.make(0, content, {});
  ASSERT_TRUE(made);
  Rounds::note_job(*made, "17");
  const std::vector<Round> read = rounds.read();
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].number, 1U);
  EXPECT_TRUE(read[0].begins);
  EXPECT_EQ(read[0].chunk, 2U);
  EXPECT_EQ(read[0].job, "17");
  EXPECT_EQ(read[0].job_name, made->job_name);
  EXPECT_EQ(read[0].tasks, (std::vector<std::vector<std::string>>{{"p", "q"}, {"r"}}));
}

TEST_F(RoundsOfStudy, have_one_maker) {
  const Rounds here(folder_, "sweep-a"), there(folder_, "sweep-a");
  const RoundContent content{true, 1, {point("p", {"x"})}};
  EXPECT_TRUE(here.make(0, content, {}));
  EXPECT_FALSE(there.make(0, content, {})) << "another process made it first";
  EXPECT_TRUE(there.make(1, content, {}));
}

TEST_F(RoundsOfStudy, say_to_slurm_what_was_asked_for) {
  SlurmRequest request;
  request.partition = "long";
  request.at_a_time = 4;
  const std::optional<Round> round =
      Rounds(folder_, "sweep-a").make(0, {true, 1, {point("p", {"x"}), point("q", {"x"})}}, request);
  const std::string script = text(Rounds::script(*round));
  EXPECT_NE(script.find("#SBATCH --array=1-2%4\n"), std::string::npos);
  EXPECT_NE(script.find("#SBATCH --partition=long\n"), std::string::npos);
  EXPECT_NE(script.find("/rounds_%%_"), std::string::npos) << "a percent sign in the name of the folder is no pattern";
}

TEST_F(RoundsOfStudy, leave_a_result_and_an_exit_code_of_each_point) {
  const std::string writes = R"(for word; do case $word in --out=*) echo "$1 $2" >"${word#--out=}";; esac; done)";
  const StudyPoint good = point("good", {"/bin/bash", "-c", writes, "bash", "it's", "a $word"});
  const StudyPoint bad = point("bad", {"/bin/bash", "-c", "echo reason >&2; exit 3"});
  const std::optional<Round> round = Rounds(folder_, "sweep-a").make(0, {true, 2, {good, bad}}, {});
  EXPECT_EQ(run_task(*round, 1), 0);
  EXPECT_EQ(text(good.place), "it's a $word\n");
  EXPECT_EQ(exit_of(good), 0);
  EXPECT_EQ(exit_of(bad), 3);
  EXPECT_EQ(text(bad.place + ".stderr"), "reason\n");
  EXPECT_EQ(ended_points(folder_).size(), 2U);
  EXPECT_FALSE(is_of_host(good, 0));
  EXPECT_FALSE(is_of_host(bad, 3));
  EXPECT_TRUE(is_of_host(bad, 137));
  EXPECT_TRUE(is_of_host(bad, 0)) << "it left no result";
}

TEST_F(RoundsOfStudy, do_not_run_what_has_ended_and_keep_the_first_result) {
  const StudyPoint done = point("done", {"/bin/bash", "-c", "exit 9"});
  put_in_place(done, done.place + ".part-1", 0);
  const std::optional<Round> round = Rounds(folder_, "sweep-a").make(0, {true, 1, {done}}, {});
  EXPECT_EQ(run_task(*round, 1), 0);
  EXPECT_EQ(exit_of(done), 0);
  forget_exit(done);
  EXPECT_EQ(run_task(*round, 1), 0);
  EXPECT_EQ(exit_of(done), 9);
  std::ofstream(done.place + ".part-77") << "remains";
  remove_parts(folder_);
  EXPECT_FALSE(fs::exists(done.place + ".part-77"));
}

}  // namespace
}  // namespace teslasim
