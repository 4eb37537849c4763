// SPDX-License-Identifier: Apache-2.0
// Datasheet of the analytical models apart from their published results: what they refuse, what they record, how they
// are fed by hand and by a launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/functional_model.h"
#include "sim/model/given_file.h"
#include "sim/model/launch_inputs.h"
#include "sim/model/model.h"
#include "sim/model/representative_warp.h"
#include "sim/model/warp_intervals.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// ---------------------------------------------------------------------------------------------------------- the table

TEST(Models, EveryRowSaysWhereItComesFromAndWhatItAssumes) {
  for (const Model& model : models()) {
    EXPECT_FALSE(model.source.empty() || model.assumptions.empty() || model.limits.empty()) << model.name;
    EXPECT_TRUE(model.level.starts_with("P0") || model.level.starts_with("P1")) << model.name;
    EXPECT_THAT(describe(model), HasSubstr(std::string(model.source)));
    for (std::string_view input : model.inputs) {
      if (input.ends_with('?')) input.remove_suffix(1);
      const bool word = input == "kernel_type" || input == "scheduler_policy";
      EXPECT_TRUE(word || find_input_info(input) != nullptr) << model.name << ": " << input;
    }
  }
}

TEST(Models, EvaluatedWithNothingAllSayWhatTheyNeed) {
  for (const Model& model : models()) {
    const Prediction prediction = evaluate(model, InputSet{});
    EXPECT_FALSE(prediction.seconds) << model.name;
    EXPECT_FALSE(prediction.refusal.empty() && prediction.terms.empty()) << model.name;
  }
}

// ------------------------------------------------------------------------------------------------- launches of kernels

struct Program {
  Program(const std::string& text, std::uint32_t blocks, std::uint32_t threads)
      : module(assemble_text(text, "kernel.asm")) {
    launch.kernel = &module.kernels.front();
    launch.module = &module;
    launch.memory = &memory;
    launch.shared_bytes = launch.kernel->shared_bytes;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    const Address out = memory.allocate("out", "u32", 1U << 20U);
    launch.parameters.resize(4);
    std::memcpy(launch.parameters.data(), &out, 4);
  }

  InputSet inputs(const std::string& machine_name = "gtx280", const Calibration* calibration = nullptr) {
    machine = load_machine({machine_name}, {});
    FunctionalOptions options;
    options.coalescing = &find_coalescing_rules(machine.spec.coalescing.rules);
    options.profile = &profile;
    outcome = run_functional(launch, options, RunControl{});
    EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
    return launch_inputs(machine.spec, launch, outcome.statistics, &profile, calibration);
  }

  Module module;
  DeviceMemory memory;
  Launch launch;
  LoadedMachine machine;
  KernelProfile profile;
  LaunchOutcome outcome;
};

const std::string arithmetic = R"(
.arch sm_13
.entry chain
{
  .param ptr out
    mov.b32     $r1, 7
    mad.f32  $r2, $r1, $r1, $r1
    mad.f32  $r2, $r2, $r2, $r2
    mad.f32  $r2, $r2, $r2, $r2
    return
}
)";

const std::string strided_store = R"(
.arch sm_13
.entry store
{
  .param ptr out
    shl.u32     $r1, $r0, STRIDE
    add.u32     $r1, s[out], $r1
    mov.u32     $r2, g[$r1]
    add.u32     $r2, $r2, $r2
    bar.sync.u32 0
    mov.u32     g[$r1], $r2
    return
}
)";

std::string with_stride(int shift) {
  std::string text = strided_store;
  text.replace(text.find("STRIDE"), 6, std::to_string(shift));
  return text;
}

const Prediction& named(const std::vector<Prediction>& predictions, std::string_view name) {
  for (const Prediction& prediction : predictions) {
    if (prediction.model == name) return prediction;
  }
  throw std::runtime_error("no prediction " + std::string(name));
}

