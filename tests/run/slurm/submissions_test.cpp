// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/submissions.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

Round round_of(std::size_t number, const std::string& job, std::vector<std::vector<std::string>> tasks,
               bool begins = false) {
  Round round;
  round.number = number;
  round.job = job;
  round.chunk = 2;
  round.job_name = "name" + std::to_string(number);
  round.tasks = std::move(tasks);
  round.begins = begins;
  round.age_seconds = 1e6;
  return round;
}

SlurmQueue queue_of(const std::string& lines) {
  return parse_queue(lines);
}

const std::vector<Round> two_rounds{round_of(1, "10", {{"a", "b"}, {"c"}}, true), round_of(2, "11", {{"b"}})};

TEST(Submissions, are_counted_by_point) {
  const Submissions submissions(two_rounds, Submissions::Counting::goes_on);
  EXPECT_EQ(submissions.submitted().at("a").times, 1U);
  EXPECT_EQ(submissions.submitted().at("b").times, 2U);
  EXPECT_EQ(submissions.submitted().at("b").last_task, "11_1");
  EXPECT_EQ(submissions.submitted().at("c").last_task, "10_2");
  EXPECT_FALSE(submissions.begins());
}

TEST(Submissions, of_a_new_command_do_not_count_those_before) {
  Submissions submissions(two_rounds, Submissions::Counting::anew);
  EXPECT_EQ(submissions.submitted().at("b").times, 0U);
  EXPECT_TRUE(submissions.begins());
  submissions.add(round_of(3, "12", {{"b"}}, true));
  EXPECT_EQ(submissions.submitted().at("b").times, 1U);
  EXPECT_EQ(submissions.chunk(), 2U);
}

TEST(Submissions, that_go_on_count_from_the_last_beginning) {
  std::vector<Round> rounds = two_rounds;
  rounds.push_back(round_of(3, "12", {{"b"}}, true));
  rounds.push_back(round_of(4, "13", {{"b"}}));
  EXPECT_EQ(Submissions(rounds, Submissions::Counting::goes_on).submitted().at("b").times, 2U);
}

TEST(Submissions, know_which_points_are_with_slurm) {
  const Submissions submissions(two_rounds, Submissions::Counting::anew);
  const SlurmQueue queue = queue_of("10|2|RUNNING|None|x\n11|1|PENDING|Priority|y\n99|1|RUNNING|None|z\n");
  EXPECT_EQ(submissions.with_slurm(queue), (std::set<std::string>{"b", "c"}));
  EXPECT_EQ(submissions.tasks(queue).running, 1U);
  EXPECT_EQ(submissions.tasks(queue).waiting, 1U);
  EXPECT_EQ(submissions.tasks(queue).reason, "Priority");
  EXPECT_EQ(submissions.jobs(queue), (std::vector<std::string>{"10", "11"}));
}

TEST(Submissions, without_a_job_may_be_in_the_making) {
  Round fresh = round_of(1, "", {{"a"}}, true);
  EXPECT_FALSE(Submissions({fresh}, Submissions::Counting::goes_on).one_is_being_made()) << "it was given up long ago";
  fresh.age_seconds = 3.0;
  EXPECT_TRUE(Submissions({fresh}, Submissions::Counting::goes_on).one_is_being_made());
  EXPECT_TRUE(Submissions({fresh}, Submissions::Counting::goes_on).submitted().empty());
}

}  // namespace
}  // namespace teslasim
