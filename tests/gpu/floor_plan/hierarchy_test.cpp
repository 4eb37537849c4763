// SPDX-License-Identifier: Apache-2.0
// The hierarchy for instructions and constants on the whole machine: a walk over n bytes shows the steps of the
// configuration, by formula, on every shipped machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <systemc>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/base/clock_time.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

/// One TPC of the machine: the walks run on one SM.
MachineSpec machine(const std::string& name) {
  MachineSpec spec = load_machine({name}, {}).spec;
  spec.gpu.tpcs = 1;
  return spec;
}

LaunchStatistics run(const MachineSpec& spec, const Module& module, const std::vector<std::uint8_t>& constants = {},
                     unsigned blocks = 1, unsigned look_ahead = 8) {
  DeviceMemory memory;
  Launch launch;
  launch.kernel = &module.kernels.at(0);
  launch.module = &module;
  launch.grid = {blocks, 1, 1};
  launch.block = {32, 1, 1};
  launch.shared_bytes = launch.kernel->shared_bytes;
  launch.constant_banks[0] = constants;
  launch.memory = &memory;
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  TimingOptions options;
  options.look_ahead = look_ahead;
  GpuSimulator gpu(spec, options);
  const LaunchOutcome outcome = gpu.run(launch, {});
  EXPECT_TRUE(outcome.errors.empty());
  return outcome.statistics;
}

/// What the difference of two runs shows: `per` steps apart.
struct Slope {
  double cycles = 0;  ///< SP cycles per step
  CodeAndConstantStatistics caches;
};

CacheStatistics operator-(const CacheStatistics& a, const CacheStatistics& b) {
  return {a.accesses - b.accesses, a.hits - b.hits, a.misses - b.misses, a.merged - b.merged, a.fills - b.fills};
}

Slope slope(const LaunchStatistics& more, const LaunchStatistics& less, double steps) {
  Slope result;
  result.cycles = static_cast<double>(more.shader_cycles - less.shader_cycles) / steps;
  result.caches.instruction_l1 = more.code.instruction_l1 - less.code.instruction_l1;
  result.caches.instruction_l2 = more.code.instruction_l2 - less.code.instruction_l2;
  result.caches.instruction_l3 = more.code.instruction_l3 - less.code.instruction_l3;
  result.caches.constant_l1 = more.code.constant_l1 - less.code.constant_l1;
  result.caches.constant_l2 = more.code.constant_l2 - less.code.constant_l2;
  result.caches.constant_l3 = more.code.constant_l3 - less.code.constant_l3;
  return result;
}

/// A pointer chase in c0 over `bytes` bytes with `stride`, by one warp.
Slope chase(const MachineSpec& spec, unsigned bytes, unsigned stride, unsigned blocks = 1) {
  std::vector<std::uint8_t> table(bytes);
  for (std::uint32_t at = 0; at < bytes; at += stride) {
    const std::uint32_t next = (at + stride) % bytes;
    std::memcpy(&table[at], &next, 4);
  }
  const auto steps = [&](unsigned passes) {
    return run(spec,
               assemble_text(".arch sm_10\n.entry k\n{\n mov.b32 $r1, 0x0\n mov.b32 $r2, " +
                             std::to_string(passes * bytes / stride) +
                             "\n mov.b32 $r3, 0x1\nstep:\n movsh.b32 $ofs1, $r1, 0\n mov.b32 $r1, c0[$ofs1]\n"
                             " sub.u32 $p0|$r2, $r2, $r3\n@$p0.ne bra.label step\n return\n}\n"),
               table, blocks);
  };
  return slope(steps(4), steps(2), 2.0 * bytes / stride);
}

/// Straight-line code of `bytes` bytes in a loop, by one warp; steps are passes.
Slope straight_line(const MachineSpec& spec, unsigned bytes) {
  const auto passes = [&](unsigned count) {
    std::string body;
    for (unsigned at = 64; at < bytes; at += 8) {
      body += " mad.rn.f32 $r" + std::to_string(8 + at / 8 % 8) + ", $r5, $r5, $r5\n";  // no two in a row depend
    }
    return run(spec, assemble_text(".arch sm_10\n.entry k\n{\n mov.b32 $r2, " + std::to_string(count) +
                                   "\n mov.b32 $r3, 0x1\nstep:\n" + body +
                                   " sub.u32 $p0|$r2, $r2, $r3\n@$p0.ne bra.label step\n return\n}\n"));
  };
  return slope(passes(4), passes(2), 2);
}

