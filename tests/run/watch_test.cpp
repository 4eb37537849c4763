// SPDX-License-Identifier: Apache-2.0
#include "sim/run/watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/temporary_folder.h"
#include "sim/report/text/format.h"
#include "sim/run/console.h"

namespace teslasim {
namespace {

Moment moment() {
  Moment result;
  result.kernel = "reduce1";
  result.progress = {1234, 4096, 800'000, 20'000};
  result.seconds = 2.1;
  result.warp_instr_per_s = 400'000;
  result.eta_seconds = 65.2;
  return result;
}

TEST(Progress, a_line_with_what_is_left) {
  EXPECT_EQ(progress_line(moment()), "reduce1  1234/4096 blocks  30 %  2.1 s  400.00 k warp-instr/s  ETA 1:05");
}

TEST(Progress, several_launches_are_counted) {
  Moment later = moment();
  later.launch = 1;
  later.launches = 3;
  later.eta_seconds = -1.0;
  EXPECT_EQ(progress_line(later), "[2/3] reduce1  1234/4096 blocks  30 %  2.1 s  400.00 k warp-instr/s");
}

TEST(Progress, long_names_stay_on_the_line) {
  Moment wide = moment();
  wide.kernel = std::string(200, 'k');
  wide.progress = {1ULL << 60, 1ULL << 61, 0, 0};
  EXPECT_LE(columns(progress_line(wide)), 100U);
}

TEST(Progress, json_for_programs) {
  const auto json = nlohmann::json::parse(progress_json(moment()));
  EXPECT_EQ(json["ctas_done"], 1234);
  EXPECT_EQ(json["eta_s"], 65.2);
  const auto status = nlohmann::json::parse(status_json(moment(), "running"));
  EXPECT_EQ(status["schema"], "teslasim.status/1");
  EXPECT_EQ(status["phase"], "running");
  EXPECT_GT(status["rss_mb"], 0.0);
}

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

TEST(Console, colours_only_the_head_of_a_message) {
  EXPECT_EQ(painted("error[X]: a b\n  error: inside\nwarning: w\n"),
            "\x1b[1;31merror[X]\x1b[0m: a b\n  error: inside\n\x1b[1;33mwarning\x1b[0m: w\n");
  EXPECT_EQ(painted("errors are fine"), "errors are fine");
  EXPECT_EQ(painted(""), "");
}

}  // namespace
}  // namespace teslasim
