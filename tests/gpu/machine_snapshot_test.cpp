// SPDX-License-Identifier: Apache-2.0
// What a launch under way stands at, as text.
#include "sim/gpu/machine_snapshot.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

/// The texts of all moments at which the launch was looked at, every edge at its own time.
std::vector<std::string> snapshots_of(Bench& bench, const std::string& name) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  TimingOptions options;
  options.look_ahead = 0;
  GpuSimulator gpu(machine(name), options);
  EXPECT_EQ(gpu.snapshot(), "") << "no launch is under way";
  std::vector<std::string> texts;
  RunControl control;
  control.watch = [&](const Progress&) {
    texts.push_back(gpu.snapshot());
    return Verdict::go_on;
  };
  static_cast<void>(gpu.run(bench.launch(), control));
  EXPECT_EQ(gpu.snapshot(), "");
  return texts;
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  std::istringstream lines(text);
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) found += std::regex_search(line, wanted) ? 1U : 0U;
  return found;
}

TEST(MachineSnapshot, has_a_line_for_each_resident_warp_and_one_for_each_busy_sm) {
  Bench bench(mixed_kernel, 200, 192);
  const std::vector<std::string> texts = snapshots_of(bench, "gtx280");
  ASSERT_GE(texts.size(), 3U);
  const std::regex head(R"(SM \d+: (\d+) blocks, (\d+) warps; last issue in cycle \d+)");
  for (std::size_t i = 0; i < texts.size(); i += texts.size() / 3) {
    const std::string& text = texts[i];
    std::size_t resident = 0, busy = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::smatch found;
      if (!std::regex_match(line, found, head)) continue;
      ++busy;
      EXPECT_EQ(std::stoul(found[2]), 6 * std::stoul(found[1])) << "192 threads are six warps";
      resident += std::stoul(found[2]);
    }
    EXPECT_LE(busy, 30U);
    EXPECT_EQ(count(text, R"(^ +\d+ +[0-5]  (0x[0-9a-f]{4}  [0-9a-f]{8}  |-       -         finished ))"), resident);
  }
  const std::string& midst = texts[texts.size() / 2];
  EXPECT_NE(count(midst, "mem.global"), 0U) << midst;
  EXPECT_NE(count(midst, R"(^gpu\.(tpc|partition|crossbar))"), 0U) << "traffic is under way";
  EXPECT_EQ(count(midst, R"(^gpu\.block_scheduler: .* of 200 blocks finished)"), 1U);
}

TEST(MachineSnapshot, names_the_lanes_that_run_in_divergent_code) {
  Bench bench(
      "  shl.u32 $p0|$r7, $r0, 31\n  join.label together\n@$p0.ne bra.label odd\n  bra.label together\nodd:\n"
      "  mov.b32 $r4, 0x00000400\nagain:\n  add.b32 $r4, $r4, 0xffffffff\n  mov.b32 $r5, 0x00000000\n"
      "  set.gt.s32 $p0|$o127, $r4, $r5\n@$p0.ne bra.label again\ntogether:\n  nop.join\n  return\n",
      1, 32);
  const std::vector<std::string> texts = snapshots_of(bench, "tiny");
  ASSERT_FALSE(texts.empty());
  std::size_t odd = 0;
  for (const std::string& text : texts) odd += count(text, " aaaaaaaa ");
  EXPECT_NE(odd, 0U) << texts.back();
}

}  // namespace
}  // namespace teslasim::testing
