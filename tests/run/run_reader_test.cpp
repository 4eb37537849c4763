// SPDX-License-Identifier: Apache-2.0
// Runs that are missing, cut off or damaged: what the reader says of them.
#include "sim/run/run_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace teslasim {
namespace {

namespace fs = std::filesystem;

class ReadRun : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "teslasim-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  RunReader with(const char* file, const std::string& text) {
    std::ofstream(folder_ + '/' + file) << text;
    return RunReader(folder_);
  }
  std::string folder_;
};

TEST_F(ReadRun, times_are_those_of_launches_that_ended_well) {
  const RunReader run = with("stats.json", R"({"launches": [
      {"status": "ok", "time": {"ms": 1.5}}, {"status": "limit", "time": {"ms": 2.5}}, {"status": "ok"}]})");
  const std::vector<std::optional<double>> expected{1.5, std::nullopt, std::nullopt};
  EXPECT_EQ(run.simulated_ms(), expected);
}

TEST_F(ReadRun, without_statistics_there_are_no_times) {
  EXPECT_TRUE(RunReader(folder_).simulated_ms().empty());
  for (const char* text : {"", "[1]", "{", R"({"launches": 3})", R"({"launches": [3, null]})"}) {
    EXPECT_TRUE(with("stats.json", text).simulated_ms().empty()) << text;
  }
}

TEST_F(ReadRun, progress_is_what_status_json_says) {
  EXPECT_FALSE(RunReader(folder_).status());
  const auto status = with("status.json", R"({"seconds": 2.5, "ctas_done": 7, "ctas_total": 40})").status();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->moment.seconds, 2.5);
  EXPECT_EQ(status->moment.progress.ctas_done, 7U);
  EXPECT_EQ(status->moment.progress.ctas_total, 40U);
}

}  // namespace
}  // namespace teslasim
