// SPDX-License-Identifier: Apache-2.0
// What a correct launch file means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/workload/device/launch_image.h"
#include "frontend/workload/device/npy.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Initialiser = BufferSpec::Initialiser;

constexpr std::string_view complete = R"(schema = "teslasim.launch/1"
kernel = "scale"
grid   = [64, 2]
block  = [16, 8]
dynamic_shared_bytes = 512
param  = [
  { name = "in",     type = "f32", count = 1024, init = "random", seed = 7, range = [-1.0, 1.0] },
  { name = "out",    type = "f32", count = 1024 },
  { name = "n",      type = "u32", value = 1024 },
  { name = "factor", type = "f32", value = 2.5 },
]
[expect.out]
builtin = "block_sum"
of      = "in"
tol_rel = 1e-4
)";

TEST(Launch, a_complete_file) {
  const Workload workload = read(complete, scale_module());
  EXPECT_EQ(workload.name, "test");
  ASSERT_EQ(workload.launches.size(), 1U);
  const LaunchSpec& launch = workload.launches[0];
  EXPECT_EQ(launch.kernel, "scale");
  EXPECT_THAT(launch.grid, ElementsAre(64, 2, 1));
  EXPECT_THAT(launch.block, ElementsAre(16, 8, 1));
  EXPECT_EQ(launch.blocks(), 128U);
  EXPECT_EQ(launch.threads_per_block(), 128U);
  EXPECT_EQ(launch.dynamic_shared_bytes, 512U);
  ASSERT_EQ(workload.buffers.size(), 2U);
  const BufferSpec& in = workload.buffers[0];
  EXPECT_EQ(in.initialiser, Initialiser::random);
  EXPECT_EQ(in.count, 1024U);
  EXPECT_EQ(in.seed, 7U);
  EXPECT_EQ(in.low, -1.0);
  EXPECT_EQ(in.high, 1.0);
  EXPECT_EQ(in.where.line, 7U);
  EXPECT_EQ(workload.buffers[1].initialiser, Initialiser::zero);
  ASSERT_EQ(launch.parameters.size(), 4U);
  EXPECT_EQ(launch.parameters[0].buffer, 0U);
  EXPECT_EQ(launch.parameters[1].buffer, 1U);
  EXPECT_EQ(launch.parameters[2].bits, 1024U);
  EXPECT_EQ(launch.parameters[3].bits, 0x40200000U);
  ASSERT_EQ(workload.expectations.size(), 1U);
  EXPECT_EQ(workload.expectations[0].buffer, "out");
  EXPECT_EQ(workload.expectations[0].tolerance_relative, 1e-4);
}

TEST(Launch, parameters_are_laid_out_with_natural_alignment) {
  const Workload workload = read(
      with_parameter("{ name = \"a\", type = \"u8\", value = 0x11 }, { name = \"b\", type = \"u16\", value = 0x2233 },"
                     "{ name = \"c\", type = \"f32\", count = 4 }, { name = \"d\", type = \"u8\", value = 0x44 },"
                     "{ name = \"e\", type = \"u64\", value = 0x1122334455667788 },"
                     "{ name = \"f\", type = \"u32\", count = 2, pointer_bits = 64 }"));
  const LaunchSpec& launch = workload.launches[0];
  EXPECT_EQ(launch.parameter_bytes(), 32U);
  EXPECT_THAT(parameter_block(launch, {0x01020304, 0x0a0b0c0d}),
              ElementsAre(0x11, 0, 0x33, 0x22, 4, 3, 2, 1, 0x44, 0, 0, 0, 0, 0, 0, 0,  //
                          0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xd, 0xc, 0xb, 0xa, 0, 0, 0, 0));
}

TEST(Launch, scalars_of_every_type) {
  const auto bits = [](const std::string& type, const std::string& value) {
    return read(with_parameter("{ name = \"x\", type = \"" + type + "\", value = " + value + " }"))
        .launches[0]
        .parameters[0]
        .bits;
  };
  EXPECT_EQ(bits("s8", "-1"), 0xffU);
  EXPECT_EQ(bits("s16", "-2"), 0xfffeU);
  EXPECT_EQ(bits("s32", "-2147483648"), 0x80000000U);
  EXPECT_EQ(bits("b32", "-1"), 0xffffffffU);
  EXPECT_EQ(bits("b32", "0xffff_ffff"), 0xffffffffU);
  EXPECT_EQ(bits("u64", "9007199254740993"), 9007199254740993U);  // not a double
  EXPECT_EQ(bits("s64", "-1"), ~std::uint64_t{0});
  EXPECT_EQ(bits("f32", "1"), 0x3f800000U);
  EXPECT_EQ(bits("f32", "-inf"), 0xff800000U);
  EXPECT_EQ(bits("f64", "1.0"), 0x3ff0000000000000U);
}

