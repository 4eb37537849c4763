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
  const char* level = "sm_10";
  unsigned tpcs = 1;
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

/// Half-warps read 64 bytes each, `apart` bytes from those of the next half-warp, over 16 KB.
Trial half_warps(unsigned apart_shift) {
  return {kernel("  shr.u32 $r6, $r1, 4\n  mov.u32.u16 $r7, %ctaid.x\n  shl.u32 $r7, $r7, 4\n  add.u32 $r6, $r6, $r7\n"
                 "  shl.u32 $r6, $r6, " +
                     std::to_string(apart_shift) +
                     "\n  and.b32 $r6, $r6, 0x00003fff\n  and.b32 $r8, $r1, 0x0000000f\n  shl.u32 $r8, $r8, 2\n"
                     "  add.u32 $r6, $r6, $r8\n  add.u32 $r6, s[in], $r6\n",
                 repeated("  mov.u32 $r7, g[$r6]\n  mov.u32 $r10, g[$r6]\n  mov.u32 $r11, g[$r6]\n"
                          "  add.u32 $r3, $r3, $r7\n  add.u32 $r3, $r3, $r10\n  add.u32 $r3, $r3, $r11\n",
                          4),
                 16),
          24,
          256,
          1,
          "sm_10",
          8};  // one TPC cannot ask for as much as a partition gives
}

/// Every thread adds to a word, once per turn: all to the same one, or each to its own.
Trial atomics(bool same_word) {
  return {kernel(same_word ? "  mov.b32 $r6, s[out]\n" : "  add.u32 $r6, s[out], $r2\n",
                 "  red.add.u32 g[$r6], $r1\n" + repeated("  add.f32 $r3, $r3, $r4\n", 8), 8),
          4, 256, 1, "sm_11"};
}

/// Values that go to local memory and come back, or stay in registers.
Trial spills(bool in_local_memory) {
  const std::string there = in_local_memory ? "  mov.u32 l[0x0], $r3\n  mov.u32 l[0x4], $r4\n"
                                              "  mov.u32 $r6, l[0x0]\n  mov.u32 $r7, l[0x4]\n"
                                            : "  mov.b32 $r6, $r3\n  mov.b32 $r7, $r4\n";
  return {".lmem 16\n" + kernel("", repeated(there + "  add.f32 $r3, $r6, $r7\n", 4)), 4, 256};
}

/// Texels at thread x 2^shift, over `in`, in a new place every turn.
Trial texels(unsigned shift) {
  return {kernel("  shl.u32 $r6, $r1, " + std::to_string(shift) + "\n",
                 repeated("  and.b32 $r8, $r6, 0x00000fff\n  tex.1d.b32.s32 {$r8,_,_,_}, $tex0, {$r8}\n"
                          "  add.u32 $r3, $r3, $r8\n  add.b32 $r6, $r6, 0x00000008\n",
                          4)),
          12, 256, 3};
}

/// Loads; every eighth block does forty times as many as the others.
Trial uneven_blocks(unsigned threads) {
  return {kernel("  mov.u32.u16 $r7, %ctaid.x\n  mov.b32 $r11, 7\n  and.b32 $p0|$r7, $r7, $r11\n  mov.b32 $r10, 2\n"
                 "  mov.b32 $r12, 80\n@$p0.eq mov.b32 $r10, $r12\n  add.u32 $r6, s[in], $r2\n",
                 "  mov.b32 $r8, $r10\ninner:\n" + repeated("  mov.u32 $r7, g[$r6]\n  add.u32 $r3, $r3, $r7\n", 4) +
                     "  add.u32 $p1|$r8, $r8, $r14\n@$p1.ne bra.label inner\n",
                 1),
          64, threads};
}

/// Loads of bytes, lane by lane, that begin between the edges of transactions.
Trial bytes_in_order() {
  return {kernel("  mov.b32 $r8, 7\n  add.u32 $r6, $r1, $r8\n  add.u32 $r6, s[in], $r6\n",
                 repeated("  mov.u32.u8 $r7, g[$r6]\n  add.u32 $r3, $r3, $r7\n", 4), 16),
          4, 256, 1, "sm_13"};
}

