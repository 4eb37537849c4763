// SPDX-License-Identifier: Apache-2.0
// Resident blocks and warps against published examples and boundary cases of NVIDIA's occupancy calculator.
#include "sim/gpu/machine/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {
namespace {

const MachineSpec& machine_of(const std::string& level) {
  static const MachineSpec cc10 = load_machine({"8800gtx"}, {}).spec;
  static const MachineSpec cc11 = load_machine({"8800gt"}, {}).spec;
  static const MachineSpec cc12 = load_machine({"gt240"}, {}).spec;
  static const MachineSpec cc13 = load_machine({"gtx280"}, {}).spec;
  if (level == "1.0") return cc10;
  if (level == "1.1") return cc11;
  return level == "1.2" ? cc12 : cc13;
}

struct Case {
  const char* origin;
  const char* level;
  unsigned threads, registers, shared;
  unsigned blocks, warps;
};

constexpr std::array cases{
    Case{"CUDA Best Practices Guide 2.3, section 4.2", "1.0", 128, 12, 0, 5, 20},
    Case{"CUDA Best Practices Guide 2.3, section 4.2", "1.0", 256, 12, 0, 2, 16},
    Case{"Ryoo et al. 2008", "1.0", 256, 10, 0, 3, 24},
    Case{"Ryoo et al. 2008", "1.0", 256, 11, 0, 2, 16},
    Case{"Ye 2009, Fig. 6", "1.0", 256, 0, 0, 3, 24},
    Case{"Zhang & Owens 2011, Table 2, 8x8", "1.3", 64, 16, 348, 8, 16},
    Case{"Zhang & Owens 2011, Table 2, 16x16", "1.3", 64, 30, 1088, 8, 16},
    Case{"Zhang & Owens 2011, Table 2, 32x32", "1.3", 64, 58, 4284, 3, 6},
    Case{"boundary", "1.0", 64, 0, 0, 8, 16},
    Case{"boundary", "1.0", 96, 10, 0, 6, 18},
    Case{"boundary: odd warps round up", "1.0", 96, 11, 0, 5, 15},
    Case{"boundary", "1.0", 192, 10, 2048, 4, 24},
    Case{"boundary: exactly all registers", "1.1", 512, 16, 0, 1, 16},
    Case{"boundary: one register too many", "1.1", 512, 17, 0, 0, 0},
    Case{"boundary", "1.3", 512, 16, 8192, 2, 32},
    Case{"boundary: one byte too many", "1.3", 512, 16, 8193, 1, 16},
    Case{"boundary", "1.3", 512, 32, 0, 1, 16},
    Case{"boundary", "1.3", 512, 33, 0, 0, 0},
    Case{"boundary: 33 threads are two warps", "1.3", 33, 20, 513, 8, 16},
    Case{"boundary", "1.2", 256, 16, 4096, 4, 32},
    Case{"per block, not per warp: 6, where rounding per thread gives 5", "1.0", 128, 10, 0, 6, 24},
};

TEST(Occupancy, PublishedAndBoundaryCases) {
  for (const Case& c : cases) {
    const Occupancy occupancy = compute_occupancy(machine_of(c.level), {c.threads, c.registers, c.shared});
    EXPECT_EQ(occupancy.ctas_per_sm, c.blocks) << c.origin << ": " << c.threads << " threads, " << c.registers;
    EXPECT_EQ(occupancy.warps, c.warps) << c.origin << ": " << c.threads << " threads, " << c.registers;
  }
}

TEST(Occupancy, PercentagesOfTheBestPracticesGuide) {
  const Occupancy occupancy = compute_occupancy(machine_of("1.0"), {128, 12, 0});
  EXPECT_EQ(100 * occupancy.warps / occupancy.max_warps, 83U);
}

TEST(Occupancy, NamesTheResourceThatLimits) {
  const MachineSpec& gtx280 = machine_of("1.3");
  EXPECT_EQ(compute_occupancy(gtx280, {256, 8, 1024}).limiter, "threads");
  EXPECT_EQ(compute_occupancy(gtx280, {225, 8, 1024}).limiter, "threads") << "4 x 225 threads leave no room either way";
  EXPECT_EQ(compute_occupancy(gtx280, {170, 8, 1024}).limiter, "warps") << "6 x 170 threads fit, 6 x 6 warps do not";
  EXPECT_EQ(compute_occupancy(gtx280, {64, 8, 1024}).limiter, "ctas");
  EXPECT_EQ(compute_occupancy(gtx280, {256, 32, 1024}).limiter, "registers");
  EXPECT_EQ(compute_occupancy(gtx280, {256, 8, 8000}).limiter, "shared");
}

TEST(Occupancy, LimitsOfEachResource) {
  // Zhang & Owens 2011, Table 2, 32x32; registers recomputed with the allocation unit.
  const OccupancyReport report = explain_occupancy(machine_of("1.3"), {64, 58, 4284});
  EXPECT_EQ(report.warps_per_block, 2U);
  EXPECT_EQ(report.registers_per_block, 4096U);
  EXPECT_EQ(report.shared_bytes_per_block, 4608U);
  ASSERT_EQ(report.limits.size(), 5U);
  const std::array<std::pair<const char*, std::uint64_t>, 5> expected{
      {{"threads", 16}, {"warps", 16}, {"ctas", 8}, {"registers", 4}, {"shared", 3}}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(report.limits[i].name, expected[i].first);
    EXPECT_EQ(report.limits[i].blocks, expected[i].second) << expected[i].first;
    EXPECT_EQ(report.limits[i].limits, i == 4) << expected[i].first;
  }
}

TEST(Occupancy, RegistersThatFit) {
  EXPECT_EQ(registers_that_fit(machine_of("1.0"), 384, 1), 21U) << "at most 21 registers with 384 threads";
  EXPECT_EQ(registers_that_fit(machine_of("1.0"), 256, 3), 10U) << "Ryoo et al. 2008";
  EXPECT_EQ(registers_that_fit(machine_of("1.3"), 32, 1), 124U) << "the instruction set has no more";
}

TEST(Occupancy, SaysWhatTheNextBlockNeeds) {
  using ::testing::ElementsAre;
  const OccupancyStep step = explain_occupancy(machine_of("1.0"), {256, 11, 2000}).next;
  EXPECT_EQ(step.blocks, 3U);
  EXPECT_EQ(step.warps, 24U);
  EXPECT_TRUE(step.possible);
  EXPECT_THAT(step.needs, ElementsAre("at most 10 registers per thread (now 11)"));
  const OccupancyStep two = explain_occupancy(machine_of("1.3"), {64, 58, 4284}).next;
  EXPECT_THAT(two.needs, ElementsAre("at most 4096 bytes of shared memory per block (now 4284)"));
  const OccupancyStep smaller = explain_occupancy(machine_of("1.3"), {300, 12, 100}).next;
  EXPECT_EQ(smaller.blocks, 4U);
  EXPECT_EQ(smaller.warps, 32U) << "of blocks that are small enough, not of those of now";
  EXPECT_THAT(smaller.needs, ElementsAre("at most 256 threads per block (now 300)"));
  const OccupancyStep fewer = explain_occupancy(machine_of("1.0"), {256, 10, 100}).next;
  EXPECT_EQ(fewer.warps, 24U) << "as now";
  EXPECT_THAT(fewer.needs, ElementsAre("at most 192 threads per block (now 256)")) << "whose registers fit";
  const OccupancyStep full = explain_occupancy(machine_of("1.3"), {64, 8, 100}).next;
  EXPECT_FALSE(full.possible);
  EXPECT_THAT(full.needs, ElementsAre("an SM holds at most 8 blocks"));
}

TEST(Occupancy, AnswersImpossibleDemands) {
  const MachineSpec& gtx280 = machine_of("1.3");
  EXPECT_EQ(compute_occupancy(gtx280, {513, 1, 0}).ctas_per_sm, 0U);
  EXPECT_EQ(compute_occupancy(gtx280, {32, 125, 0}).ctas_per_sm, 0U);
  EXPECT_EQ(compute_occupancy(gtx280, {32, 1, 16385}).ctas_per_sm, 0U);
  EXPECT_EQ(compute_occupancy(gtx280, {~0U, ~0U, ~0U}).ctas_per_sm, 0U);
  EXPECT_LE(compute_occupancy(gtx280, {0, 0, 0}).warps, 0U);
}

RC_GTEST_PROP(OccupancyProperty, NeverExceedsAnyResourceAndOneMoreBlockWould, ()) {
  const MachineSpec& machine = machine_of(*rc::gen::elementOf(std::vector<std::string>{"1.0", "1.1", "1.2", "1.3"}));
  const OccupancyDemand demand{*rc::gen::inRange(1U, 513U), *rc::gen::inRange(0U, 125U), *rc::gen::inRange(0U, 16385U)};
  const OccupancyReport report = explain_occupancy(machine, demand);
  bool next_exceeds = false;
  for (const OccupancyLimit& limit : report.limits) {
    RC_ASSERT(report.occupancy.ctas_per_sm * limit.per_block <= limit.available);
    next_exceeds = next_exceeds || (report.occupancy.ctas_per_sm + 1ULL) * limit.per_block > limit.available;
  }
  RC_ASSERT(next_exceeds);
  RC_ASSERT(!report.next.needs.empty());
}

RC_GTEST_PROP(OccupancyProperty, AskingForMoreNeverHoldsMore, ()) {
  const MachineSpec& machine = machine_of("1.3");
  OccupancyDemand demand{*rc::gen::inRange(1U, 512U), *rc::gen::inRange(0U, 124U), *rc::gen::inRange(0U, 16384U)};
  const unsigned before = compute_occupancy(machine, demand).ctas_per_sm;
  ++demand.registers_per_thread;
  RC_ASSERT(compute_occupancy(machine, demand).ctas_per_sm <= before);
  ++demand.shared_bytes;
  RC_ASSERT(compute_occupancy(machine, demand).ctas_per_sm <= before);
  ++demand.threads;
  RC_ASSERT(compute_occupancy(machine, demand).ctas_per_sm <= before);
}

RC_GTEST_PROP(OccupancyProperty, WhatFitsFitsAndOneRegisterMoreDoesNot, ()) {
  const MachineSpec& machine = machine_of("1.0");
  const unsigned threads = *rc::gen::inRange(1U, 513U);
  const unsigned blocks = *rc::gen::inRange(1U, 9U);
  const unsigned registers = registers_that_fit(machine, threads, blocks);
  const auto blocks_by_registers = [&](unsigned count) {
    return explain_occupancy(machine, {threads, count, 0}).limits.at(3).blocks;
  };
  if (registers > 0) RC_ASSERT(blocks_by_registers(registers) >= blocks);
  RC_ASSERT(blocks_by_registers(registers + 1) < blocks);
}

}  // namespace
}  // namespace teslasim
