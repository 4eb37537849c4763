// SPDX-License-Identifier: Apache-2.0
// From what the user names on the command line to a workload: which files are looked for, and what is said when not
// found.
#include "frontend/workload/read/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kernel = ".entry copy\n{\n  .param ptr in\n  .param u32 n\n    return\n}\n";
constexpr std::string_view launch =
    "schema = \"teslasim.launch/1\"\ngrid = [2]\nblock = [32]\n"
    "param = [ { name = \"in\", type = \"f32\", count = 8 }, { name = \"n\", type = \"u32\", value = 8 } ]\n";

class Load : public ::testing::Test {
 protected:
  static std::pair<ExitCode, Diagnostic> error(const WorkloadRequest& request) {
    try {
      (void)load_workload(request);
    } catch (const InputError& input_error) {
      return {input_error.exit_code(), input_error.diagnostics().at(0)};
    }
    ADD_FAILURE() << "no error";
    return {ExitCode::done, {}};
  }
  TemporaryFolder folder_;
};

TEST_F(Load, the_launch_file_beside_the_code) {
  const std::string code = folder_.write("copy.asm", kernel);
  const std::string file = folder_.write("copy.launch.toml", launch);
  const Workload workload = load_workload({code, "", {}});
  EXPECT_EQ(workload.name, "copy");
  EXPECT_THAT(workload.files, ElementsAre(code, file));
  EXPECT_EQ(workload.launches.at(0).kernel_code().name, "copy");
}

TEST_F(Load, a_folder_is_no_code) {
  const std::string file = folder_.write("copy.launch.toml", launch);
  const auto [exit_code, diagnostic] = error({std::filesystem::path(file).parent_path().string(), "", {}});
  EXPECT_EQ(exit_code, ExitCode::input);
  EXPECT_EQ(diagnostic.code, "INPUT-FILE");
  EXPECT_THAT(diagnostic.message, HasSubstr("it is a directory"));
}

TEST_F(Load, the_code_beside_the_launch_file) {
  const std::string code = folder_.write("copy.asm", kernel);
  const std::string file = folder_.write("copy.launch.toml", launch);
  const Workload workload = load_workload({file, "", {}});
  EXPECT_EQ(workload.name, "copy");
  EXPECT_THAT(workload.files, ElementsAre(code, file));
}

TEST_F(Load, the_code_that_the_launch_file_names) {
  const std::string code = folder_.write("copy.asm", kernel);
  const std::string file = folder_.write("large.launch.toml", "code = \"copy.asm\"\n" + std::string(launch));
  EXPECT_THAT(load_workload({file, "", {}}).files, ElementsAre(code, file));
}

TEST_F(Load, the_code_on_the_command_line_replaces_that_of_the_launch_file) {
  const std::string code = folder_.write("copy.asm", kernel);
  const std::string file = folder_.write("other.launch.toml", "code = \"absent.cubin\"\n" + std::string(launch));
  const Workload workload = load_workload({code, file, {}});
  EXPECT_THAT(workload.files, ElementsAre(code, file));
  EXPECT_EQ(workload.name, "copy");
}

TEST_F(Load, no_launch_file_beside_the_code) {
  const auto [exit_code, diagnostic] = error({folder_.write("copy.asm", kernel), "", {}});
  EXPECT_EQ(exit_code, ExitCode::configuration);
  EXPECT_EQ(diagnostic.code, "LAUNCH-FILE");
  EXPECT_THAT(diagnostic.message, HasSubstr("copy.launch.toml"));
  EXPECT_THAT(diagnostic.help, HasSubstr("--launch"));
}

TEST_F(Load, no_code_beside_the_launch_file) {
  const auto [exit_code, diagnostic] = error({folder_.write("copy.launch.toml", launch), "", {}});
  EXPECT_EQ(exit_code, ExitCode::configuration);
  EXPECT_EQ(diagnostic.code, "LAUNCH-FILE");
  EXPECT_THAT(diagnostic.notes.at(0), HasSubstr("copy.asm"));
}

TEST_F(Load, a_code_file_that_the_launch_file_names_in_vain) {
  const auto [exit_code, diagnostic] = error({folder_.write("x.launch.toml", std::string(launch) + "\n"), "", {}});
  EXPECT_EQ(exit_code, ExitCode::configuration);
  const auto [exit_code_2, named] =
      error({folder_.write("y.launch.toml", "code = \"absent.asm\"\n" + std::string(launch)), "", {}});
  EXPECT_EQ(exit_code_2, ExitCode::configuration);
  EXPECT_EQ(named.code, "LAUNCH-FILE");
  EXPECT_EQ(named.where.line, 1U);
  EXPECT_EQ(named.where.column, 8U);
}