TEST(Launch, integers_without_a_range_span_their_type) {
  const auto buffer = [](const std::string& type) {
    return read(with_parameter("{ name = \"x\", type = \"" + type + "\", count = 1, init = \"random\" }")).buffers[0];
  };
  EXPECT_EQ(buffer("u8").high, 256.0);
  EXPECT_EQ(buffer("s16").low, -32768.0);
  EXPECT_EQ(buffer("b32").low, 0.0);
  EXPECT_EQ(buffer("u64").high, 18446744073709551616.0);
  EXPECT_EQ(buffer("f32").high, 1.0);
}

TEST(Launch, a_single_number_is_an_extent) {
  const Workload workload = read("schema = \"teslasim.launch/1\"\ngrid = 4\nblock = 32");
  EXPECT_THAT(workload.launches[0].grid, ElementsAre(4, 1, 1));
}

TEST(Launch, the_initialiser_follows_from_file_and_value) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.npy", npy_bytes(ValueType::f32, bytes_from<float>({1, 2, 3})));
  const Workload workload = read(with_parameter("{ name = \"a\", type = \"f32\", file = \"" + file +
                                                "\" }, "
                                                "{ name = \"b\", type = \"f32\", count = 2, value = 3.5 }"));
  EXPECT_EQ(workload.buffers[0].initialiser, Initialiser::file);
  EXPECT_EQ(workload.buffers[0].count, 3U);
  EXPECT_EQ(workload.buffers[1].initialiser, Initialiser::constant);
  EXPECT_EQ(workload.buffers[1].value, 3.5);
  EXPECT_THAT(workload.files, ElementsAre(file));
}

TEST(Launch, several_launches_share_buffers_and_numbers) {
  const Workload workload = read(R"(schema = "teslasim.launch/1"
block = [32]
[[launch]]
kernel = "first"
grid = [2]
param = [ { name = "in", type = "f32", count = 4 }, { name = "out", type = "f32", count = 4 },
          { name = "n", type = "u32", value = 9 } ]
[[launch]]
kernel = "second"
grid = [1]
block = [64]
param = [ { name = "in", buffer = "out" }, { name = "out", buffer = "result", type = "f32", count = 2 },
          { name = "n" } ]
)",
                                 module_with({"first", "second"}));
  ASSERT_EQ(workload.launches.size(), 2U);
  ASSERT_EQ(workload.buffers.size(), 3U);
  EXPECT_EQ(workload.buffers[2].name, "result");
  EXPECT_THAT(workload.launches[0].block, ElementsAre(32, 1, 1));
  EXPECT_THAT(workload.launches[1].block, ElementsAre(64, 1, 1));
  EXPECT_EQ(workload.launches[1].parameters[0].name, "in");
  EXPECT_EQ(workload.launches[1].parameters[0].buffer, 1U);
  EXPECT_EQ(workload.launches[1].parameters[1].buffer, 2U);
  EXPECT_EQ(workload.launches[1].parameters[2].bits, 9U);
}

TEST(Launch, parameters_of_the_top_level_serve_all_launches) {
  const Workload workload =
      read(with_parameter("{ name = \"a\", type = \"f32\", count = 4 }") + "[[launch]]\n[[launch]]\ngrid = [3]");
  ASSERT_EQ(workload.launches.size(), 2U);
  EXPECT_EQ(workload.buffers.size(), 1U);
  EXPECT_EQ(workload.launches[0].parameters[0].buffer, 0U);
  EXPECT_EQ(workload.launches[1].parameters[0].buffer, 0U);
  EXPECT_THAT(workload.launches[1].grid, ElementsAre(3, 1, 1));
}

TEST(Launch, constants_come_after_those_of_the_module_and_the_kernel) {
  auto module = std::make_shared<Module>(*any_module());
  module->constants = {{0, 0, {1, 2, 3, 4}}};
  module->kernels[0].constants = {{1, 4, {5, 6}}};
  const Workload workload = read(around("[[constant]]\ntype = \"u8\"\nvalues = [9]\noffset = 1\n"
                                        "[[constant]]\nbank = 3\ntype = \"u16\"\nvalues = [0x1234]"),
                                 module);
  const auto banks = constant_banks(workload.launches[0]);
  EXPECT_THAT(banks[0], ElementsAre(1, 9, 3, 4));
  EXPECT_THAT(banks[1], ElementsAre(0, 0, 0, 0, 5, 6));
  EXPECT_THAT(banks[3], ElementsAre(0x34, 0x12));
  EXPECT_THAT(banks[2], IsEmpty());
}

TEST(Launch, arguments_of_references_may_be_numbers_or_left_out) {
  const Workload workload = read(
      with_parameter("{ name = \"of\", type = \"f32\", count = 6 }, { name = \"out\", type = \"f32\", count = 6 }") +
      "[expect.out]\nbuiltin = \"transpose\"\nwidth = 3\nheight = 2");
  EXPECT_THAT(workload.expectations[0].arguments,
              ::testing::UnorderedElementsAre(::testing::Pair("width", "3"), ::testing::Pair("height", "2")));
}

TEST(Launch, a_kernel_of_another_name_is_an_internal_error) {
  LaunchSpec launch;
  launch.module = any_module();
  launch.kernel = "other";
  EXPECT_THROW((void)launch.kernel_code(), InternalError);
}

}  // namespace
}  // namespace teslasim
