// SPDX-License-Identifier: Apache-2.0
// Texture reads on the whole machine: the plateaus of a chase by formula, shares of the SMs, and the same outcome
// whatever the look-ahead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <systemc>
#include <vector>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

constexpr unsigned word = 4;

MachineSpec machine(const std::string& name) {
  MachineSpec spec = load_machine({name}, {}).spec;
  spec.tlb.ideal = true;
  return spec;
}

struct Reading {
  LaunchStatistics statistics;
  std::vector<std::uint32_t> out;
};

struct Image {
  std::vector<std::uint32_t> words;
  unsigned width = 0, height = 1;
  TextureImage::Layout layout = TextureImage::Layout::linear;
};

Texture bound(const Image& image, DeviceMemory& memory) {
  Texture texture;
  texture.name = "image";
  texture.image.format = {TexelFormat::Kind::unsigned_integer, 32, 1};
  texture.image.dimensions = image.height == 1 ? 1 : 2;
  texture.image.size = {image.width, image.height, 1};
  texture.image.pitch_bytes = image.width * word;
  texture.image.layout = image.layout;
  texture.image.address = memory.allocate("image", "u32", texture.image.bytes());
  for (unsigned i = 0; i < image.words.size(); ++i) {
    const std::uint64_t at = texture.image.offset(i % image.width, i / image.width, 0);
    std::memcpy(memory.at(texture.image.address + static_cast<Address>(at)), &image.words[i], word);
  }
  return texture;
}

/// The kernel's first parameter is a buffer of `out_words` words.
Reading run(const MachineSpec& spec, const std::string& code, const Image& image, unsigned blocks = 1,
            unsigned threads = 32, unsigned out_words = 1, const TimingOptions& options = {}) {
  const Module module = assemble_text(".arch sm_10\n" + code);
  DeviceMemory memory;
  Launch launch;
  launch.kernel = &module.kernels.at(0);
  launch.module = &module;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.shared_bytes = launch.kernel->shared_bytes;
  launch.memory = &memory;
  launch.textures = {bound(image, memory)};
  const Address out = memory.allocate("out", "u32", std::uint64_t{out_words} * word);
  launch.parameters.resize(word);
  std::memcpy(launch.parameters.data(), &out, word);
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(spec, options);
  const LaunchOutcome outcome = gpu.run(launch, {});
  EXPECT_TRUE(outcome.errors.empty());
  Reading result;
  result.statistics = outcome.statistics;
  result.out.resize(out_words);
  std::memcpy(result.out.data(), memory.at(out), std::size_t{out_words} * word);
  return result;
}

Image chain(unsigned bytes, unsigned stride) {
  Image image;
  image.width = bytes / word;
  image.words.resize(image.width);
  for (unsigned at = 0; at < bytes; at += stride) image.words[at / word] = (at + stride) % bytes / word;
  return image;
}

std::string chase_code(unsigned steps) {
  return R"(
.entry chase
{
  .param ptr out
    mov.b32         $r1, 0
    mov.b32         $r2, )" +
         std::to_string(steps) + R"(
    mov.b32         $r3, 1
again:
    tex.1d.b32.s32  {$r1,_,_,_}, $tex0, {$r1}
    sub.u32         $p0|$r2, $r2, $r3
@$p0.ne bra.label   again
    mov.b32         $r4, s[out]
    mov.u32         g[$r4], $r1
    return
}
)";
}

/// ns per step of a chase through `bytes` bytes, without the first round.
double chase_ns(const MachineSpec& spec, unsigned bytes, unsigned stride) {
  const Image image = chain(bytes, stride);
  const unsigned round = bytes / stride;
  const LaunchStatistics less = run(spec, chase_code(2 * round), image).statistics;
  const LaunchStatistics more = run(spec, chase_code(4 * round), image).statistics;
  return static_cast<double>(more.duration - less.duration) * 1e-6 / (2 * round);
}

class TexturePlateaus : public ::testing::TestWithParam<const char*> {};

