// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/run/run_files.h"

namespace teslasim {
namespace {

TEST(RecordedEnd, a_finished_run_is_complete) {
  const RecordedEnd end = read_end(R"({"status": "limit", "exit": 0})");
  EXPECT_TRUE(end.complete());
  EXPECT_EQ(end.exit, 0);
  EXPECT_EQ(end.status, "limit");
}

TEST(RecordedEnd, one_that_was_cut_off_is_not) {
  EXPECT_FALSE(read_end(R"({"status": "interrupted", "exit": 130})").complete());
  EXPECT_FALSE(read_end(R"({"status": "ok", "exit": 0, "writing": true})").complete());
  EXPECT_FALSE(read_end(R"({"status": "ok"})").complete());
  EXPECT_FALSE(read_end("").complete());
}

TEST(RecordedEnd, files_of_others_say_nothing) {
  EXPECT_FALSE(read_end("[1, 2]").complete());
  EXPECT_FALSE(read_end(R"({"status": 3, "exit": "0", "writing": []})").complete());
  EXPECT_FALSE(read_end(std::string(100000, '[')).complete());
}

}  // namespace
}  // namespace teslasim
