// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/slurm_client.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(SlurmQueue, has_the_tasks_of_arrays_that_have_not_ended) {
  const SlurmQueue queue = parse_queue(
      "12|3|RUNNING|None|sweep-a-1\n"
      "12|4|PENDING|Nodes required for job are DOWN, DRAINED|sweep-a-1\n"
      "13|N/A|RUNNING|None|somebody else's\n"
      "14|1|CANCELLED|None|ended\n"
      "15|2|COMPLETING|None|a|b\n");
  ASSERT_EQ(queue.tasks().size(), 3U);
  EXPECT_EQ(queue.tasks()[0].job, "12");
  EXPECT_EQ(queue.tasks()[0].index, 3U);
  EXPECT_FALSE(queue.tasks()[0].waits());
  EXPECT_TRUE(queue.tasks()[1].waits());
  EXPECT_EQ(queue.tasks()[1].reason, "Nodes required for job are DOWN, DRAINED");
  EXPECT_EQ(queue.job_named("a|b"), "15");
  EXPECT_EQ(queue.job_named("ended"), "");
}

TEST(SlurmQueue, of_a_text_that_is_none_is_empty) {
  EXPECT_TRUE(parse_queue("").tasks().empty());
  EXPECT_TRUE(parse_queue("slurm_load_jobs error: Unable to contact slurm controller\n").tasks().empty());
}

TEST(SlurmAccounts, give_the_ends_of_tasks) {
  const auto ends = parse_accounts("7_1|COMPLETED\n7_2|CANCELLED by 0\n7_3|RUNNING\n7_4|NODE_FAIL\n");
  EXPECT_EQ(ends.size(), 3U);
  EXPECT_EQ(ends.at("7_2"), "CANCELLED");
  EXPECT_EQ(ends.at("7_4"), "NODE_FAIL");
}

TEST(SlurmJobs, give_the_ends_that_the_controller_remembers) {
  const auto ends = parse_jobs(
      "JobId=9 ArrayJobId=7 ArrayTaskId=2 JobName=a b JobState=PREEMPTED Reason=None\n"
      "JobId=7 ArrayJobId=7 ArrayTaskId=3-9 JobName=a JobState=PENDING Reason=Resources\n");
  EXPECT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends.at("7_2"), "PREEMPTED");
}

TEST(SlurmConfiguration, says_how_large_an_array_may_be) {
  EXPECT_EQ(parse_array_size("MaxArraySize            = 1001\nMaxDBDMsgs = 20008\n"), 1001U);
  EXPECT_EQ(parse_array_size("nothing of it\n"), std::nullopt);
}

}  // namespace
}  // namespace teslasim