TEST_P(TexturePlateaus, come_at_the_sizes_and_with_the_latencies_of_the_configuration) {
  const MachineSpec spec = machine(GetParam());
  const double sm_cycle = 2000.0 / spec.clock.shader_mhz, core_cycle = 1000.0 / spec.clock.core_mhz;
  const double memory_cycle = 1000.0 / spec.clock.memory_mhz;
  const TextureCacheSpec& l1 = spec.tpc.texture_cache;
  const unsigned l1_bytes = l1.bytes_per_sm / l1.ways * l1.linear_ways;
  const unsigned l2_bytes = spec.texture_l2.bytes * spec.dram.partitions;
  // Each hop waits for the next edge of the clock that takes it over: half a cycle on average, one at most.
  const double hit = chase_ns(spec, l1_bytes, l1.line_bytes);
  const double hit_path = spec.tpc.request_ns + spec.tpc.texture.address_ns + spec.tpc.texture.filter_ns +
                          spec.tpc.response_ns + core_cycle;
  EXPECT_GT(hit, hit_path);
  // In the SM: the gap of the warp, write-back, and a cycle each to leave, to arrive, to be written and to be woken.
  const double in_sm = (spec.sm.warp_issue_gap_cycles + spec.sm.latency.writeback) / 2.0 + 4;
  EXPECT_LT(hit, hit_path + 3 * core_cycle + in_sm * sm_cycle);
  EXPECT_GT(chase_ns(spec, l1_bytes + 8 * l1.line_bytes, l1.line_bytes), 1.03 * hit) << "a step at " << l1_bytes;

  const unsigned stride = spec.texture_l2.line_bytes;
  const double l2_hit = chase_ns(spec, l2_bytes, stride);
  const double l2_path = spec.noc.request_ns + spec.noc.response_ns + spec.texture_l2.hit_ns;
  EXPECT_NEAR(l2_hit - hit, l2_path, 4 * core_cycle + 2 * memory_cycle);
  const double miss = chase_ns(spec, 2 * l2_bytes, stride);
  const DramTimingSpec& chips = spec.dram.timing;
  const double line_cycles = 8.0 * spec.texture_l2.line_bytes / (2 * spec.dram.bus_width_bits_per_partition);
  const double row_conflict =
      chips.precharge_ns + chips.activate_to_read_ns + chips.cas_ns + line_cycles * memory_cycle;
  const double slowest = std::max(spec.dram.latency_ns, row_conflict + 4 * memory_cycle) - spec.texture_l2.hit_ns;
  EXPECT_GT(miss - l2_hit, spec.dram.latency_ns - spec.texture_l2.hit_ns - 2 * core_cycle - 2 * memory_cycle);
  EXPECT_LT(miss - l2_hit, slowest + 2 * core_cycle + 2 * memory_cycle);
}

INSTANTIATE_TEST_SUITE_P(machines, TexturePlateaus, ::testing::Values("tiny", "c870", "t10p"),
                         [](const auto& row) { return std::string(row.param); });

/// Every thread of a block reads texels `threads` apart, `rounds` times; all blocks read the same ones.
std::string walk_code(unsigned rounds, unsigned reads, unsigned step) {
  return R"(
.entry walk
{
  .param ptr out
    and.b32         $r1, $r0, 0x0000ffff
    mov.b32         $r7, 0
    mov.b32         $r2, )" +
         std::to_string(rounds) + R"(
    mov.b32         $r3, 1
round:
    mov.b32         $r4, $r1
    mov.b32         $r5, )" +
         std::to_string(reads) + R"(
next:
    mov.b32         $r6, $r4
    tex.1d.b32.s32  {$r6,_,_,_}, $tex0, {$r6}
    add.u32         $r4, $r4, )" +
         std::to_string(step) + R"(
    sub.u32         $p0|$r5, $r5, $r3
    add.u32         $r7, $r7, $r6
@$p0.ne bra.label   next
    sub.u32         $p0|$r2, $r2, $r3
