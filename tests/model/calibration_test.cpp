// SPDX-License-Identifier: Apache-2.0
#include "sim/model/calibration.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

Calibration sample() {
  Calibration calibration;
  calibration.machine = "a machine";
  calibration.configuration = "c0";
  calibration.program = "p0";
  calibration.sms = 10.0;
  calibration.constants = {{"mem_ld", 500.0}, {"b_mem", 100.0}};
  calibration.warps = {1.0, 2.0, 8.0};
  calibration.curves["itp_mad"] = {1.0, 2.0, 5.0};
  for (const double blocks : {10.0, 40.0}) {
    for (const double threads : {32.0, 128.0}) {
      for (const double words : {1.0, 4.0}) {
        calibration.bandwidth.push_back({blocks, threads, words, blocks * threads * words / 1000.0});
      }
    }
  }
  return calibration;
}

TEST(Calibration, TextReadsBackAsItWas) {
  const std::string text = calibration_toml(sample());
  EXPECT_EQ(text, calibration_toml(read_calibration("x", text)));
}

TEST(Calibration, RatesAreLinearBetweenWarps) {
  const Calibration calibration = sample();
  EXPECT_DOUBLE_EQ(1.0, calibration.at_warps("itp_mad", 1.0));
  EXPECT_DOUBLE_EQ(3.5, calibration.at_warps("itp_mad", 5.0));
  EXPECT_DOUBLE_EQ(5.0, calibration.at_warps("itp_mad", 32.0));
}

/// The sample grows in proportion to each axis, which interpolation in logarithms reproduces exactly.
TEST(Calibration, BandwidthIsInterpolatedInLogarithms) {
  const Calibration calibration = sample();
  EXPECT_NEAR(20.0 * 64.0 * 2.0 / 1000.0, calibration.global_gbs(20.0, 64.0, 2.0), 1e-12);
  EXPECT_NEAR(40.0 * 128.0 * 4.0 / 1000.0, calibration.global_gbs(1000.0, 512.0, 64.0), 1e-12) << "the ends hold";
  EXPECT_NEAR(2.0 * 32.0 * 1.0 / 1000.0, calibration.global_gbs(2.0, 32.0, 1.0), 1e-12) << "few blocks: in proportion";
}

TEST(Calibration, ReplacesInputsOfALaunch) {
  InputSet inputs;
  const auto set = [&inputs](const char* name, double value) { inputs.set(name, value, InputOrigin::literature, ""); };
  set("mem_ld", 420.0);
  set("memory_latency", 420.0);
  set("active_warps_per_sm", 8.0);
  set("active_sms", 5.0);
  set("blocks", 40.0);
  set("threads_per_block", 128.0);
  set("coal_mem_insts", 3.0);
  set("uncoal_mem_insts", 1.0);
  calibrate_inputs(sample(), inputs);
  EXPECT_EQ(500.0, inputs.find("mem_ld")->number);
  EXPECT_EQ(InputOrigin::calibration, inputs.find("mem_ld")->origin);
  EXPECT_EQ(500.0, inputs.find("memory_latency")->number);
  EXPECT_EQ(nullptr, inputs.find("b_mem")) << "what a launch does not have is not added";
  EXPECT_DOUBLE_EQ(2.5, inputs.find("itp_mad")->number) << "half of the SMs work";
  EXPECT_NEAR(40.0 * 128.0 * 4.0 / 1000.0, inputs.find("global_gbs")->number, 1e-12);
}

// Instructions are shared by all warps of a stage; only some of them may access shared memory (Zhang & Owens 2011, Fig.
// 7a).
TEST(Calibration, EachStageHasTheRatesOfItsWarps) {
  Calibration calibration = sample();
  calibration.curves["shared_gbs"] = {10.0, 20.0, 50.0};
  InputSet inputs;
  const auto set = [&inputs](const char* name, double value) { inputs.set(name, value, InputOrigin::functional, ""); };
  set("active_warps_per_sm", 8.0);
  set("active_blocks_per_sm", 1.0);
  set("active_sms", 10.0);
  set("stage.0.warps", 8.0);
  set("stage.1.warps", 2.0);
  set("stage.1.shared_warps", 1.0);
  calibrate_inputs(calibration, inputs);
  EXPECT_DOUBLE_EQ(50.0, inputs.find("stage.0.shared_gbs")->number);
  EXPECT_DOUBLE_EQ(10.0, inputs.find("stage.1.shared_gbs")->number);
  EXPECT_DOUBLE_EQ(2.0, inputs.find("stage.1.itp_mad")->number);
}

TEST(Calibration, EveryMistakeOfAFileIsTold) {
  const std::string text =
      "schema = \"teslasim.calibration/1\"\n[curves]\nwarps = [2, 1]\nitp_mad = [1]\n[global]\nblocks = [1]\nwhat = "
      "1\n";
  try {
    (void)read_calibration("x.toml", text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(5U, error.diagnostics().size()) << "lengths, order, sms, lists of [global], unknown key";
  }
}

}  // namespace
}  // namespace teslasim