std::vector<RuleTrials> trials() {
  const std::string half_of_shared_memory = ".shared tile, 9000\n";
  return {
      {"bank-conflict", shared_stride(6), shared_stride(2)},
      {"coalescing", loads(6, 4, 256), loads(2, 4, 256)},
      {"partition-camping", half_warps(11), half_warps(6)},
      {"atomics", atomics(true), atomics(false)},
      {"local-memory", spills(true), spills(false)},
      {"texture-cache", texels(6), texels(0)},
      {"occupancy", loads(2, 2, 64, half_of_shared_memory), loads(2, 8, 128)},
      {"latency-hiding", loads(2, 4, 256), {kernel("", mads), 4, 256}},
      {"latency-hiding", uneven_blocks(128), {kernel("", mads), 32, 128}},
      {"latency-hiding", uneven_blocks(64), {kernel("", mads), 32, 64}},
      {"divergence", two_ways(false), two_ways(true)},
      {"constant", constants(false), constants(true)},
      {"barrier", barriers(true), barriers(false)},
      {"grid-size", {kernel("", mads), 1, 256, 4}, {kernel("", mads), 16, 256, 4}},
      {"grid-size", loads(2, 1, 128), loads(2, 8, 128)},
      {"grid-size", loads(2, 1, 64), loads(2, 8, 64)},
      {"grid-size", {kernel("", four_chains, 64), 1, 32}, {kernel("", four_chains, 64), 4, 256}},
      {"code-size", {kernel("", repeated(four_chains, 24), 1), 1, 32}, {kernel("", four_chains, 64), 1, 96}},
      {"dependency", {kernel("", mads), 1, 32}, {kernel("", mads), 4, 256}},
      {"sfu", {kernel("", repeated("  rcp.f32 $r3, $r3\n", 16)), 4, 256}, {kernel("", mads), 4, 256}},
      {"branch-cost", {kernel("", "  add.f32 $r3, $r3, $r4\n", 256), 1, 96}, {kernel("", four_chains, 64), 1, 96}},
      {"compute-bound", {kernel("", mads), 4, 256}, {kernel("", mads), 1, 64}},
  };
}

std::vector<std::string_view> verdict_on(const Trial& trial) {
  Bench bench(trial.body, trial.blocks, trial.threads, trial.level);
  bench.bind_texture();
  bench.fill_constants(1, 64);  // 16 words
  MachineSpec machine = testing::machine("gtx280");
  machine.gpu.tpcs = trial.tpcs;
  machine.gpu.sms_per_tpc = trial.sms;
  TimingOptions options;
  options.intervals = true;
  const LaunchOutcome outcome = bench.run(machine, options);
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

TEST(VerdictRules, occupancy_is_not_to_be_raised_where_blocks_are_missing) {
  // Eight blocks of two warps fit an SM, half of what it holds; there is one.
  EXPECT_THAT(verdict_on(loads(2, 1, 64)), ::testing::Not(::testing::Contains("occupancy")));
  EXPECT_THAT(verdict_on(loads(2, 8, 64)), ::testing::Contains("occupancy"));
}

TEST(VerdictRules, more_warps_come_before_what_a_single_one_waits_for) {
  const std::string cold = repeated(four_chains, 24), short_loop = "  add.f32 $r3, $r3, $r4\n";
  const auto first = [](const Trial& trial) { return verdict_on(trial).at(0); };
  EXPECT_EQ(first({kernel("", cold, 1), 1, 32}), "grid-size") << "waits for its instructions";
  EXPECT_EQ(first({kernel("", short_loop, 256), 1, 32}), "grid-size") << "waits after branches";
  EXPECT_THAT(verdict_on({kernel("", short_loop, 256), 2, 256}), ::testing::Not(::testing::Contains("grid-size")));
}

TEST(VerdictRules, each_topic_is_named_once) {
  // One warp on one of four SMs: three rules say that blocks are missing.
  const std::vector<std::string_view> found = verdict_on({loads(2, 1, 32).body, 1, 32, 4});
  EXPECT_EQ(std::count(found.begin(), found.end(), "grid-size"), 1);
}

TEST(VerdictRules, bytes_next_to_each_other_are_in_order_though_transactions_are_wider) {
  EXPECT_THAT(verdict_on(bytes_in_order()), ::testing::Not(::testing::Contains("coalescing")));
}

TEST(VerdictRules, all_have_both_kernels) {
  std::multiset<std::string_view> tried, rules;
  for (const RuleTrials& trial : trials()) tried.insert(trial.topic);
  for (const HintRule& rule : hint_rules()) rules.insert(rule.topic);
  EXPECT_EQ(tried, rules) << "each row of sim/report/text/hints.cpp needs a row in trials()";
}

}  // namespace
}  // namespace teslasim
