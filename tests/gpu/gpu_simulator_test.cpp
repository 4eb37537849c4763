// SPDX-License-Identifier: Apache-2.0
// The whole GPU: laws of time and accounting, and neutrality of everything that must not change a result.
#include "sim/gpu/gpu_simulator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <systemc>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/machine/machine_loader.h"
#include "tests/gpu/gpu_bench.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

/// ... without misses on cold code, where a test compares times with a closed form.
MachineSpec machine_with_ideal_fetch(const std::string& name) {
  return load_machine({name}, {"sm.icache.bytes=0"}).spec;
}

TEST(GpuNeutrality, look_ahead_sleeping_and_construction_order_change_no_number) {
  const MachineSpec gtx280 = machine("gtx280");
  const std::vector<std::uint64_t> reference = numbers(Bench(mixed_kernel, 50, 192).run(gtx280).statistics);
  for (const TimingOptions& options :
       {TimingOptions{0, true, {}, 0}, TimingOptions{1, true, {}, 0}, TimingOptions{4, true, {}, 7},
        TimingOptions{8, false, {}, 0}, TimingOptions{8, true, {}, 12345}, TimingOptions{8, true, {}, 0}}) {
    Bench bench(mixed_kernel, 50, 192);
    EXPECT_EQ(numbers(bench.run(gtx280, options).statistics), reference)
        << "N=" << options.look_ahead << " sleeping=" << options.sleeping << " seed=" << options.construction_seed;
  }
}

TEST(GpuNeutrality, a_launch_does_not_depend_on_the_one_before) {
  Bench bench(mixed_kernel, 20, 64);
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("8800gtx"), {});
  const std::vector<std::uint64_t> first = numbers(gpu.run(bench.launch(), {}).statistics);
  EXPECT_EQ(numbers(gpu.run(bench.launch(), {}).statistics), first);
}

/// Each block writes its number to its word.
const std::string numbering_kernel = R"(
  mov.u32.u16 $r1, %ctaid.x
  shl.u32 $r2, $r1, 2
  add.u32 $r2, s[out], $r2
  add.u32 $r1, $r1, 1
  mov.u32 g[$r2], $r1
  return
)";

TEST(GpuBlockRange, deals_some_blocks_of_the_grid_and_says_when_they_ended) {
  Bench bench(numbering_kernel, 60, 32);
  RunControl control;
  std::vector<Femtoseconds> ends;
  control.blocks = {7, 20};
  control.block_ends = &ends;
  const LaunchStatistics s = bench.run(machine("gtx280"), {}, control).statistics;
  EXPECT_EQ(s.ctas_total, 13U);
  EXPECT_EQ(s.ctas_done, 13U);
  for (unsigned block = 0; block < 60; ++block)
    EXPECT_EQ(bench.result(block), block >= 7 && block < 20 ? block + 1 : 0) << block;
  ASSERT_EQ(ends.size(), 13U);
  for (const Femtoseconds end : ends) EXPECT_LE(end, s.duration);
}

TEST(GpuBlockRange, of_the_whole_grid_changes_no_number) {
  const MachineSpec gtx280 = machine("gtx280");
  RunControl control;
  control.blocks = {0, 50};
  EXPECT_EQ(numbers(Bench(mixed_kernel, 50, 192).run(gtx280, {}, control).statistics),
            numbers(Bench(mixed_kernel, 50, 192).run(gtx280).statistics));
}

const std::string arithmetic_kernel = ".rept 100\n mad.rn.f32 $r1, $r1, $r1, $r1\n.endr\n return\n";

// A grid of one block: every other SM is charged for the whole time to "never received a block".
TEST(GpuAccounting, one_block_leaves_all_other_sms_unused) {
  const MachineSpec gtx280 = machine("gtx280");
  Bench bench(arithmetic_kernel, 1, 32);
  const LaunchStatistics s = bench.run(gtx280).statistics;
  EXPECT_EQ(s.status, RunStatus::ok);
  EXPECT_EQ(s.slots.sum(), s.shader_cycles / 2 * gtx280.sms());
  EXPECT_EQ(s.slots[SlotReason::empty_occupancy], s.shader_cycles / 2 * (gtx280.sms() - 1));
}