@$p0.ne bra.label   round
    mov.b16         $r2.lo, %ntid.x
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r7
    return
}
)";
}

Image numbers(unsigned count) {
  Image image;
  image.width = count;
  for (unsigned i = 0; i < count; ++i) image.words.push_back(i * i);
  return image;
}

TEST(TexturePath, the_share_of_one_sm_is_not_disturbed_by_the_others) {
  MachineSpec spec = machine("gtx280");
  spec.gpu.tpcs = 1;
  const unsigned lines = 5 * 1024 / 32;
  // Three blocks of one warp, each walks over 5 KB twice: what one SM has, the other two do not take.
  const TextureStatistics counted =
      run(spec, walk_code(3, 5 * 1024 / 128, 32), numbers(2048), 3, 32, 96).statistics.textures;
  EXPECT_EQ(counted.l1.accesses, 3U * 3 * lines);
  EXPECT_EQ(counted.l1.misses, 3U * lines);
  EXPECT_LT(counted.line_requests, 3U * lines) << "what all three miss at once is asked for once";
}

struct Setting {
  unsigned look_ahead = 0;
  bool sleeping = true;
  unsigned seed = 0;
  unsigned threads = 1;
};

TEST(TexturePath, outcome_does_not_depend_on_the_engine) {
  for (const char* name : {"gtx280", "8800gtx"}) {
    MachineSpec spec = load_machine({name}, {"gpu.tpcs=2", "tpc.texture.queue=6", "tpc.texture_cache.misses=5"}).spec;
    const auto outcome = [&](const Setting& setting) {
      TimingOptions options;
      options.look_ahead = setting.look_ahead;
      options.sleeping = setting.sleeping;
      options.construction_seed = setting.seed;
      options.threads = setting.threads;
      return run(spec, walk_code(2, 24, 37), numbers(4096), 9, 96, 9 * 96, options);
    };
    const Reading exact = outcome({});
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < 24; ++i) sum += 2 * (5 + 37 * i) * (5 + 37 * i);
    EXPECT_EQ(exact.out[5], sum);
    EXPECT_GT(exact.statistics.textures.held_back_cycles, 0U);
    for (const Setting& setting :
         {Setting{1}, Setting{4}, Setting{8}, Setting{8, false}, Setting{8, true, 3}, Setting{8, true, 0, 2}}) {
      const Reading other = outcome(setting);
      EXPECT_EQ(other.out, exact.out);
      EXPECT_EQ(other.statistics.duration, exact.statistics.duration) << name << ' ' << setting.look_ahead;
      EXPECT_EQ(other.statistics.textures.held_back_cycles, exact.statistics.textures.held_back_cycles);
      EXPECT_EQ(other.statistics.textures.l1, exact.statistics.textures.l1);
      EXPECT_EQ(other.statistics.textures.l2, exact.statistics.textures.l2);
      EXPECT_EQ(other.statistics.request_latency.total, exact.statistics.request_latency.total);
    }
  }
}

TEST(TexturePath, waiting_for_texels_and_for_room_has_its_own_names) {
  MachineSpec spec = machine("gtx280");
  spec.tpc.texture.queue = 2;
  spec.tpc.queue = 4;
  const LaunchStatistics statistics = run(spec, walk_code(1, 8, 37), numbers(8192), 60, 256, 60 * 256).statistics;
  EXPECT_GT(statistics.slots[SlotReason::mem_tex], 0U);
  EXPECT_GT(statistics.slots[SlotReason::mem_queue], 0U) << "the unit takes no more, so the SMs cannot send";
  EXPECT_EQ(statistics.slots[SlotReason::mem_global], 0U);
}

TEST(TexturePath, units_and_caches_are_on_the_floor_plan) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("gtx280"), {});
  for (const char* name : {"gpu.tpc9.texture", "gpu.tpc0.texture.cache2", "gpu.partition7.texture_l2"}) {
    EXPECT_NE(sc_core::sc_find_object(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace teslasim::testing