TEST_F(Load, a_launch_file_that_does_not_exist) {
  const auto [exit_code, diagnostic] = error({folder_.path("absent.launch.toml"), "", {}});
  EXPECT_EQ(exit_code, ExitCode::configuration);
  EXPECT_EQ(diagnostic.code, "LAUNCH-FILE");
}

TEST_F(Load, code_that_does_not_exist_keeps_the_exit_code_of_its_reader) {
  EXPECT_EQ(error({folder_.path("absent.asm"), "", {}}).first, ExitCode::input);
}

TEST_F(Load, code_with_mistakes_keeps_the_exit_code_of_its_reader) {
  const std::string code = folder_.write("copy.asm", ".entry copy\n{\n  movv $r1, $r2\n}\n");
  folder_.write("copy.launch.toml", launch);
  EXPECT_EQ(error({code, "", {}}).first, ExitCode::input);
}

TEST_F(Load, mistakes_of_the_launch_are_told_before_those_of_the_code) {
  const std::string code = folder_.write("copy.asm", ".entry copy\n{\n  movv $r1, $r2\n}\n");
  folder_.write("copy.launch.toml", "gird = [1]\n" + std::string(launch));
  const auto [exit_code, diagnostic] = error({code, "", {}});
  EXPECT_EQ(exit_code, ExitCode::configuration);
  EXPECT_EQ(diagnostic.code, "LAUNCH-UNKNOWN");
}

TEST_F(Load, a_launch_by_options) {
  const std::string code = folder_.write("copy.asm", kernel);
  InlineLaunch options;
  options.grid = "4";
  options.block = "64";
  options.parameters = {"in=f32[8]:iota", "n=8"};
  const Workload workload = load_workload({code, "", options});
  EXPECT_EQ(workload.launches.at(0).grid[0], 4U);
  EXPECT_TRUE(workload.warnings.empty());
  EXPECT_EQ(workload.files, std::vector<std::string>{code});
}

TEST_F(Load, none_is_no_launch_file) {
  const std::string code = folder_.write("copy.asm", kernel);
  folder_.write("copy.launch.toml", "not TOML");
  InlineLaunch options;
  options.grid = "4";
  options.block = "64";
  options.parameters = {"in=f32[8]:iota", "n=8"};
  EXPECT_EQ(load_workload({code, "none", options}).launches.at(0).grid[0], 4U);
  EXPECT_EQ(error({code, "none", {}}).second.code, "LAUNCH-FILE");
  EXPECT_EQ(error({code, "", options}).first, ExitCode::configuration);
}

TEST_F(Load, options_change_a_launch_file_however_it_was_named) {
  const std::string code = folder_.write("copy.asm", kernel);
  const std::string file = folder_.write("copy.launch.toml", launch);
  InlineLaunch options;
  options.grid = "4";
  options.parameters = {"n=5"};
  for (const WorkloadRequest& request :
       {WorkloadRequest{code, "", options}, WorkloadRequest{code, file, options}, WorkloadRequest{file, "", options}}) {
    const Workload workload = load_workload(request);
    EXPECT_EQ(workload.launches.at(0).grid[0], 4U);
    EXPECT_EQ(workload.launches.at(0).block[0], 32U);
    EXPECT_EQ(workload.launches.at(0).parameters.at(1).bits, 5U);
    EXPECT_EQ(workload.buffers.at(0).count, 8U);
    EXPECT_EQ(workload.files, (std::vector<std::string>{code, file}));
  }
  EXPECT_EQ(error({file, file, {}}).first, ExitCode::usage);
}

TEST_F(Load, the_kernel_option_chooses_where_the_launch_file_does_not) {
  const std::string code = folder_.write("two.asm", ".entry one\n{\n  return\n}\n.entry two\n{\n  return\n}\n");
  folder_.write("two.launch.toml", "schema = \"teslasim.launch/1\"\ngrid = [1]\nblock = [1]\n");
  InlineLaunch options;
  EXPECT_EQ(error({code, "", options}).second.code, "LAUNCH-KERNEL");
  options.kernel = "two";
  EXPECT_EQ(load_workload({code, "", options}).launches.at(0).kernel, "two");
}

}  // namespace
}  // namespace teslasim
