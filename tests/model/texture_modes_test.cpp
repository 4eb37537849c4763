// SPDX-License-Identifier: Apache-2.0
// A kernel that filters a texture gives the same values with and without time, and its traffic adds up.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/functional_model.h"
#include "tests/support/systemc_context.h"

namespace teslasim {
namespace {

constexpr unsigned side = 64;

/// out[i] = the texture at (x + 0.75, y + 0.25), wrapped, for 64 x 64 threads.
constexpr const char* filter_kernel = R"(.arch sm_13
.entry filter {
.param ptr out
and.b32 $r1, $r0, 0x0000ffff
mov.u16 $r2.lo, %ctaid.x
mul24.lo.u32.u16.u16 $r3, $r2.lo, 0x0040
add.u32 $r3, $r3, $r1
cvt.rn.f32.u32 $r4, $r1
cvt.rn.f32.u16 $r5, $r2.lo
add.rn.f32 $r4, $r4, 0.75f
add.rn.f32 $r5, $r5, 0.25f
mul.rn.f32 $r4, $r4, 0.015625f
mul.rn.f32 $r5, $r5, 0.015625f
tex.2d.b32.f32 {$r4,_,_,_}, $tex0, {$r4,$r5}
shl.u32 $r6, $r3, 2
add.u32 $r6, s[out], $r6
mov.u32 g[$r6], $r4
return
}
)";

class Bench {
 public:
  Bench() : module_(assemble_text(filter_kernel, "filter.asm")) {
    launch_.kernel = &module_.kernels.front();
    launch_.module = &module_;
    launch_.memory = &memory_;
    launch_.block = {side, 1, 1};
    launch_.grid = {side, 1, 1};
    launch_.shared_bytes = launch_.kernel->shared_bytes;
    const Address out = memory_.allocate("out", "f32", side * side * 4);
    launch_.parameters.resize(4);
    std::memcpy(launch_.parameters.data(), &out, 4);
    Texture texture;
    texture.name = "image";
    texture.image.format = {TexelFormat::Kind::unsigned_integer, 8, 1};
    texture.image.dimensions = 2;
    texture.image.size = {side, side, 1};
    texture.image.layout = TextureImage::Layout::tiled;
    texture.image.address = memory_.allocate("image", "u8", texture.image.bytes());
    texture.sampler.normalised_coordinates = texture.sampler.normalised_values = true;
    texture.sampler.linear_filter = true;
    texture.sampler.address_mode = {TextureSampler::AddressMode::wrap, TextureSampler::AddressMode::clamp,
                                    TextureSampler::AddressMode::clamp};
    for (unsigned y = 0; y < side; ++y) {
      for (unsigned x = 0; x < side; ++x) {
        *memory_.at(texture.image.address + static_cast<Address>(texture.image.offset(x, y, 0))) =
            std::byte{texel(x, y)};
      }
    }
    launch_.textures = {texture};
    out_ = out;
  }
  static std::uint8_t texel(unsigned x, unsigned y) { return static_cast<std::uint8_t>(x * 7 + y * 13); }
  LaunchOutcome run_timed(unsigned look_ahead) {
    const teslasim::testing::SystemCContext context(teslasim::testing::SystemCContext::Engine::left_to_the_model);
    TimingOptions options;
    options.look_ahead = look_ahead;
    GpuSimulator gpu(load_machine({"gtx280"}, {}).spec, options);
    return gpu.run(launch_, {});
  }
  LaunchOutcome run_untimed() { return run_functional(launch_, {}, {}); }
  std::vector<std::uint32_t> take_results() {
    std::vector<std::uint32_t> words(std::size_t{side} * side);
    std::memcpy(words.data(), memory_.at(out_), words.size() * 4);
    std::memset(memory_.at(out_), 0, words.size() * 4);
    return words;
  }

 private:
  Module module_;
  DeviceMemory memory_;
  Launch launch_;
  Address out_ = 0;
};

/// A quarter to the right, a quarter up: weights 192/64 and 64/192 over 256, exactly.
float expected(unsigned x, unsigned y) {
  const unsigned right = (x + 1) % side;
  const unsigned above = y == 0 ? 0 : y - 1;
  const double sum =
      3 * (3 * Bench::texel(x, y) + Bench::texel(right, y)) + (3 * Bench::texel(x, above) + Bench::texel(right, above));
  return static_cast<float>(sum / 16.0 / 255.0);
}

TEST(TextureModes, both_modes_filter_alike) {
  Bench bench;
  ASSERT_TRUE(bench.run_untimed().errors.empty());
  const auto untimed = bench.take_results();
  const LaunchOutcome timed = bench.run_timed(8);
  ASSERT_TRUE(timed.errors.empty());
  EXPECT_EQ(bench.take_results(), untimed);
  for (unsigned i = 0; i < side * side; ++i) {
    ASSERT_EQ(std::bit_cast<float>(untimed[i]), expected(i % side, i / side)) << i;
  }
}

TEST(TextureModes, traffic_is_counted_and_waits_are_charged_to_the_texture) {
  Bench bench;
  const LaunchStatistics statistics = bench.run_timed(8).statistics;
  // 2 warps per block, 2 half-warps each; every sample reads 2 x 2 texels of one byte.
  EXPECT_EQ(statistics.texture.requests_half_warp, std::uint64_t{side} * 4);
  EXPECT_EQ(statistics.texture.bytes_used, std::uint64_t{side} * side * 4);
  EXPECT_GT(statistics.slots[SlotReason::mem_tex], 0U);
  EXPECT_EQ(statistics.load_requests, statistics.load_responses);
}

TEST(TextureModes, time_does_not_depend_on_the_look_ahead) {
  Bench bench;
  const SpCycle exact = bench.run_timed(0).statistics.shader_cycles;
  EXPECT_EQ(bench.run_timed(1).statistics.shader_cycles, exact);
  EXPECT_EQ(bench.run_timed(8).statistics.shader_cycles, exact);
}

}  // namespace
}  // namespace teslasim