// One block more than fits at once: while it runs alone, all other SMs have an empty tail of one block time.
TEST(GpuAccounting, one_block_too_many_shows_as_an_empty_tail) {
  const MachineSpec gtx280 = load_machine({"gtx280"}, {"sm.icache.bytes=0", "gpu.cta_replacement=wave"}).spec;
  const unsigned fit = 8 * gtx280.sms();
  const LaunchStatistics full = Bench(arithmetic_kernel, fit, 32).run(gtx280).statistics;
  const LaunchStatistics one = Bench(arithmetic_kernel, 1, 32).run(gtx280).statistics;
  const LaunchStatistics more = Bench(arithmetic_kernel, fit + 1, 32).run(gtx280).statistics;
  EXPECT_EQ(more.ctas_done, fit + 1);
  const auto tail =
      static_cast<double>(more.slots[SlotReason::empty_tail]) - static_cast<double>(full.slots[SlotReason::empty_tail]);
  const auto block_time = static_cast<double>(one.shader_cycles) / 2;
  EXPECT_NEAR(tail / (gtx280.sms() - 1), block_time, 0.05 * block_time);
}

TEST(GpuTiming, a_pointer_chase_takes_the_unloaded_latency) {
  // Word 0 of `in` points nowhere useful, so the chase is built from addresses: in[k] = k is turned into a load of
  // in[0].
  const std::string chase =
      "mov.b32 $r1, s[in]\n.rept COUNT\n mov.u32 $r2, g[$r1]\n add.u32 $r1, $r1, $r2\n.endr\n return\n";
  const auto cycles = [&](const MachineSpec& spec, const std::string& count) {
    std::string text = chase;
    text.replace(text.find("COUNT"), 5, count);
    return static_cast<double>(Bench(text, 1, 1).run(spec).statistics.shader_cycles);
  };
  // Each step: the load, and one dependent addition of two registers. Wong et al. 2010: 436-443 SP cycles on GTX 280.
  const MachineSpec gtx280 = machine_with_ideal_fetch("gtx280");
  const double step = (cycles(gtx280, "60") - cycles(gtx280, "20")) / 40;
  const double addition = gtx280.sm.latency.alu + gtx280.sm.latency.operand_read;
  EXPECT_GE(step - addition, 436);
  EXPECT_LE(step - addition, 443);
  // Collange 2010, section 10: 345 ns on a C870, within 2 % here.
  const MachineSpec c870 = machine_with_ideal_fetch("c870");
  const double c870_step =
      (cycles(c870, "60") - cycles(c870, "20")) / 40 - c870.sm.latency.alu - c870.sm.latency.operand_read;
  EXPECT_NEAR(c870_step / c870.clock.shader_mhz * 1000, 345, 7);
}

TEST(GpuTiming, stores_have_taken_effect_when_the_launch_ends) {
  Bench bench(
      "and.b32 $r1, $r0, 0x0000ffff\n shl.u32 $r2, $r1, 2\n add.u32 $r2, s[out], $r2\n mov.u32 g[$r2], $r1\n return\n",
      1, 64);
  const LaunchStatistics s = bench.run(machine("8800gtx")).statistics;
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(bench.result(i), i);
  EXPECT_EQ(s.store_requests, 4U) << "two half-warps of two warps, 64 bytes each";
  EXPECT_EQ(s.stores_performed, s.store_requests);
  EXPECT_EQ(s.global.transactions_64, 4U);
}

// %clock counts the SM cycles of the TPC while it has work: a block that arrives first in its TPC starts near 0.
TEST(GpuTiming, the_clock_of_a_tpc_starts_with_its_first_block) {
  const std::string kernel =
      "mov.b32 $r1, %clock\n mov.u16 $r2.lo, %ctaid.x\n mov.b32 $r3, 0x4\n mul24.lo.u32.u16.u16 $r2, $r2.lo, $r3.lo\n"
      " add.u32 $r2, s[out], $r2\n mov.u32 g[$r2], $r1\n return\n";
  const auto clocks = [&](const MachineSpec& spec) {
    Bench bench(kernel, 30, 1);
    EXPECT_EQ(bench.run(spec).statistics.status, RunStatus::ok);
    std::vector<std::uint32_t> values;
    for (unsigned i = 0; i < 30; ++i) values.push_back(bench.result(i));
    return values;
  };
  MachineSpec gtx280 = machine_with_ideal_fetch("gtx280");
  const auto gated = clocks(gtx280);
  for (unsigned block = 0; block < 10; ++block) EXPECT_EQ(gated[block], gated[0]) << "one block per TPC: " << block;
  EXPECT_LT(gated[0], 16U);
  EXPECT_GT(gated[10], gated[0]) << "the second SM of TPC 0 starts later, by the same clock";
  gtx280.gpu.tpc_clock_gating = false;
  EXPECT_GT(clocks(gtx280)[9], gated[9]);
}

