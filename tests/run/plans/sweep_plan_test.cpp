// SPDX-License-Identifier: Apache-2.0
// Datasheet of plans as texts: how many points, which words, what is refused at which place.
#include "sim/run/plans/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sim/run/plans/dse_plan.h"
#include "sim/run/plans/plan_words.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;

const std::string head = "schema = \"teslasim.sweep/1\"\nname = \"x\"\ninputs = [\"a.asm\", \"b.asm\"]\n";

SweepPlan plan_of(const std::string& rest) {
  return read_sweep_plan("folder/plan.toml", head + rest);
}

std::string refusal(const std::string& text) {
  try {
    (void)read_sweep_plan("plan.toml", text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::configuration);
    return render(error.diagnostics());
  }
  return "accepted";
}

TEST(SweepPlan, SizeOfEachMode) {
  EXPECT_EQ(plan_size(plan_of("[axes]\na = [1, 2]\nb = [1, 2, 3]\n")), 12U);
  EXPECT_EQ(plan_size(plan_of("mode = \"zip\"\n[axes]\na = [1, 2]\nb = [3, 4]\n")), 4U);
  EXPECT_EQ(plan_size(plan_of("mode = \"random\"\nn = 7\n[axes]\na = [1, 2]\n")), 14U);
  EXPECT_EQ(plan_size(plan_of("mode = \"list\"\npoints = [\"a=1\", \"a=2 b=1\", \"b=3\"]\n")), 6U);
  for (const char* rest : {"[axes]\na = [1, 2]\nb = [1, 2, 3]\n", "mode = \"random\"\nn = 7\n[axes]\na = [1, 2]\n"}) {
    const SweepPlan plan = plan_of(rest);
    EXPECT_EQ(plan_size(plan), sweep_points(plan).size());
  }
}

TEST(SweepPlan, SizeDoesNotOverflow) {
  SweepPlan plan;
  for (int i = 0; i < 64; ++i) plan.axes.push_back({"k", {"1", "2", "3"}, {}, {}});
  EXPECT_EQ(plan_size(plan), std::numeric_limits<std::uint64_t>::max());
  plan.inputs = {"a", "b", "c"};
  plan.mode = "random";
  plan.n = std::numeric_limits<std::uint64_t>::max() / 2;
  EXPECT_EQ(plan_size(plan), std::numeric_limits<std::uint64_t>::max());
}

TEST(SweepPlan, InputsStandBesideThePlan) {
  EXPECT_EQ(plan_of("[axes]\na = [1]\n").inputs.front(), "folder/a.asm");
  const std::string text = "schema = \"teslasim.sweep/1\"\ninputs = [\"-q\"]\n[axes]\na = [1]\n";
  EXPECT_EQ(read_sweep_plan("plan.toml", text).inputs.front(), "./-q") << "no option of run";
}

TEST(SweepPlan, RefusalsHaveTheirPlace) {
  EXPECT_THAT(refusal(head + "[axes]\na = []\n"), HasSubstr("plan.toml:5:5"));
  EXPECT_THAT(refusal(head + "max_points = 3\n[axes]\na = [1, 2]\n"), HasSubstr("plan.toml:6:1"));
  EXPECT_THAT(refusal(head + "columns = [\"x\"]\n[axes]\na = [1]\n"), HasSubstr("plan.toml:4:12"));
  EXPECT_THAT(refusal(head + "keep = [\"../x\"]\n[axes]\na = [1]\n"), HasSubstr("plan.toml:4:9"));
}

TEST(SweepPlan, PointsAreOneLine) {
  EXPECT_EQ(describe({3, "folder/two\nlines.asm", {{"a", "1"}}}), "point 3  two?lines.asm a=1");
}

TEST(PlanWords, NamesAreOnePartOfAPath) {
  for (const char* name : {"a", "A-b_c.9", "-", "_"}) EXPECT_TRUE(is_plan_name(name)) << name;
  for (const char* name : {"", ".", "..", ".a", "a/b", "a b", "a\nb", "\u00e4", "a\\b", "$a"})
    EXPECT_FALSE(is_plan_name(name)) << name;
  EXPECT_TRUE(is_plan_name(std::string(longest_plan_name, 'a')));
  EXPECT_FALSE(is_plan_name(std::string(longest_plan_name + 1, 'a')));
}

TEST(PlanWords, EveryFileNameGivesAName) {
  for (const std::string& path : {std::string("plan.toml"), std::string(".toml"), std::string("../x/\n.toml"),
                                  std::string(), std::string("a/.."), std::string(300, 'x') + ".toml"}) {
    EXPECT_TRUE(is_plan_name(plan_name_from(path))) << path;
  }
  EXPECT_EQ(plan_name_from("folder/my plan.toml"), "my_plan");
}

TEST(PlanWords, ColumnsAreStatisticsOfModelsThatThereAre) {
  for (const char* name : {"time_ms", "models.roofline.predicted_ms", "launches.0.models.roofline.predicted_ms"})
    EXPECT_TRUE(is_column(name)) << name;
  for (const char* name :
       {"", "x", "models.x.predicted_ms", "launches.0.models.x.predicted_ms", "models.", "models", "kernel"})
    EXPECT_FALSE(is_column(name)) << name;
  EXPECT_EQ(column_help("tmie_ms"), "did you mean 'time_ms'?");
}

TEST(DsePlan, NumbersAreFiniteAndNotNegative) {
  const auto refused = [](const std::string& area) {
    try {
      (void)read_dse_plan("plan.toml",
                          "schema = \"teslasim.dse/1\"\ninputs = [\"a.asm\"]\n[axes]\na = [1]\n[area]\n" + area);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused("budget = 1.0\n"));
  for (const char* area : {"budget = inf\n", "budget = nan\n", "budget = -1\n", "budget = 1.0\ntolerance = inf\n",
                           "budget = 1.0\n[screen]\nkeep = 1e300\n", "budget = 1.0\n[screen]\nkeep = 1.5\n"}) {
    EXPECT_TRUE(refused(area)) << area;
  }
}

}  // namespace
}  // namespace teslasim
