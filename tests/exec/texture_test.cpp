// SPDX-License-Identifier: Apache-2.0
// Texture instructions: which registers they read and write, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "tests/exec/program.h"

namespace teslasim {
namespace {

using exec_test::Program;
using ::testing::HasSubstr;

/// An image of `width` x `height` texels of four u32 components: 1000 y + 10 x + component.
Texture grid_texture(Program& program, unsigned width, unsigned height) {
  Texture texture;
  texture.name = "grid";
  texture.image.format = {TexelFormat::Kind::unsigned_integer, 32, 4};
  texture.image.dimensions = 2;
  texture.image.size = {width, height, 1};
  texture.image.pitch_bytes = width * 16;
  texture.image.address = program.memory.allocate("grid", "u32", texture.image.bytes());
  for (unsigned y = 0; y < height; ++y) {
    for (unsigned x = 0; x < width; ++x) {
      for (unsigned component = 0; component < 4; ++component) {
        const std::uint32_t value = 1000 * y + 10 * x + component;
        const auto at = texture.image.address + static_cast<Address>(texture.image.offset(x, y, 0)) + 4 * component;
        std::memcpy(program.memory.at(at), &value, 4);
      }
    }
  }
  return texture;
}

constexpr const char* fetch_body = R"(
mov.b32 $r8, $r1
and.b32 $r8, $r8, 0x7
shr.u32 $r9, $r1, 0x3
tex.2d.b32.s32 {$r8,_,$r9,_}, $tex3, {$r8,$r9}
add.u32 $r8, $r8, $r9
mov.u32 g[$r2], $r8
return
)";

TEST(TextureInstruction, wanted_components_go_to_consecutive_registers) {
  Program program(fetch_body);
  program.launch.textures.resize(4);
  program.launch.textures[3] = grid_texture(program, 8, 4);
  const auto out = program.run();
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned base = 1000 * (i / 8) + 10 * (i % 8);
    EXPECT_EQ(out[i], base + base + 2) << i;
  }
}

TEST(TextureInstruction, guarded_lanes_keep_their_registers) {
  Program program(R"(
mov.b32 $r8, $r1
mov.b32 $r9, 0x4
set.lt.u32 $p0|$o127, $r1, $r9
mov.b32 $r9, 0x0
@$p0.ne tex.2d.b32.s32 {$r8,_,_,_}, $tex0, {$r8,$r9}
mov.u32 g[$r2], $r8
return
)");
  program.launch.textures = {grid_texture(program, 8, 1)};
  const auto out = program.run();
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 4 ? 10 * i : i);
}

TEST(TextureInstruction, the_record_for_timing_names_texels_and_lanes) {
  Program program(fetch_body);
  program.launch.textures.resize(4);
  program.launch.textures[3] = grid_texture(program, 8, 4);
  unsigned reads = 0;
  program.observer = [&](const WarpInst& record) {
    if (record.memory == nullptr || record.memory->space != MemoryAccess::Space::texture) return;
    ++reads;
    EXPECT_EQ(record.memory->lanes, all_lanes);
    EXPECT_EQ(record.memory->bytes, 16);
    EXPECT_EQ(record.memory->address[9], program.launch.textures[3].image.address + 8 * 16 + 16);
  };
  program.run();
  EXPECT_EQ(reads, 1U);
}

TEST(TextureInstruction, sampling_uses_the_sampler_of_its_own_slot) {
  Program program(R"(
mov.b32 $r8, 1.0f
tex.1d.b32.f32 {$r8,_,_,_}, $tex0, $smp1, {$r8}
mov.u32 g[$r2], $r8
return
)");
  Texture texture;
  texture.name = "pair";
  texture.image.format = {TexelFormat::Kind::real, 32, 1};
  texture.image.dimensions = 1;
  texture.image.size = {2, 1, 1};
  texture.image.address = program.memory.allocate("pair", "f32", 8);
  const std::array<float, 2> values{1.0F, 3.0F};
  std::memcpy(program.memory.at(texture.image.address), values.data(), sizeof values);
  program.launch.textures = {texture, texture};
  program.launch.textures[1].sampler.linear_filter = true;
  EXPECT_EQ(std::bit_cast<float>(program.run()[0]), 2.0F);
}

TEST(TextureInstruction, an_empty_slot_is_a_kernel_error) {
  Program program(fetch_body);
  const Diagnostic error = program.fault();
  EXPECT_EQ(error.code, "KERNEL-TEXTURE");
  EXPECT_NE(error.help.find("cudaBindTextureToArray"), std::string::npos) << "CUDA programs have no launch file";
  EXPECT_THAT(error.message, HasSubstr("slot 3"));
  EXPECT_THAT(error.help, HasSubstr("[[texture]]"));
}

TEST(TextureInstruction, cube_maps_and_size_queries_are_refused) {
  Program cube("tex.cube.b32.f32 {$r4,_,_,_}, $tex0, {$r4,$r5,$r6}\nreturn\n");
  EXPECT_EQ(cube.fault().code, "KERNEL-UNSUPPORTED");
}

}  // namespace
}  // namespace teslasim