// The second barrier stage: two warps, of which one touches shared memory, twice as often as it must.
TEST(ModelsOfALaunch, WarpsThatShareThePassesOverSharedMemoryAreCounted) {
  Program program(R"(
.arch sm_13
.entry half
{
  .param ptr out
  .shared words, 4096
    mov.b32      $r1, 32
    set.lt.u32   $p0|$o127, $r0, $r1
    bar.sync.u32 0
@$p0.ne mov.b32  $r2, s[words]
@$p0.ne mov.b32  $r3, s[words]
    bar.sync.u32 0
    mov.b32      $r2, s[words]
    return
}
)",
                  60, 64);
  const InputSet inputs = program.inputs();
  EXPECT_DOUBLE_EQ(2.0, inputs.find("stage.1.warps")->number);
  EXPECT_DOUBLE_EQ(1.0, inputs.find("stage.1.shared_warps")->number);
  EXPECT_DOUBLE_EQ(2.0, inputs.find("stage.2.shared_warps")->number);
}

TEST(ModelsOfALaunch, IntervalsHaveTheCalibratedLatencyOfMemory) {
  const auto memory_stall = [](double latency) {
    Program program(with_stride(2), 60, 128);
    Calibration calibration;
    calibration.sms = 30.0;
    calibration.constants["mem_ld"] = latency;
    const InputSet inputs = program.inputs("gtx280", &calibration);
    double longest = 0.0;
    for (int i = 0; inputs.find("interval." + std::to_string(i) + ".stall") != nullptr; ++i) {
      longest = std::max(longest, inputs.find("interval." + std::to_string(i) + ".stall")->number);
    }
    return longest;
  };
  EXPECT_DOUBLE_EQ(memory_stall(1000.0) - memory_stall(600.0), 400.0);
}

TEST(ModelsOfALaunch, WithoutMemoryAccessHongKimSaysSo) {
  Program program(arithmetic, 60, 128);
  const std::vector<Prediction> predictions = predict_launch(program.inputs());
  EXPECT_THAT(named(predictions, "hong-kim").refusal, HasSubstr("no global"));
  EXPECT_FALSE(named(predictions, "hong-kim").seconds);
  EXPECT_THAT(named(predictions, "roofline").refusal, HasSubstr("moves no bytes"));
  EXPECT_TRUE(named(predictions, "zhang-owens").seconds);
  EXPECT_EQ(named(predictions, "zhang-owens").bound, "instruction pipeline");
}

TEST(ModelsOfALaunch, OneBlockIsOutsideTheModelsOfAFilledMachine) {
  Program program(with_stride(2), 1, 64);
  const std::vector<Prediction> predictions = predict_launch(program.inputs());
  for (const char* name : {"hong-kim", "hong-kim-pwp", "zhang-owens", "quantitative-roofline"}) {
    EXPECT_THAT(named(predictions, name).refusal, HasSubstr("one block")) << name;
    EXPECT_FALSE(named(predictions, name).seconds) << name;
  }
}

TEST(ModelsOfALaunch, CoalescedAndUncoalescedAccessesAreToldApart) {
  Program coalesced(with_stride(2), 60, 128);
  const InputSet good = coalesced.inputs();
  EXPECT_DOUBLE_EQ(good.find("coal_mem_insts")->number, 2.0);
  EXPECT_DOUBLE_EQ(good.find("uncoal_mem_insts")->number, 0.0);
  EXPECT_DOUBLE_EQ(good.find("load_bytes_per_warp")->number, 128.0);
  Program scattered(with_stride(7), 60, 128);
  const InputSet bad = scattered.inputs();
  EXPECT_DOUBLE_EQ(bad.find("uncoal_mem_insts")->number, 2.0);
  EXPECT_DOUBLE_EQ(bad.find("uncoal_per_mw")->number, 32.0);
  const Prediction fast = evaluate(*find_model("hong-kim"), good), slow = evaluate(*find_model("hong-kim"), bad);
  EXPECT_GT(*slow.seconds, *fast.seconds);
}

TEST(ModelsOfALaunch, StagesLieBetweenBarriers) {
  Program program(with_stride(2), 60, 128);
  const InputSet inputs = program.inputs();
  ASSERT_EQ(program.profile.stages.size(), 2U);
  EXPECT_DOUBLE_EQ(inputs.find("stage.0.global_bytes")->number, 60 * 128 * 4.0);
  EXPECT_DOUBLE_EQ(inputs.find("stage.1.global_bytes")->number, 60 * 128 * 4.0);
  EXPECT_DOUBLE_EQ(inputs.find("synch_insts")->number, 1.0);
}

