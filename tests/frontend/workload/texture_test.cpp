// SPDX-License-Identifier: Apache-2.0
// [[texture]] in launch files: what it means and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A kernel that reads texture slots 2 and 5; slot 2 belongs to the reference `image`.
std::shared_ptr<const Module> reading_module() {
  auto module = std::make_shared<Module>();
  module->path = "test.cubin";
  module->textures = {{"image", 2}};
  Kernel& kernel = module->kernels.emplace_back();
  kernel.name = "test";
  for (const unsigned slot : {2U, 5U, 2U}) {
    Instruction& instruction = kernel.code.emplace_back();
    instruction.opcode = Opcode::tex;
    instruction.texture().texture = static_cast<std::uint8_t>(slot);
  }
  return module;
}

std::string with_texture(const std::string& keys) {
  return around("[[texture]]\nname = \"t\"\nslot = 0\n" + keys);
}

TEST(LaunchTexture, an_image_of_a_parameter) {
  const Workload workload = read(R"(schema = "teslasim.launch/1"
grid = [1]
block = [32]
param = [ { name = "in", type = "f32", count = 4096 } ]
[[texture]]
name = "image"
type = "f32"
components = 2
size = [60, 32]
pitch_bytes = 512
buffer = "in"
filter = "linear"
normalized = true
address = ["wrap", "clamp"]
[[texture]]
name = "bytes"
slot = 5
type = "u8"
size = 100
read = "normalized_float"
layout = "tiled"
init = "random"
seed = 3
)",
                                 reading_module());
  ASSERT_EQ(workload.launches.size(), 1U);
  ASSERT_EQ(workload.launches[0].textures.size(), 2U);
  const TextureSpec& image = workload.launches[0].textures[0];
  EXPECT_EQ(image.slot, 2U);
  EXPECT_EQ(image.buffer, 0U);
  EXPECT_EQ(image.dimensions, 2U);
  EXPECT_EQ(image.pitch_bytes, 512U);
  EXPECT_TRUE(image.linear_filter && image.normalised_coordinates && image.wrap[0]);
  EXPECT_FALSE(image.wrap[1] || image.normalised_values || image.own_contents);
  const TextureSpec& bytes = workload.launches[0].textures[1];
  EXPECT_EQ(bytes.slot, 5U);
  EXPECT_TRUE(bytes.normalised_values && bytes.tiled && bytes.own_contents);
  ASSERT_EQ(workload.buffers.size(), 2U);
  EXPECT_EQ(workload.buffers[1].name, "bytes");
  EXPECT_EQ(workload.buffers[1].count, 100U);
  EXPECT_EQ(workload.buffers[1].padding_bytes, 2 * 256U - 100U) << "two tiles of 64 bytes by 4 rows";
}

TEST(LaunchTexture, a_launch_replaces_the_texture_of_a_slot) {
  const Workload workload = read(R"(schema = "teslasim.launch/1"
grid = [1]
block = [32]
[[texture]]
name = "a"
slot = 0
type = "f32"
size = 8
[[launch]]
[[launch]]
[[launch.texture]]
name = "b"
slot = 0
type = "f32"
size = 16
)");
  ASSERT_EQ(workload.launches.size(), 2U);
  EXPECT_EQ(workload.launches[0].textures.at(0).name, "a");
  EXPECT_EQ(workload.launches[1].textures.at(0).name, "b");
  EXPECT_EQ(workload.launches[1].textures.size(), 1U);
}

TEST(LaunchTexture, every_slot_that_is_read_must_be_bound) {
  EXPECT_THAT(errors_of(around(""), reading_module()),
              ElementsAre(HasSubstr("reads texture slot 2 ('image'), to which nothing is bound"),
                          HasSubstr("reads texture slot 5, to which nothing is bound")));
}

TEST(LaunchTexture, what_does_not_go_together) {
  EXPECT_THAT(errors_of(with_texture("type = \"u32\"\nsize = 8\nfilter = \"linear\"")),
              ElementsAre("LAUNCH-TEXTURE 9:10+8 only floats can be filtered"));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\nread = \"normalized_float\"")),
              ElementsAre(HasSubstr("only integers of 8 and 16 bits")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\naddress = \"wrap\"")),
              ElementsAre(HasSubstr("only normalised coordinates can wrap")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\naddress = [\"clamp\", \"clamp\"]")),
              ElementsAre(HasSubstr("'address' has 2 entries, the texture has 1 dimensions")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\ncomponents = 3")),
              ElementsAre(HasSubstr("1, 2 or 4 components")));
  EXPECT_THAT(errors_of(with_texture("type = \"f64\"\nsize = 8")), ElementsAre(HasSubstr("LAUNCH-TYPE 7:8")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = [1, 2, 3, 4]")),
              ElementsAre(HasSubstr("'size' has 4 dimensions")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"")), ElementsAre(HasSubstr("texture 't' has no size")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\npitch_bytes = 64")),
              ElementsAre(HasSubstr("'pitch_bytes' belongs to a 'buffer'")));
}

TEST(LaunchTexture, names_and_kinds) {
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\nfilters = \"linear\"")),
              ElementsAre(HasSubstr("unknown key of [[texture]] 'filters'")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\nnormalized = 1")),
              ElementsAre(HasSubstr("'normalized' must be true or false, not an integer")));
  EXPECT_THAT(errors_of(with_texture("type = \"f32\"\nsize = 8\nbuffer = \"in\"")),
              ElementsAre(HasSubstr("there is no buffer 'in'")));
  EXPECT_THAT(errors_of(around("[[texture]]\nname = \"t\"\ntype = \"f32\"\nsize = 8")),
              ElementsAre(HasSubstr("the code has no texture reference 't'")));
  EXPECT_THAT(errors_of(around("[[texture]]\nslot = 0\ntype = \"f32\"\nsize = 8")),
              ::testing::Contains(HasSubstr("a texture has no name")));
}

TEST(LaunchTexture, an_image_must_fit_its_buffer) {
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [1]\nblock = [32]\n"
                        "param = [ { name = \"in\", type = \"f32\", count = 15 } ]\n"
                        "[[texture]]\nname = \"t\"\nslot = 0\ntype = \"f32\"\nsize = [4, 4]\nbuffer = \"in\"\n"),
              ElementsAre("LAUNCH-TEXTURE 9:8+6 the image takes 64 bytes, buffer 'in' has 60"));
}

}  // namespace
}  // namespace teslasim
