// SPDX-License-Identifier: Apache-2.0
#include "sim/run/watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/base/temporary_folder.h"
#include "sim/run/console.h"

namespace teslasim {
namespace {

TEST(Watch, stops_a_run_after_its_wall_time) {
  WatchOptions options;
  options.kernels = {"k"};
  Watch patient(options);
  EXPECT_EQ(patient.look(0, {}), Verdict::go_on);
  options.max_seconds = 1e-9;
  Watch impatient(options);
  EXPECT_EQ(impatient.look(0, {}), Verdict::interrupt);
  EXPECT_EQ(impatient.stop_reason(), Watch::StopReason::wall_time);
}

TEST(Watch, an_onlooker_sees_each_look_and_nothing_is_written_in_a_copy_of_the_process) {
  const TemporaryFolder folder("watch");
  ProcessSide side = ProcessSide::original;
  std::vector<std::uint64_t> seen;
  WatchOptions options;
  options.kernels = {"k"};
  options.status_file = folder.file("status.json");
  options.onlooker = [&](const Moment& moment) {
    seen.push_back(moment.progress.ctas_done);
    return side;
  };
  Watch watch(options);
  EXPECT_EQ(watch.look(0, {3, 9, 0, 0}), Verdict::go_on);
  std::filesystem::remove(options.status_file);
  side = ProcessSide::copy;
  EXPECT_EQ(watch.look(0, {4, 9, 0, 0}), Verdict::go_on);
  watch.finish("ok");
  EXPECT_FALSE(std::filesystem::exists(options.status_file));
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{3, 4}));
}

TEST(Watch, the_last_status_has_the_last_counts_of_a_launch) {
  const TemporaryFolder folder("watch");
  WatchOptions options;
  options.kernels = {"k"};
  options.status_file = folder.file("status.json");
  Watch watch(options);
  EXPECT_EQ(watch.look(0, {3, 9, 70, 50}), Verdict::go_on);
  LaunchStatistics launch;
  launch.ctas_done = launch.ctas_total = 9;
  launch.warp_instructions = 120;
  launch.shader_cycles = 80;
  watch.launch_ended(0, launch);
  watch.finish("ok");
  std::ifstream file(options.status_file);
  const auto status = nlohmann::json::parse(file);
  EXPECT_EQ(status["phase"], "ok");
  EXPECT_EQ(status["ctas_done"], 9);
  EXPECT_EQ(status["cycle"], 80);
  ASSERT_EQ(status["intervals"].size(), 2U) << "to the first look, and to the end";
  EXPECT_EQ(status["intervals"][1]["warp_instructions"], 50);
}

TEST(Console, colours_only_the_head_of_a_message) {
  EXPECT_EQ(painted("error[X]: a b\n  error: inside\nwarning: w\n"),
            "\x1b[1;31merror[X]\x1b[0m: a b\n  error: inside\n\x1b[1;33mwarning\x1b[0m: w\n");
  EXPECT_EQ(painted("errors are fine"), "errors are fine");
  EXPECT_EQ(painted(""), "");
}

}  // namespace
}  // namespace teslasim
