// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/expectation_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

class ExpectationFile : public ::testing::Test {
 protected:
  ~ExpectationFile() override { std::filesystem::remove(path_); }

  std::vector<std::string> read(const std::string& text) {
    std::ofstream(path_) << text;
    return with_expectation_files({"outputs_ok", "@" + path_, "cycles > 1"});
  }

  InputError refusal(const std::string& text) {
    try {
      (void)read(text);
    } catch (const InputError& error) {
      return error;
    }
    return {ExitCode::done, Diagnostic{}};
  }

  const std::string path_ =
      ::testing::TempDir() + "expect-" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ExpectationFile, conditions_stand_where_the_file_was_named) {
  EXPECT_THAT(read("# a gate\n\n  time_ms < 1\t# fast\r\nshared.replays == 0"),
              ::testing::ElementsAre("outputs_ok", "time_ms < 1", "shared.replays == 0", "cycles > 1"));
}

TEST_F(ExpectationFile, mistakes_are_told_at_once_with_their_places) {
  const InputError error = refusal("outputs_ok\n  time_m < 1\ncycles <\n");
  EXPECT_EQ(error.exit_code(), ExitCode::usage);
  ASSERT_EQ(error.diagnostics().size(), 2U);
  const std::string told = render(error.diagnostics());
  EXPECT_NE(told.find(path_ + ":2:3\n   |\n  2|   time_m < 1\n   |   ^^^^^^\n"), std::string::npos) << told;
  EXPECT_NE(told.find("did you mean 'time_ms'?"), std::string::npos) << told;
  EXPECT_NE(told.find(path_ + ":3:9"), std::string::npos) << told;
}

TEST_F(ExpectationFile, a_file_without_a_condition_is_no_gate) {
  const InputError error = refusal("# nothing yet\n");
  EXPECT_EQ(error.exit_code(), ExitCode::input);
  EXPECT_EQ(error.diagnostics().front().code, "EXPECT-FILE");
}

TEST_F(ExpectationFile, a_file_that_is_not_there) {
  EXPECT_THROW((void)with_expectation_files({"@" + path_ + ".missing"}), InputError);
  EXPECT_THROW((void)with_expectation_files({"@"}), InputError);
}

}  // namespace
}  // namespace teslasim