TEST(ModelsOfALaunch, EveryInputHasAnOriginAndASource) {
  Program program(with_stride(2), 60, 128);
  for (const Prediction& prediction : predict_launch(program.inputs())) {
    for (const PredictionInput& input : prediction.inputs) {
      EXPECT_NE(input.origin, InputOrigin::given) << prediction.model << ": " << input.name;
      EXPECT_FALSE(input.source.empty()) << prediction.model << ": " << input.name;
    }
    EXPECT_EQ(prediction.level, PredictionLevel::p0) << prediction.model;
  }
}

TEST(ModelsOfALaunch, OccupancyIsThatOfTheMachine) {
  Program program(with_stride(2), 60, 128);
  const Prediction prediction = evaluate(*find_model("occupancy"), program.inputs("8800gtx"));
  EXPECT_DOUBLE_EQ(prediction.find_term("active_warps")->value, 24.0);
}

// Counts that need no clock are the same with and without a profile.
TEST(ModelsOfALaunch, ProfilingChangesNoOtherCount) {
  Program program(with_stride(7), 4, 64);
  (void)program.inputs();
  const LaunchStatistics plain = run_functional(program.launch, FunctionalOptions{}, RunControl{}).statistics;
  EXPECT_EQ(plain.warp_instructions, program.outcome.statistics.warp_instructions);
  EXPECT_EQ(plain.thread_instructions, program.outcome.statistics.thread_instructions);
  EXPECT_EQ(plain.shared, program.outcome.statistics.shared);
  EXPECT_EQ(plain.global, CoalescingStatistics{});
}

// --------------------------------------------------------------------------------------------------------- intervals

TEST(WarpIntervals, AChainStallsForTheLatencyOfItsUnit) {
  const Module module = assemble_text(arithmetic, "kernel.asm");
  const SmSpec sm = load_machine({"gtx280"}, {}).spec.sm;
  std::vector<WarpStep> path;
  for (std::uint32_t i = 0; i < 4; ++i) path.push_back({i, 0, true});
  const std::vector<WarpInterval> intervals = warp_intervals(module.kernels.front(), path, sm, 450.0);
  std::uint64_t issued = 0, stalled = 0;
  for (const WarpInterval& interval : intervals) {
    issued += interval.instructions * interval.count;
    stalled += interval.stall * interval.count;
    EXPECT_FALSE(interval.memory);
  }
  EXPECT_EQ(issued, 4U);
  // mov to mad: alu; mad to mad twice: alu, one or three operands of the same register are read once.
  EXPECT_EQ(stalled, 3U * (sm.latency.alu - 4U));
}

TEST(WarpIntervals, ALoadStallsForTheMemory) {
  Program program(with_stride(2), 60, 128);
  (void)program.inputs();
  const std::vector<WarpInterval> intervals =
      warp_intervals(*program.launch.kernel, program.profile.paths.front(), program.machine.spec.sm, 450.0);
  std::uint64_t memory = 0;
  for (const WarpInterval& interval : intervals) memory += interval.memory ? interval.stall * interval.count : 0;
  EXPECT_EQ(memory, 450U - 4U);
}

TEST(RepresentativeWarp, AllAlikeGivesTheFirst) {
  EXPECT_EQ(representative_warp({{100, 400}, {100, 400}, {100, 400}}), 0U);
}

// A reduction: the first warp goes on when the others have finished.
TEST(RepresentativeWarp, IsOneOfTheMany) {
  EXPECT_EQ(representative_warp({{900, 9000}, {200, 1000}, {210, 1050}, {220, 1100}, {210, 1050}}), 2U);
}

TEST(RepresentativeWarp, OfTwoGroupsOfOneSizeTheOneWithMoreWork) {
  EXPECT_EQ(representative_warp({{100, 500}, {900, 4500}, {100, 500}, {900, 4500}}), 1U);
}

// Huang et al. 2014 take instructions per cycle beside the number of instructions.
TEST(RepresentativeWarp, WarpsOfOneLengthDifferByTheirSpeed) {
  EXPECT_EQ(representative_warp({{100, 4000}, {100, 500}, {100, 510}, {100, 505}}), 3U);
}

TEST(RepresentativeWarp, EachWarpOfABlockHasItsPath) {
  Program program(with_stride(2), 60, 128);
  (void)program.inputs();
  ASSERT_EQ(program.profile.paths.size(), 4U);
  for (const std::vector<WarpStep>& path : program.profile.paths) {
    EXPECT_EQ(path.size(), program.profile.paths.front().size());
  }
}