// Ye 2009, equation 1: 0.011 ms + 0.0005 ms per argument, and per block what the distributor takes.
TEST(GpuTiming, a_launch_costs_its_overhead_outside_the_kernel) {
  const MachineSpec spec = machine("8800gt");
  const LaunchStatistics s = Bench("return\n", 1, 32).run(spec).statistics;
  EXPECT_EQ(s.overhead, 11'500'000'000U) << "10.5 us and two arguments of 0.5 us";
}

TEST(GpuTiming, an_empty_kernel_takes_the_dispatch_interval_for_each_block) {
  const MachineSpec spec = machine("8800gt");
  const auto cycles = [&](unsigned blocks) {
    return static_cast<double>(Bench("return\n", blocks, 32).run(spec).statistics.shader_cycles);
  };
  const double per_block = (cycles(1000) - cycles(104)) / 896;
  EXPECT_NEAR(per_block, 16, 0.8) << "Ye 2009, table 4";
}

// The profiler of compute capability 1.x counts on one SM and one TPC only.
TEST(GpuProfiler, counts_what_the_first_tpc_does) {
  const std::string kernel =
      "and.b32 $r1, $r0, 0x0000ffff\n shl.u32 $r2, $r1, 2\n add.u32 $r3, s[in], $r2\n mov.u32 $r4, g[$r3]\n"
      " add.u32 $r2, s[out], $r2\n mov.u32 g[$r2], $r4\n bar.sync.u32 0x00000000\n return\n";
  using C = ProfilerCounter;
  // 60 blocks: two on each SM of the GTX 280, so six on its first TPC. Each has four half-warps of 64 bytes.
  const ProfilerCounters gtx280 = Bench(kernel, 60, 64).run(machine("gtx280")).statistics.profiler;
  EXPECT_EQ(gtx280[C::sm_cta_launched], 2U);
  EXPECT_EQ(gtx280[C::cta_launched], 6U);
  EXPECT_EQ(gtx280[C::gld_64b], 6U * 4);
  EXPECT_EQ(gtx280[C::gld_request], 6U * 4);
  EXPECT_EQ(gtx280[C::gst_64b], 6U * 4 * 4) << "a store of 64 bytes counts as 4";
  EXPECT_EQ(gtx280[C::gld_32b] + gtx280[C::gld_128b], 0U);
  EXPECT_EQ(gtx280[C::instructions], 2U * 2 * 8) << "two blocks of two warps";
  EXPECT_EQ(gtx280[C::branch], 2U * 2 * 2) << "the barrier and the return of each warp";
  EXPECT_EQ(gtx280[C::divergent_branch] + gtx280[C::warp_serialize], 0U);
  EXPECT_GT(gtx280[C::tlb_hit] + gtx280[C::tlb_miss], 0U);
  const ProfilerCounters g80 = Bench(kernel, 16, 64).run(machine("8800gtx")).statistics.profiler;
  EXPECT_TRUE(g80.strict);
  EXPECT_EQ(g80[C::gld_coherent], 2U * 4);
  EXPECT_EQ(g80[C::gld_incoherent], 0U);
}

// Latencies per instruction: a multiply-add takes what its pipe and its operands take, a load what memory takes.
TEST(GpuTiming, latencies_are_kept_for_each_instruction) {
  const MachineSpec spec = machine_with_ideal_fetch("gtx280");
  const LaunchStatistics s =
      Bench("mad.rn.f32 $r1, $r2, $r3, $r4\n mov.b32 $r5, s[in]\n mov.u32 $r6, g[$r5]\n return\n", 1, 1)
          .run(spec)
          .statistics;
  EXPECT_EQ(s.pcs[0].latency.count(), 1U);
  EXPECT_EQ(2 * s.pcs[0].latency.least(), spec.sm.latency.alu + 2 * spec.sm.latency.operand_read);
  EXPECT_GT(2 * s.pcs[2].latency.least(), 400U);
  EXPECT_EQ(s.pcs[3].latency.count(), 0U) << "no result";
}

TEST(GpuLimits, a_limit_is_exact_in_simulated_time) {
  RunControl control;
  control.max_shader_cycles = 400;
  const std::vector<std::uint64_t> reference = numbers(
      Bench(arithmetic_kernel, 40, 64).run(machine("gtx280"), TimingOptions{8, true, {}, 0}, control).statistics);
  for (const unsigned look_ahead : {0U, 4U}) {
    Bench bench(arithmetic_kernel, 40, 64);
    const LaunchOutcome outcome = bench.run(machine("gtx280"), TimingOptions{look_ahead, true, 0}, control);
    EXPECT_EQ(outcome.statistics.status, RunStatus::limit);
    EXPECT_EQ(outcome.statistics.shader_cycles, 400U);
    EXPECT_EQ(numbers(outcome.statistics), reference) << look_ahead;
  }
}

// Warps 2 and 3 of 4 leave before the barrier.
constexpr const char* leaving_warps =
    "and.b32 $r1, $r0, 0x0000ffff\n set.ge.u32 $p0|$r2, $r1, $r3\n shr.u32 $p1|$r2, $r1, 6\n"
    "@$p1.ne return\n bar.sync.u32 0x00000000\n return\n";
// Warps 2 and 3 of 4 leave long after the others have come to the barrier.
constexpr const char* late_leavers =
    "shr.u32 $p1|$r2, $r0, 6\n @$p1.eq bra.label early\n rcp.f32 $r4, $r0\n rcp.f32 $r4, $r4\n rcp.f32 $r4, $r4\n"
    " rcp.f32 $r4, $r4\n return\nearly:\n bar.sync.u32 0x00000000\n return\n";

TEST(GpuBarriers, open_when_the_last_warp_that_is_missing_ends) {
  for (const char* text : {leaving_warps, late_leavers}) {
    const LaunchOutcome outcome = Bench(text, 4, 128).run(machine("gtx280"));
    EXPECT_EQ(outcome.statistics.status, RunStatus::ok) << text;
    EXPECT_EQ(outcome.statistics.ctas_done, 4U);
  }
}

TEST(GpuErrors, a_barrier_that_a_warp_never_reaches_is_reported_with_both_sides) {
  Bench bench(leaving_warps, 1, 128);
  const LaunchOutcome outcome = bench.run(machine("tiny"));
  EXPECT_EQ(outcome.statistics.status, RunStatus::stuck);
  ASSERT_EQ(outcome.errors.size(), 1U);
  EXPECT_EQ(outcome.errors[0].code, "SIM-STUCK");
  const std::string text = render(outcome.errors[0]);
  EXPECT_NE(text.find("barrier 0:  2 of 4 warps arrived"), std::string::npos) << text;
  EXPECT_NE(text.find("arrived  w0 w1  at 0x0020  bar.sync.u32 0x00000000"), std::string::npos) << text;
  EXPECT_NE(text.find("missing  w3  finished at 0x0018  @$p1.ne return, in cycle "), std::string::npos) << text;
  EXPECT_NE(text.find("= cause: warp 2 left the kernel without reaching barrier 0"), std::string::npos) << text;
  EXPECT_EQ(outcome.statistics.slots.sum(), outcome.statistics.shader_cycles / 2);
}

TEST(GpuErrors, an_address_outside_every_buffer_stops_with_complete_books) {
  Bench bench("mov.b32 $r1, 0x00000000\n mov.u32 $r2, g[$r1]\n return\n", 4, 32);
  const MachineSpec spec = machine("gtx280");
  const LaunchOutcome outcome = bench.run(spec);
  EXPECT_EQ(outcome.statistics.status, RunStatus::kernel_error);
  ASSERT_FALSE(outcome.errors.empty());
  EXPECT_EQ(outcome.errors[0].code, "MEM-OOB");
  EXPECT_EQ(outcome.statistics.slots.sum(), outcome.statistics.shader_cycles / 2 * spec.sms());
  EXPECT_EQ(outcome.statistics.warp_cycles.sum(), [&] {
    std::uint64_t sum = 0;
    for (const SmStatistics& sm : outcome.statistics.sms) sum += sm.resident_warp_cycles;
    return sum;
  }());
}

TEST(GpuErrors, which_error_is_reported_does_not_depend_on_the_look_ahead) {
  std::vector<std::string> messages;
  for (const unsigned look_ahead : {0U, 1U, 4U, 8U}) {
    Bench bench(errors_in_every_block, 32, 32);
    TimingOptions options;
    options.look_ahead = look_ahead;
    const LaunchOutcome outcome = bench.run(machine("gtx280"), options);
    EXPECT_EQ(outcome.statistics.status, RunStatus::kernel_error);
    ASSERT_EQ(outcome.errors.size(), 1U);
    messages.push_back(render(outcome.errors[0]));
  }
  for (const std::string& message : messages) EXPECT_EQ(message, messages[0]);
}

}  // namespace
}  // namespace teslasim::testing
