// SPDX-License-Identifier: Apache-2.0
#include "sim/base/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

std::string code_of(const auto& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.diagnostics().at(0).code;
  }
  return "";
}

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() {
    std::string pattern = (fs::temp_directory_path() / "teslasim-output-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~OutputFileTest() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void put(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(at(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

 private:
  std::string folder_;
};

TEST_F(OutputFileTest, AppearsWhenItIsComplete) {
  OutputFile file(at("a"));
  file.write("one ");
  file.write("two");
  EXPECT_FALSE(fs::exists(at("a")));
  file.finish();
  EXPECT_EQ(text("a"), "one two");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, WhatIsNotFinishedLeavesTheEarlierFile) {
  put("a", "old");
  {
    OutputFile file(at("a"));
    file.write("new");
  }
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, KeepsTheRightsOfTheFileItReplaces) {
  put("a", "old");
  fs::permissions(at("a"), static_cast<fs::perms>(0600));
  write_file(at("a"), "new");
  EXPECT_EQ(fs::status(at("a")).permissions(), static_cast<fs::perms>(0600));
}

TEST_F(OutputFileTest, MayHaveTheLongestName) {
  const std::string name(255, 'x');
  write_file(at(name), "text");
  EXPECT_EQ(text(name), "text");
}

TEST_F(OutputFileTest, IsNoMomentMoreReadableThanTheFileItReplaces) {
  put("a", "old");
  fs::permissions(at("a"), static_cast<fs::perms>(0600));
  OutputFile file(at("a"));
  for (const auto& entry : fs::directory_iterator(fs::path(at("a")).parent_path()))
    EXPECT_EQ(entry.status().permissions(), static_cast<fs::perms>(0600)) << entry.path();
  EXPECT_EQ(files(), 2);
}

TEST_F(OutputFileTest, StaysItsOwners) {
  if (geteuid() != 0) GTEST_SKIP() << "only root writes files of others";
  constexpr uid_t somebody = 12345;
  put("a", "old");
  ASSERT_EQ(chown(at("a").c_str(), somebody, somebody), 0);
  ASSERT_EQ(chmod(at("a").c_str(), 0640), 0);
  write_file(at("a"), "new");
  struct stat info {};
  ASSERT_EQ(stat(at("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, somebody);
  EXPECT_EQ(info.st_mode & 07777U, 0640U);
}

TEST_F(OutputFileTest, ANameThatIsTakenIsNotUsed) {
  const std::string taken = ".a.part" + std::to_string(getpid());
  put(taken, "mine");
  write_file(at("a"), "new");
  EXPECT_EQ(text(taken), "mine");
  EXPECT_EQ(text("a"), "new");
}

TEST_F(OutputFileTest, WritesBehindLinksAndLeavesThem) {
  fs::create_directory(at("folder"));
  fs::create_symlink("folder/target", at("first"));
  fs::create_symlink("first", at("second"));
  write_file(at("second"), "text");
  EXPECT_TRUE(fs::is_symlink(at("second")) && fs::is_symlink(at("first")));
  EXPECT_EQ(text("folder/target"), "text");
}

TEST_F(OutputFileTest, ACircleOfLinksIsAnError) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_EQ(code_of([&] { write_file(at("a"), "text"); }), "FILE-WRITE");
}

TEST_F(OutputFileTest, FoldersAndMissingFoldersAreErrors) {
  fs::create_directory(at("folder"));
  for (const char* place : {"folder", "missing/a", "folder/"}) {
    EXPECT_EQ(code_of([&] { write_file(at(place), "text"); }), "FILE-WRITE") << place;
  }
  EXPECT_EQ(code_of([&] { write_file("", "text"); }), "FILE-WRITE");
}

TEST_F(OutputFileTest, AFullDeviceIsAnErrorAndStays) {
  EXPECT_EQ(code_of([] { write_file("/dev/full", "text"); }), "FILE-WRITE");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, AFileThatGrowsCanBeReadAndMustBeNew) {
  OutputFile file(at("a"), OutputMode::grow);
  file.write("so far");
  EXPECT_EQ(text("a"), "so far");
  EXPECT_EQ(code_of([&] { const OutputFile other(at("a"), OutputMode::grow); }), "OUT-EXISTS");
  EXPECT_EQ(text("a"), "so far");
}

TEST_F(OutputFileTest, WhatACommandReadsIsNotWritten) {
  put("a", "input");
  fs::create_hard_link(at("a"), at("hard"));
  fs::create_symlink("a", at("soft"));
  const CommandFiles files_of_command;
  EXPECT_EQ(read_text_file(at("a")).text, "input");
  for (const char* name : {"a", "hard", "soft"}) {
    EXPECT_EQ(code_of([&] { write_file(at(name), "output"); }), "OUT-IS-INPUT") << name;
    EXPECT_EQ(code_of([&] { claim_output(at(name)); }), "OUT-IS-INPUT") << name;
  }
  EXPECT_EQ(text("a"), "input");
}

TEST_F(OutputFileTest, WhatACommandWillWriteIsNotRead) {
  put("a", "input");
  const CommandFiles files_of_command;
  claim_output(at("a"));
  EXPECT_EQ(code_of([&] { (void)read_text_file(at("a")); }), "OUT-IS-INPUT");
  EXPECT_EQ(code_of([&] { (void)read_text_file(at("a"), largest_text, FileOwner::program); }), "");
}

TEST_F(OutputFileTest, OneFileIsOneOutput) {
  fs::create_symlink("a", at("soft"));
  const CommandFiles files_of_command;
  claim_output(at("a"));
  claim_output(at("b"));
  claim_output("/dev/null");
  claim_output("/dev/null");
  EXPECT_EQ(code_of([&] { claim_output(at("soft")); }), "OUT-TWICE");
  EXPECT_EQ(files(), 1) << "claiming creates nothing";
}

TEST_F(OutputFileTest, WithoutACommandNothingIsNoted) {
  put("a", "input");
  EXPECT_EQ(read_text_file(at("a")).text, "input");
  write_file(at("a"), "output");
  EXPECT_EQ(text("a"), "output");
}

}  // namespace
}  // namespace teslasim