/// Nanoseconds that a line takes from one level to the one above, without waiting for clock edges.
double unloaded(const ConstantLevelSpec& level, unsigned bytes, double core_ns) {
  const unsigned cycles = (bytes + level.bytes_per_cycle - 1) / level.bytes_per_cycle;
  return level.request_ns + level.response_ns + cycles * core_ns;
}

/// SP cycles of `time_ns`, and what may come on top: an edge of each clock on the way, and the SM's fetch once more.
void expect_latency(double cycles, double time_ns, unsigned edges, const MachineSpec& spec, const std::string& what) {
  const double core_ns = 1000 / spec.clock.core_mhz, sp_ns = 1000 / spec.clock.shader_mhz;
  EXPECT_GE(cycles * sp_ns, time_ns) << what;
  EXPECT_LE(cycles * sp_ns, time_ns + edges * core_ns + 3 * 2 * sp_ns) << what;
}

class Hierarchy : public ::testing::TestWithParam<std::string> {};

TEST_P(Hierarchy, a_walk_over_constants_shows_the_levels) {
  const MachineSpec spec = machine(GetParam());
  const double core_ns = 1000 / spec.clock.core_mhz;
  const unsigned line = spec.const_l2.line_bytes;
  const Slope l1 = chase(spec, spec.sm.const_cache.bytes, spec.sm.const_cache.line_bytes);
  EXPECT_EQ(l1.caches.constant_l1.misses, 0U);

  const Slope l2 = chase(spec, spec.const_l2.bytes, line);
  EXPECT_EQ(l2.caches.constant_l1.hits, 0U);
  EXPECT_EQ(l2.caches.constant_l2.misses, 0U);
  const double from_l2 = unloaded(spec.const_l2, spec.sm.const_cache.line_bytes, core_ns);
  expect_latency(l2.cycles - l1.cycles, from_l2, 1, spec, "level 2");

  const Slope l3 = chase(spec, spec.const_l3.bytes, line);
  EXPECT_EQ(l3.caches.constant_l2.hits, 0U);
  EXPECT_EQ(l3.caches.constant_l3.misses, 0U);
  const double from_l3 = from_l2 + unloaded(spec.const_l3, line, core_ns);
  expect_latency(l3.cycles - l1.cycles, from_l3, 3, spec, "level 3");

  const Slope memory = chase(spec, 2 * spec.const_l3.bytes, spec.const_l3.line_bytes);
  EXPECT_EQ(memory.caches.constant_l3.hits, 0U);
  const double through = spec.noc.request_ns / 2 + spec.noc.response_ns;
  EXPECT_GE((memory.cycles - l3.cycles) * 1000 / spec.clock.shader_mhz, through) << "memory lies behind the crossbar";
}

TEST_P(Hierarchy, a_walk_over_code_shows_the_levels) {
  const MachineSpec spec = machine(GetParam());
  const unsigned line = spec.sm.icache.line_bytes;
  const double core_ns = 1000 / spec.clock.core_mhz;
  MachineSpec ideal = spec;
  ideal.sm.icache.bytes = 0;
  const auto cost = [&](unsigned bytes) {
    return straight_line(spec, bytes).cycles - straight_line(ideal, bytes).cycles;
  };
  EXPECT_NEAR(cost(spec.sm.icache.bytes), 0.0, 2.0) << "code that fits costs nothing once it is there";

  const unsigned in_l2 = spec.const_l2.bytes, lines = in_l2 / line;
  const Slope l2 = straight_line(spec, in_l2);
  EXPECT_EQ(l2.caches.instruction_l1.misses, 2U * lines);
  EXPECT_EQ(l2.caches.instruction_l1.accesses, 2U * in_l2 / spec.sm.icache.fetch_block_bytes);
  EXPECT_EQ(l2.caches.instruction_l2.misses, 0U);
  const double from_l2 = unloaded(spec.const_l2, line, core_ns);
  expect_latency(cost(in_l2) / lines, from_l2, 1, spec, "level 2");

  const unsigned in_l3 = spec.const_l3.bytes;
  const Slope l3 = straight_line(spec, in_l3);
  EXPECT_EQ(l3.caches.instruction_l2.hits, std::uint64_t{2} * in_l3 / line - 2 * in_l3 / spec.const_l2.line_bytes);
  EXPECT_EQ(l3.caches.instruction_l3.misses, 0U);
}

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const auto& entry : preset_list()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Machines, Hierarchy, ::testing::ValuesIn(shipped()),
                         [](const auto& one) { return "on_" + one.param; });

