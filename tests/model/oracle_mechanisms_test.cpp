// SPDX-License-Identifier: Apache-2.0
// Published results that take more than one evaluation of a model, or that the simulator's own parts give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "oracles.h"
#include "sim/exec/conflict_degree.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/model.h"

namespace teslasim {
namespace {

using Values = std::vector<std::pair<const char*, double>>;

InputSet inputs_of(const Values& values) {
  InputSet inputs;
  for (const auto& [name, value] : values) inputs.set(name, value, InputOrigin::given, "test");
  return inputs;
}

double term(const char* model, const Values& values, const char* name) {
  const Prediction prediction = evaluate(*find_model(model), inputs_of(values));
  const PredictionTerm* found = prediction.find_term(name);
  EXPECT_NE(found, nullptr) << name << ": " << prediction.refusal;
  return found == nullptr ? NAN : found->value;
}

// Collange 2010, section 8.2: n-way conflict = n passes of 8 SM cycles, as the machine files configure it.
TEST(CollangeOracle, ConflictLatencyGrowsWithTheDegree) {
  const LoadedMachine machine = load_machine({"gtx280"}, {});
  for (const unsigned degree : {1U, 2U, 4U, 8U, 16U}) {
    OnChipAccess access;
    access.lanes = all_lanes;
    access.uniform = false;
    for (unsigned lane = 0; lane < warp_size; ++lane) access.address.at(lane) = 4 * lane * degree;
    const unsigned passes = shared_passes(access, 0, machine.spec.sm.shared.access_group, machine.spec.sm.shared.banks);
    EXPECT_EQ(passes, degree);
    EXPECT_EQ(passes * machine.spec.sm.latency.shared / 2, 8 * degree);
  }
}

// Zhang & Owens 2011, section 5.2 and Figure 7(b): threads halve while conflicts double, so 32 passes in every step.
TEST(ZhangOwensOracle, CyclicReductionMovesAsManyPassesInEveryStep) {
  for (unsigned step = 1; step <= 4; ++step) {
    const unsigned threads = 512U >> step, stride = 1U << step;
    unsigned passes = 0;
    for (unsigned first = 0; first < threads; first += warp_size) {
      OnChipAccess access;
      access.lanes = all_lanes;
      access.uniform = false;
      for (unsigned lane = 0; lane < warp_size; ++lane) access.address.at(lane) = 4 * stride * (first + lane);
      passes += shared_passes(access, 0, 16, 16) + shared_passes(access, 16, 16, 16);
    }
    EXPECT_EQ(passes, 32U) << "step " << step;
  }
}

TEST(HongKimOracle, WorkedExampleHasTwentyWarps) {
  EXPECT_DOUBLE_EQ(term("hong-kim",
                        {{"comp_insts", 27},
                         {"uncoal_mem_insts", 6},
                         {"uncoal_per_mw", 32},
                         {"synch_insts", 6},
                         {"load_bytes_per_warp", 128},
                         {"mem_ld", 420},
                         {"departure_del_uncoal", 10},
                         {"issue_cycles", 4},
                         {"shader_ghz", 1},
                         {"memory_gbs", 80},
                         {"blocks", 80},
                         {"threads_per_block", 128},
                         {"active_blocks_per_sm", 5},
                         {"active_warps_per_sm", 128 / 32 * 5},
                         {"active_sms", 16}},
                        "cwp"),
                   20.0);
}

struct PlottedKernel {
  const char* name;
  double comp, uncoalesced, coalesced, cpi, cwp, mwp;
};

// Hong & Kim 2009, Figures 12-15: averages over block sizes, read off plots (so 15 %).
TEST(HongKimOracle, FourApplicationsAreWithinTheirPlots) {
  constexpr std::array kernels{
      PlottedKernel{"Sepia", 71, 6, 0, 26, 14, 2}, PlottedKernel{"Linear", 111, 30, 0, 73, 14, 2},
      PlottedKernel{"BlackScholes", 137, 7, 0, 16, 9, 2}, PlottedKernel{"SVM", 10871, 0, 819, 3.5, 9, 12}};
  for (const PlottedKernel& kernel : kernels) {
    SCOPED_TRACE(kernel.name);
    const Values values{{"comp_insts", kernel.comp},
                        {"uncoal_mem_insts", kernel.uncoalesced},
                        {"coal_mem_insts", kernel.coalesced},
                        {"uncoal_per_mw", 32},
                        {"load_bytes_per_warp", 128},
                        {"mem_ld", 420},
                        {"departure_del_uncoal", 10},
                        {"departure_del_coal", 4},
                        {"issue_cycles", 4},
                        {"shader_ghz", 1.35},
                        {"memory_gbs", 76.8},
                        {"blocks", 1600},
                        {"threads_per_block", 128},
                        {"active_blocks_per_sm", 4},
                        {"active_warps_per_sm", 16},
                        {"active_sms", 16}};
    EXPECT_NEAR(term("hong-kim", values, "cpi"), kernel.cpi, 0.15 * kernel.cpi);
    EXPECT_NEAR(term("hong-kim", values, "cwp"), kernel.cwp, 0.15 * kernel.cwp);
    EXPECT_NEAR(term("hong-kim", values, "mwp"), kernel.mwp, 0.15 * kernel.mwp);
  }
}

TEST(RooflineOracle, SpeedupOfTheLectureAtIntensityFour) {
  const double vector =
      term("roofline", {{"peak_gops", 102.4}, {"memory_gbs", 162}, {"operational_intensity", 4}}, "attainable_gops");
  const double scalar =
      term("roofline", {{"peak_gops", 42.66}, {"memory_gbs", 16.4}, {"operational_intensity", 4}}, "attainable_gops");
  EXPECT_NEAR(vector / scalar, 2.4, 0.05);
}

const Values gtx480{{"t_sp", 1462.2},  {"t_dp", 184.09},  {"t_int", 742.34},
                    {"t_add", 732.86}, {"b_mem", 163.36}, {"t_ldst", 369.73}};

InputSet rodinia_inputs(const std::vector<std::string>& row) {
  InputSet inputs = inputs_of(gtx480);
  const auto set = [&](const char* name, std::size_t cell, double scale) {
    inputs.set(name, std::stod(row.at(cell)) * scale, InputOrigin::given, "Konstantinidis 2017, Table 5.16");
  };
  inputs.set_word("kernel_type", row.at(1), InputOrigin::given, "Konstantinidis 2017, Table 5.16");
  set("work_operations", 2, 1.0);
  set("work_bytes", 3, 1.0);
  set("mix_efficiency", 4, 0.01);
  set("density_operations", 5, 0.01);
  set("density_ldst", 6, 0.01);
  return inputs;
}

// Konstantinidis 2017, section 5.2.5.
TEST(KonstantinidisOracle, FourSinglePrecisionKernelsOfRodiniaAreMemoryBoundOnGtx480) {
  std::vector<std::string> bound_by_memory;
  int left_of_ridge = 0;
  std::map<std::string, int> kinds;
  for (const std::vector<std::string>& row : read_table("rodinia.csv")) {
    ++kinds[row.at(1)];
    if (row.at(1) != "fp32") continue;
    const InputSet inputs = rodinia_inputs(row);
    if (evaluate(*find_model("quantitative-roofline"), inputs).bound == "memory") bound_by_memory.push_back(row.at(0));
    const Values peaks{{"peak_gops", 1345},
                       {"memory_gbs", 177},
                       {"operations", std::stod(row.at(2))},
                       {"bytes", std::stod(row.at(3))}};
    left_of_ridge += evaluate(*find_model("roofline"), inputs_of(peaks)).bound == "memory" ? 1 : 0;
  }
  EXPECT_THAT(bound_by_memory, ::testing::ElementsAre("bp-adj", "e3d-step", "hs-srtf", "km-pt"));
  EXPECT_EQ(left_of_ridge, 11);
  EXPECT_THAT(kinds, ::testing::UnorderedElementsAre(::testing::Pair("fp32", 14), ::testing::Pair("int", 13),
                                                     ::testing::Pair("fp64", 1)));
}

// Section 5.2.5: 38 % too fast on a kernel of 0.37 ms per iteration, four iterations.
TEST(KonstantinidisOracle, ShortKernelIsUnderestimated) {
  for (const std::vector<std::string>& row : read_table("rodinia.csv")) {
    if (row.at(0) != "hs-pack") continue;
    const Prediction prediction = evaluate(*find_model("quantitative-roofline"), rodinia_inputs(row));
    EXPECT_NEAR(100.0 * relative_error(*prediction.seconds, 4 * 0.37e-3), -38.0, 0.5);
  }
}

TEST(KonstantinidisOracle, ShareOfGoodPredictions) {
  const auto share = [](int good, int all) {
    std::vector<double> errors(static_cast<std::size_t>(all), 0.5);
    std::fill_n(errors.begin(), good, -0.1);
    return 100.0 * summarise_errors(errors).share_below_25pct;
  };
  EXPECT_NEAR(share(89, 28 * 6), 52.98, 0.005);
  EXPECT_NEAR(share(92, 28 * 5), 65.71, 0.005);
}

TEST(ErrorSummary, GeometricMeanOfMagnitudes) {
  EXPECT_NEAR(summarise_errors({0.1, -0.4}).geometric_mean, 0.2, 1e-12);
  EXPECT_EQ(summarise_errors({}).count, 0U);
}

}  // namespace
}  // namespace teslasim
