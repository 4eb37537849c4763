// SPDX-License-Identifier: Apache-2.0
// Every rule of the verdict on a kernel that deserves it and on the same kernel cured: both really simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/report/text/hints.h"
#include "tests/gpu/gpu_bench.h"

namespace teslasim {
namespace {

using testing::Bench;

struct Trial {
  std::string body;
  unsigned blocks = 1;
  unsigned threads = 64;
  unsigned sms = 1;
};

struct RuleTrials {
  std::string_view topic;
  Trial deserving;
  Trial cured;
};

std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

/// $r1 = thread, $r2 = 4 x thread; `once`, then `body` as often as `loops` says; in the end one store.
std::string kernel(const std::string& once, const std::string& body, unsigned loops = 32) {
  return R"(
  and.b32 $r1, $r0, 0x0000ffff
  shl.u32 $r2, $r1, 2
  mov.b32 $r3, 0x3f800000
  mov.b32 $r4, 0x3f800000
  mov.b32 $r14, 0xffffffff
)" + once +
         "  mov.b32 $r5, " + std::to_string(loops) + R"(
again:
)" + body +
         R"(
  add.u32 $p0|$r5, $r5, $r14
@$p0.ne bra.label again
  add.u32 $r9, s[out], $r2
  mov.u32 g[$r9], $r3
  return
)";
}

/// Shared accesses at thread x `words`.
Trial shared_stride(unsigned shift) {
  return {".shared tile, 8192\n" +
          kernel("  movsh.b32 $ofs1, $r1, " + std::to_string(shift) + "\n",
                 repeated("  mov.b32 s[$ofs1+tile], $r3\n  add.u32 $r3, s[$ofs1+tile], $r3\n", 8))};
}

/// Loads of the word at `in` + (thread << shift), again and again: global memory has no cache.
Trial loads(unsigned shift, unsigned blocks, unsigned threads, const std::string& head = "") {
  return {head + kernel("  shl.u32 $r6, $r1, " + std::to_string(shift) + "\n  add.u32 $r6, s[in], $r6\n",
                        repeated("  mov.u32 $r7, g[$r6]\n  add.u32 $r3, $r3, $r7\n", 4), 16),
          blocks, threads};
}

const std::string mads = repeated("  mad.f32 $r3, $r3, $r4, $r4\n  mad.f32 $r6, $r3, $r4, $r4\n", 16);
const std::string four_chains = repeated(
    "  add.f32 $r3, $r3, $r4\n  add.f32 $r6, $r6, $r4\n  add.f32 $r7, $r7, $r4\n  add.f32 $r8, $r8, $r4\n"
    "  add.f32 $r10, $r10, $r4\n  add.f32 $r11, $r11, $r4\n  add.f32 $r12, $r12, $r4\n  add.f32 $r13, $r13, $r4\n",
    8);

/// The even lanes (or, `whole_warps`, the even warps) go one way, the others another.
Trial two_ways(bool whole_warps) {
  return {kernel(whole_warps ? "  and.b32 $r6, $r1, 0x00000020\n" : "  and.b32 $r6, $r1, 0x00000001\n",
                 "  and.b32 $p1|$r7, $r6, $r14\n  join.label together\n@$p1.ne bra.label odd\n" +
                     repeated("  add.f32 $r3, $r3, $r4\n", 16) + "  bra.label together\nodd:\n" +
                     repeated("  mul.f32 $r3, $r3, $r4\n", 16) + "together:\n  nop.join\n"),
          1, 256};
}

Trial constants(bool same_word) {
  return {kernel(same_word ? "  mov.b32 $ofs1, 0x00000000\n"
                           : "  and.b32 $r6, $r1, 0x0000000f\n  movsh.b32 $ofs1, $r6, 2\n",
                 repeated("  mov.b32 $r6, c1[$ofs1]\n  add.u32 $r3, $r3, $r6\n", 8)),
          4, 256};
}

/// Warps that do nothing but meet, or meet once in a while.
Trial barriers(bool often) {
  const std::string work = repeated("  add.f32 $r3, $r3, $r4\n", 2), meet = "  bar.sync.u32 0x00000000\n";
  return {kernel("", often ? repeated(meet, 16) : repeated(work, 16) + meet), 1, 256};
}

std::vector<RuleTrials> trials() {
  const std::string half_of_shared_memory = ".shared tile, 9000\n";
  return {
      {"bank-conflict", shared_stride(6), shared_stride(2)},
      {"coalescing", loads(6, 4, 256), loads(2, 4, 256)},
      {"occupancy", loads(2, 2, 64, half_of_shared_memory), loads(2, 8, 128)},
      {"latency-hiding", loads(2, 4, 256), {kernel("", mads), 4, 256}},
      {"divergence", two_ways(false), two_ways(true)},
      {"constant", constants(false), constants(true)},
      {"barrier", barriers(true), barriers(false)},
      {"grid-size", {kernel("", mads), 1, 256, 4}, {kernel("", mads), 16, 256, 4}},
      {"grid-size", loads(2, 1, 128), loads(2, 8, 128)},
      {"code-size", {kernel("", repeated(four_chains, 24), 1), 1, 32}, {kernel("", four_chains, 64), 1, 96}},
      {"dependency", {kernel("", mads), 1, 32}, {kernel("", mads), 4, 256}},
      {"sfu", {kernel("", repeated("  rcp.f32 $r3, $r3\n", 16)), 4, 256}, {kernel("", mads), 4, 256}},
      {"branch-cost", {kernel("", "  add.f32 $r3, $r3, $r4\n", 256), 1, 96}, {kernel("", four_chains, 64), 1, 96}},
      {"compute-bound", {kernel("", mads), 4, 256}, {kernel("", mads), 1, 64}},
  };
}

std::vector<std::string_view> verdict_on(const Trial& trial) {
  Bench bench(trial.body, trial.blocks, trial.threads);
  bench.fill_constants(1, 64);  // 16 words
  MachineSpec machine = testing::machine("gtx280");
  machine.gpu.tpcs = 1;
  machine.gpu.sms_per_tpc = trial.sms;
  const LaunchOutcome outcome = bench.run(machine);
  EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
  std::vector<std::string_view> topics;
  for (const Hint& hint : hints_for(statistics_in(outcome.statistics))) topics.push_back(hint.topic);
  return topics;
}

TEST(VerdictRules, apply_to_kernels_that_deserve_them_and_not_to_cured_ones) {
  for (const RuleTrials& trial : trials()) {
    SCOPED_TRACE(std::string(trial.topic));
    std::vector<std::string_view> found = verdict_on(trial.deserving);
    found.resize(std::min<std::size_t>(found.size(), 3));  // the cards of the report
    EXPECT_THAT(found, ::testing::Contains(trial.topic)) << "a kernel that deserves it";
    EXPECT_THAT(verdict_on(trial.cured), ::testing::Not(::testing::Contains(trial.topic))) << "a cured kernel";
  }
}

TEST(VerdictRules, all_have_both_kernels) {
  std::multiset<std::string_view> tried, rules;
  for (const RuleTrials& trial : trials()) tried.insert(trial.topic);
  for (const HintRule& rule : hint_rules()) rules.insert(rule.topic);
  EXPECT_EQ(tried, rules) << "each row of sim/report/text/hints.cpp needs a row in trials()";
}

}  // namespace
}  // namespace teslasim
