// SPDX-License-Identifier: Apache-2.0
// Options in the place of values of a launch file: what changes, in which launches, and what is refused.
#include "frontend/workload/read/override.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/workload/read/load.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view code =
    ".entry one\n{\n  .param ptr in\n  .param u32 n\n  return\n}\n"
    ".entry two\n{\n  .param ptr in\n  .param u32 n\n  return\n}\n"
    ".entry three\n{\n  .param ptr in\n  return\n}\n";
constexpr std::string_view head = "schema = \"teslasim.launch/1\"\n";
constexpr std::string_view parameters =
    "param = [ { name = \"in\", type = \"f32\", count = 8 }, { name = \"n\", type = \"u32\", value = 8 } ]\n";

class Override : public ::testing::Test {
 protected:
  Override() : code_(folder_.write("k.asm", code)) {}

  void write_launch(const std::string& text) { folder_.write("k.launch.toml", std::string(head) + text); }
  Workload load() { return load_workload({code_, "", options_}); }
  /// The first error as "code place message".
  std::string error() {
    try {
      (void)load();
    } catch (const InputError& input_error) {
      exit_code_ = input_error.exit_code();
      text_ = render(input_error.diagnostics());
      const Diagnostic& first = input_error.diagnostics().at(0);
      const bool at_option = first.where.file == "command line";
      return first.code + (at_option ? " at the option: " : " in the file: ") + first.message;
    }
    return "no error";
  }
  std::vector<std::uint32_t> grids() {
    std::vector<std::uint32_t> all;
    for (const LaunchSpec& launch : load().launches) all.push_back(launch.grid[0]);
    return all;
  }
  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> all;
    for (const LaunchSpec& launch : load().launches) all.push_back(launch.parameters.at(1).bits);
    return all;
  }

  TemporaryFolder folder_;
  std::string code_;
  InlineLaunch options_;
  ExitCode exit_code_ = ExitCode::done;
  std::string text_;
};

const std::string one_launch = "kernel = \"one\"\ngrid = [2]\nblock = [32]\n" + std::string(parameters);
const std::string two_kernels = "grid = [2]\nblock = [32]\n" + std::string(parameters) +
                                "[[launch]]\nkernel = \"one\"\n[[launch]]\nkernel = \"two\"\ngrid = [3]\n";

TEST_F(Override, extents_and_dynamic_shared_memory) {
  write_launch(one_launch);
  options_.grid = "8,2";
  options_.block = "64";
  options_.dynamic_shared_bytes = "128";
  const Workload workload = load();
  EXPECT_THAT(workload.launches.at(0).grid, ElementsAre(8, 2, 1));
  EXPECT_THAT(workload.launches.at(0).block, ElementsAre(64, 1, 1));
  EXPECT_EQ(workload.launches.at(0).dynamic_shared_bytes, 128U);
}

TEST_F(Override, one_number_keeps_the_other_parameters_and_its_type) {
  write_launch(one_launch);
  options_.parameters = {"n=-1"};
  EXPECT_EQ(error(), "LAUNCH-RANGE at the option: 'value' must be between 0 and 4294967295 for u32, got -1");
  EXPECT_EQ(exit_code_, ExitCode::usage);
  options_.parameters = {"n=512"};
  EXPECT_THAT(numbers(), ElementsAre(512));
  options_.parameters = {"n=s32:-1"};
  EXPECT_THAT(numbers(), ElementsAre(0xffffffffU));
}

TEST_F(Override, a_buffer_is_replaced_with_its_contents) {
  write_launch(one_launch);
  options_.parameters = {"in=u32[16]:iota"};
  const Workload workload = load();
  EXPECT_EQ(workload.buffers.at(0).count, 16U);
  EXPECT_EQ(workload.buffers.at(0).type, ValueType::u32);
  EXPECT_EQ(workload.buffers.at(0).initialiser, BufferSpec::Initialiser::iota);
}

TEST_F(Override, every_launch_of_one_kernel_changes) {
  write_launch("kernel = \"one\"\nblock = [32]\n" + std::string(parameters) +
               "[[launch]]\ngrid = [1]\n[[launch]]\ngrid = [2]\n");
  options_.grid = "7";
  options_.parameters = {"n=9"};
  EXPECT_THAT(grids(), ElementsAre(7, 7));
  EXPECT_THAT(numbers(), ElementsAre(9, 9));
}

TEST_F(Override, several_kernels_need_a_name) {
  write_launch(two_kernels);
  options_.grid = "7";
  EXPECT_EQ(
      error(),
      "LAUNCH-OVERRIDE at the option: the launch file launches several kernels: say whose launches the options change");
  EXPECT_THAT(text_, HasSubstr("add --kernel NAME; the kernels are: one, two"));
  options_.kernel = "two";
  options_.parameters = {"n=9"};
  EXPECT_THAT(grids(), ElementsAre(2, 7));
  EXPECT_THAT(numbers(), ElementsAre(8, 9));
  EXPECT_EQ(load().buffers.size(), 1U);
  options_.kernel = "tow";
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: no launch of the file runs kernel 'tow'");
  EXPECT_THAT(text_, HasSubstr("did you mean 'two'?"));
}