// ------------------------------------------------------------------------------------------------------ given by hand

const std::string worked_example = R"(schema = "teslasim.model_inputs/1"
model = "hong-kim"
[inputs]
comp_insts = 27            # source: Hong & Kim 2009, worked example
uncoal_mem_insts = 6
uncoal_per_mw = 32
synch_insts = 6
load_bytes_per_warp = 128
mem_ld = 420
departure_del_uncoal = 10
issue_cycles = 4
shader_ghz = 1.0
memory_gbs = 80
blocks = 80
threads_per_block = 128
active_blocks_per_sm = 5
active_warps_per_sm = 20
active_sms = 16
)";

std::string complaint(const std::string& text, const std::string& model = "") {
  try {
    (void)read_given_inputs("given.toml", text, model);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::configuration);
    return render(error.diagnostics());
  }
  return "accepted";
}

TEST(GivenInputs, WorkedExampleOfHongAndKim) {
  const GivenInputs given = read_given_inputs("given.toml", worked_example, "");
  const Prediction prediction = evaluate(*given.model, given.inputs);
  EXPECT_EQ(prediction.refusal, "");
  EXPECT_NEAR(prediction.find_term("total_cycles")->value, 50728.1875, 1e-9);
  EXPECT_NEAR(*prediction.seconds, 50728.1875e-9, 1e-15);
  EXPECT_EQ(prediction.inputs.at(0).origin, InputOrigin::given);
  EXPECT_THAT(prediction.inputs.at(0).source, HasSubstr("given.toml:"));
}

TEST(GivenInputs, MistakesAreShownWithTheirPlace) {
  EXPECT_THAT(complaint("model = \"hong-kim\"\n"), HasSubstr("GIVEN-SCHEMA"));
  EXPECT_THAT(complaint("schema = \"teslasim.model_inputs/1\"\n"), HasSubstr("GIVEN-MODEL"));
  EXPECT_THAT(complaint("schema = \"teslasim.model_inputs/1\"\nmodel = \"hong-kin\"\n"),
              HasSubstr("did you mean 'hong-kim'?"));
  std::string text = worked_example;
  text.replace(text.find("mem_ld = 420"), 12, "mem_lt = 420");
  EXPECT_THAT(complaint(text), ::testing::AllOf(HasSubstr("GIVEN-UNKNOWN"), HasSubstr("given.toml:9:1"),
                                                HasSubstr("did you mean 'mem_ld'?")));
  text = worked_example;
  text.replace(text.find("mem_ld = 420"), 12, "mem_ld = -1 ");
  EXPECT_THAT(complaint(text), ::testing::AllOf(HasSubstr("GIVEN-VALUE"), HasSubstr("given.toml:9:10")));
  text.replace(text.find("mem_ld = -1 "), 12, "mem_ld = 'x'");
  EXPECT_THAT(complaint(text), HasSubstr("must be a number"));
}

TEST(GivenInputs, AWrongModelIsShownWhereItWasNamed) {
  const std::string text = complaint(worked_example, "hong_kim");
  EXPECT_THAT(text, ::testing::AllOf(HasSubstr("--> --model hong_kim"), HasSubstr("did you mean 'hong-kim'?"),
                                     ::testing::Not(HasSubstr("given.toml"))));
}

TEST(GivenInputs, AllMistakesAtOnce) {
  const std::string text =
      "schema = \"teslasim.model_inputs/1\"\nmodel = \"roofline\"\n[inputs]\npeak = 1\nmemory_gbs = 0\n";
  const std::string told = complaint(text);
  EXPECT_THAT(told, HasSubstr("GIVEN-UNKNOWN"));
  EXPECT_THAT(told, HasSubstr("GIVEN-VALUE"));
}

TEST(GivenInputs, WhatIsMissingIsNamed) {
  std::string text = worked_example;
  text.erase(text.find("memory_gbs = 80\n"), 16);
  const GivenInputs given = read_given_inputs("given.toml", text, "");
  EXPECT_THAT(evaluate(*given.model, given.inputs).refusal, HasSubstr("memory_gbs"));
}

}  // namespace
}  // namespace teslasim
