// SPDX-License-Identifier: Apache-2.0
// A launch in stretches is the launch that it is at once, and what halts can be looked at.
#include "sim/gpu/launch_stepper.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

/// Goes on as far as `next` says.
class Stepper final : public LaunchStepper {
 public:
  std::function<std::optional<SmCycle>(const HaltedLaunch&)> next;
  unsigned begun = 0, over = 0;
  RunStatus status = RunStatus::interrupted;
  SmCycle end = 0;

  SmObserver* observe(SmIndex) override { return nullptr; }
  void begin(const HaltedLaunch& launch) override {
    ++begun;
    EXPECT_NE(launch.launch, nullptr);
  }
  std::optional<SmCycle> halted(const HaltedLaunch& launch) override { return next(launch); }
  void ended(const HaltedLaunch& launch, RunStatus how, const std::vector<Diagnostic>&) override {
    ++over;
    status = how;
    end = launch.now;
  }
};

LaunchOutcome stepped(Bench& bench, Stepper& stepper, const char* name = "tiny", TimingOptions options = {},
                      const RunControl& control = {}) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine(name), options);
  gpu.step_with(&stepper);
  return gpu.run(bench.launch(), control);
}

TEST(LaunchStepper, stretches_of_any_length_change_nothing) {
  for (const char* name : {"tiny", "gtx280"}) {
    Bench plain(mixed_kernel, 40, 192);
    const std::vector<std::uint64_t> expected = numbers(plain.run(machine(name)).statistics);
    for (const unsigned step : {1U, 7U, 100'000U}) {
      for (const unsigned look_ahead : {0U, 1U, 16U}) {
        Bench bench(mixed_kernel, 40, 192);
        Stepper stepper;
        stepper.next = [step](const HaltedLaunch& launch) { return launch.now + step; };
        TimingOptions options;
        options.look_ahead = look_ahead;
        EXPECT_EQ(numbers(stepped(bench, stepper, name, options).statistics), expected) << name << ' ' << step;
        EXPECT_EQ(stepper.status, RunStatus::ok);
      }
    }
  }
}

TEST(LaunchStepper, halts_exactly_where_it_was_told_to) {
  Bench bench(mixed_kernel, 4, 64);
  Stepper stepper;
  SmCycle expected = 0;
  stepper.next = [&](const HaltedLaunch& launch) {
    EXPECT_EQ(launch.now, expected);
    EXPECT_GE(launch.next, launch.now);
    for (const Sm* sm : launch.sms) EXPECT_TRUE(launch.now == 0 || sm->last_issue() < launch.now);
    return expected += 3;
  };
  EXPECT_EQ(stepped(bench, stepper).statistics.status, RunStatus::ok);
  EXPECT_EQ(stepper.begun, 1U);
  EXPECT_EQ(stepper.over, 1U);
}

TEST(LaunchStepper, skips_cycles_in_which_nothing_happens) {
  Bench bench(mixed_kernel, 1, 32);
  Stepper stepper;
  std::uint64_t halts = 0;
  stepper.next = [&](const HaltedLaunch& launch) -> std::optional<SmCycle> {
    ++halts;
    return launch.next == never ? SmCycle{never} : launch.next + 1;
  };
  const LaunchOutcome outcome = stepped(bench, stepper);
  EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
  EXPECT_LT(halts, whole_sm_cycles(outcome.statistics.shader_cycles).count());
}

TEST(LaunchStepper, leaving_interrupts_the_launch) {
  Bench bench(mixed_kernel, 40, 192);
  Stepper stepper;
  stepper.next = [](const HaltedLaunch& launch) -> std::optional<SmCycle> {
    if (launch.now >= 100) return std::nullopt;
    return SmCycle{100};
  };
  const LaunchOutcome outcome = stepped(bench, stepper);
  EXPECT_EQ(outcome.statistics.status, RunStatus::interrupted);
  EXPECT_EQ(outcome.statistics.shader_cycles, 200U);
  EXPECT_EQ(stepper.over, 0U);
}

TEST(LaunchStepper, a_kernel_error_is_seen_in_its_cycle_and_counts_as_it_does_without) {
  Bench plain(errors_in_every_block, 32, 32);
  const LaunchOutcome expected = plain.run(machine("gtx280"));
  Bench bench(errors_in_every_block, 32, 32);
  Stepper stepper;
  std::vector<SmCycle> failed;
  stepper.next = [&](const HaltedLaunch& launch) {
    if (!launch.failure.empty()) failed.push_back(launch.now);
    return launch.now + 1;
  };
  const LaunchOutcome outcome = stepped(bench, stepper, "gtx280");
  EXPECT_EQ(outcome.statistics.status, RunStatus::kernel_error);
  EXPECT_EQ(numbers(outcome.statistics), numbers(expected.statistics));
  ASSERT_EQ(outcome.errors.size(), expected.errors.size());
  EXPECT_EQ(outcome.errors.front().message, expected.errors.front().message);
  EXPECT_EQ(outcome.errors.front().details, expected.errors.front().details);
  ASSERT_FALSE(failed.empty());
  EXPECT_EQ(failed.back() / 256U, failed.front() / 256U) << "the window of 256 cycles is run to its end";
  EXPECT_EQ(stepper.status, RunStatus::kernel_error);
}

TEST(LaunchStepper, limits_and_dead_ends_are_those_of_an_ordinary_run) {
  for (const SpCycle limit : {SpCycle{301}, SpCycle{1000}}) {
    RunControl control;
    control.max_shader_cycles = limit;
    Bench plain(mixed_kernel, 40, 192);
    const LaunchOutcome expected = plain.run(machine("tiny"), {}, control);
    Bench bench(mixed_kernel, 40, 192);
    Stepper stepper;
    stepper.next = [](const HaltedLaunch& launch) { return launch.now + 1; };
    const LaunchOutcome outcome = stepped(bench, stepper, "tiny", {}, control);
    EXPECT_EQ(outcome.statistics.status, RunStatus::limit);
    EXPECT_EQ(numbers(outcome.statistics), numbers(expected.statistics));
  }
}

TEST(LaunchStepper, shows_the_divergence_stack_of_a_warp) {
  Bench bench(mixed_kernel, 1, 32);
  Stepper stepper;
  bool diverged = false, joined = false;
  stepper.next = [&](const HaltedLaunch& launch) {
    std::vector<WarpView> warps;
    launch.sms[0]->view_warps(warps);
    for (const WarpView& warp : warps) {
      const auto stack = launch.streams[0]->divergence(warp.slot);
      if (warp.active == 0xaaaaaaaa) {
        diverged = true;
        EXPECT_EQ(stack.size(), 2U) << "the lanes that wait, and where all meet";
        EXPECT_EQ(stack.front().type, StackEntry::Type::joinat);
        EXPECT_EQ(stack.front().mask, all_lanes);
        EXPECT_EQ(stack.back().mask, 0x55555555U);
      }
      joined = joined || (diverged && warp.active == all_lanes && stack.empty());
    }
    return launch.now + 1;
  };
  EXPECT_EQ(stepped(bench, stepper).statistics.status, RunStatus::ok);
  EXPECT_TRUE(diverged);
  EXPECT_TRUE(joined);
}

TEST(WarpView, says_which_instructions_have_begun) {
  Bench bench(mixed_kernel, 1, 192);
  Stepper stepper;
  unsigned begun = 0;
  stepper.next = [&](const HaltedLaunch& launch) {
    std::vector<WarpView> warps;
    launch.sms[0]->view_warps(warps);
    for (std::size_t i = 0; i < warps.size(); ++i) {
      EXPECT_EQ(warps[i].slot, i);
      if (!warps[i].begun) continue;
      ++begun;
      EXPECT_TRUE(warps[i].next->accesses_shared() || warps[i].next->reads_constant_operand);
    }
    return launch.now + 1;
  };
  EXPECT_EQ(stepped(bench, stepper).statistics.status, RunStatus::ok);
  EXPECT_NE(begun, 0U) << "the store to shared memory has conflicts";
}

}  // namespace
}  // namespace teslasim::testing