/// Code that fills the second level and constants that fill it too push each other out of it.
TEST(HierarchyShared, code_and_constants_compete_for_the_second_level) {
  const MachineSpec spec = machine("gtx280");
  std::string body;
  for (unsigned i = 0; i < 6144 / 16; ++i) {
    body += " mov.b32 $r5, c0[" + std::to_string(i % 24 * 256) + "]\n mad.rn.f32 $r4, $r5, $r6, $r7\n";
  }
  const auto both = [&](unsigned passes) {
    return run(spec,
               assemble_text(".arch sm_10\n.entry k\n{\n mov.b32 $r2, " + std::to_string(passes) +
                             "\n mov.b32 $r3, 0x1\nstep:\n" + body +
                             " sub.u32 $p0|$r2, $r2, $r3\n@$p0.ne bra.label step\n return\n}\n"),
               std::vector<std::uint8_t>(8192));
  };
  const Slope together = slope(both(6), both(3), 3);
  EXPECT_EQ(straight_line(spec, 6144).caches.instruction_l2.misses, 0U) << "6 KB of code alone fit";
  EXPECT_EQ(chase(spec, 6144, 256).caches.constant_l2.misses, 0U) << "6 KB of constants alone fit";
  EXPECT_GT(together.caches.instruction_l2.misses, 0U);
  EXPECT_GT(together.caches.constant_l2.misses, 0U);
}

/// E8 (c): the SMs of a TPC share the second level. Walking the same 8 KB they help each other, so it is the requests
/// that double, not the lines from the third level.
TEST(HierarchyShared, the_sms_of_a_tpc_share_the_second_level) {
  const MachineSpec spec = machine("gtx280");
  const Slope one = chase(spec, 8192, 256, 1), two = chase(spec, 8192, 256, 2);
  EXPECT_EQ(two.caches.constant_l2.accesses, 2 * one.caches.constant_l2.accesses);
  EXPECT_EQ(two.caches.constant_l3.accesses, one.caches.constant_l3.accesses);
}

TEST(HierarchyShared, look_ahead_changes_nothing) {
  const MachineSpec spec = load_machine({"gtx280"}, {}).spec;
  std::string body;
  for (unsigned i = 0; i < 600; ++i) {
    body += " mov.b32 $r5, c0[" + std::to_string(i * 52 % 8000 / 4 * 4) + "]\n mad.rn.f32 $r4, $r5, $r6, $r7\n";
  }
  const Module module = assemble_text(".arch sm_10\n.entry k\n{\n" + body + " return\n}\n");
  const auto result = [&](unsigned look_ahead) {
    const LaunchStatistics s = run(spec, module, std::vector<std::uint8_t>(8192), 90, look_ahead);
    std::vector<std::uint64_t> numbers{s.shader_cycles.count(), s.code.instruction_l2.merged, s.code.constant_l3.merged,
                                       s.code.constant_l2.hits, s.code.transactions};
    for (const SmStatistics& sm : s.sms) numbers.insert(numbers.end(), sm.slots.counts.begin(), sm.slots.counts.end());
    return numbers;
  };
  const auto exact = result(0);
  for (const unsigned look_ahead : {1U, 4U, 8U}) EXPECT_EQ(result(look_ahead), exact) << look_ahead;
}

}  // namespace
}  // namespace teslasim::testing