TEST_F(Override, a_kernel_alone_chooses_the_launches_that_run) {
  write_launch(two_kernels);
  options_.kernel = "two";
  EXPECT_THAT(grids(), ElementsAre(3));
  EXPECT_EQ(load().buffers.size(), 1U);
  options_.parameters = {"in=f32[32]:zero"};
  EXPECT_THAT(grids(), ElementsAre(3));
  options_.kernel = "tow";
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: no launch of the file runs kernel 'tow'");
  write_launch(one_launch);
  options_.kernel = "two";
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: no launch of the file runs kernel 'two'");
}

TEST_F(Override, checks_of_buffers_that_only_other_kernels_have_are_left_out) {
  write_launch(R"(grid = [2]
block = [32]
[[launch]]
kernel = "one"
param = [ { name = "in", buffer = "first", type = "f32", count = 8 }, { name = "n", type = "u32", value = 8 } ]
[[launch]]
kernel = "two"
param = [ { name = "in", buffer = "second", type = "f32", count = 8 }, { name = "n" } ]
[expect.first]
builtin = "block_sum"
of = "first"
[expect.second]
builtin = "block_sum"
of = "second"
)");
  EXPECT_EQ(load().expectations.size(), 2U);
  options_.kernel = "two";
  const Workload workload = load();
  ASSERT_EQ(workload.expectations.size(), 1U);
  EXPECT_EQ(workload.expectations[0].buffer, "second");
  options_.checks = {"first=block_sum:of=second"};
  EXPECT_EQ(load().expectations.size(), 2U);
}

TEST_F(Override, checks_with_numbers_that_only_other_kernels_have_are_left_out_or_refused) {
  write_launch(R"(grid = [2]
block = [32]
[[launch]]
kernel = "one"
param = [ { name = "in", type = "f32", count = 8 }, { name = "n", type = "u32", value = 8 } ]
[[launch]]
kernel = "three"
param = [ { name = "in" } ]
[expect.in]
builtin = "transpose"
of = "in"
width = "n"
height = 1
)");
  options_.kernel = "one";
  EXPECT_EQ(load().expectations.size(), 1U);
  options_.kernel = "three";
  EXPECT_EQ(load().expectations.size(), 0U);
  options_.checks = {"in=transpose:of=in:width=n:height=1"};
  EXPECT_THAT(error(), StartsWith("LAUNCH-UNKNOWN at the option: "));
}

TEST_F(Override, a_kernel_has_the_name_of_linkers_too) {
  write_launch("kernel = \"one\"\ngrid = [2]\nblock = [32]\n" + std::string(parameters));
  options_.kernel = "_Z3onePfj";
  EXPECT_THAT(grids(), ElementsAre(2));
  options_.kernel = "_Z3twoPfj";
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: no launch of the file runs kernel '_Z3twoPfj'");
}

TEST_F(Override, a_buffer_is_the_same_for_all_kernels) {
  write_launch(two_kernels);
  options_.parameters = {"in=f32[32]:zero"};
  EXPECT_EQ(load().buffers.at(0).count, 32U);
}

TEST_F(Override, what_the_file_does_not_declare_is_refused) {
  write_launch(one_launch);
  options_.parameters = {"m=1"};
  EXPECT_EQ(error(),
            "LAUNCH-OVERRIDE at the option: the launch file declares no parameter 'm' that --param could change");
  options_.parameters = {"in=1"};
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: 'in' is a buffer in the launch file");
  options_.parameters = {"n=f32[8]"};
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: 'n' is a number in the launch file");
  options_.parameters = {"n=1", "n=2"};
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: parameter 'n' is given twice");
  options_.parameters = {"n=1:2:3"};
  EXPECT_EQ(exit_code_, ExitCode::usage);
}

/// Eight zeros as f32.
std::string eight_zeros() {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }";
  std::string npy = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + header;
  npy.resize(128, ' ');
  npy.back() = '\n';
  return npy + std::string(32, '\0');
}

TEST_F(Override, a_check_that_no_longer_fits_is_told_with_the_options) {
  write_launch(one_launch + "[expect.in]\nfile = \"in.npy\"\n");
  folder_.write("in.npy", eight_zeros());
  EXPECT_EQ(load().expectations.size(), 1U);
  options_.parameters = {"in=f32[16]:zero"};
  EXPECT_THAT(error(), HasSubstr("has 8 elements, buffer 'in' has 16"));
  EXPECT_EQ(exit_code_, ExitCode::configuration);
  EXPECT_THAT(text_, HasSubstr("k.launch.toml' with --param in=f32[16]:zero (--launch none: without the launch file)"));
}

TEST_F(Override, checks_and_tolerances) {
  write_launch(one_launch + "[expect.in]\nfile = \"missing.npy\"\ntol_abs = 0.5\n");
  const std::string file = folder_.write("in.npy", eight_zeros());
  EXPECT_THAT(error(), HasSubstr("missing.npy"));
  options_.checks = {"in=" + file};
  options_.tolerance = "0.25";
  const Workload workload = load();
  EXPECT_EQ(workload.expectations.at(0).file, file);
  EXPECT_EQ(workload.expectations.at(0).tolerance_absolute, 0.25);
  EXPECT_EQ(workload.expectations.at(0).tolerance_relative, 0.25);
  write_launch(one_launch);
  options_.checks.clear();
  EXPECT_EQ(error(), "LAUNCH-OVERRIDE at the option: there is no check that --tol could apply to");
}

}  // namespace
}  // namespace teslasim
