// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

class RunDirectories : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "teslasim-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  [[nodiscard]] std::string path(const std::string& name) const { return root_ + "/" + name; }
  [[nodiscard]] static std::string read(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  std::string root_;
};

TEST_F(RunDirectories, count_up_from_one) {
  EXPECT_EQ(RunDirectory::create_numbered(path("runs"), "a", "tiny").path(), path("runs/001-a-tiny"));
  EXPECT_EQ(RunDirectory::create_numbered(path("runs"), "b", "gtx280").path(), path("runs/002-b-gtx280"));
}

TEST_F(RunDirectories, numbers_are_never_used_twice) {
  fs::create_directories(path("runs/041-x-y"));
  EXPECT_EQ(RunDirectory::create_numbered(path("runs"), "a", "tiny").number(), 42U);
  fs::remove(path("runs/041-x-y"));
  EXPECT_EQ(RunDirectory::create_numbered(path("runs"), "a", "tiny").number(), 43U);
  fs::create_directories(path("runs/1234-x-y"));
  EXPECT_EQ(RunDirectory::create_numbered(path("runs"), "a", "tiny").path(), path("runs/1235-a-tiny"));
}

TEST_F(RunDirectories, names_become_file_names) {
  EXPECT_EQ(file_name_from("my kernel/../x"), "my_kernel_.._x");
  EXPECT_EQ(file_name_from(""), "run");
  EXPECT_EQ(RunDirectory::create_numbered(path("runs"), "a b", "m/n").path(), path("runs/001-a_b-m_n"));
}

TEST_F(RunDirectories, latest_points_to_the_newest) {
  (void)RunDirectory::create_numbered(path("runs"), "a", "tiny");
  (void)RunDirectory::create_numbered(path("runs"), "b", "tiny");
  EXPECT_EQ(fs::read_symlink(path("runs/latest")), "002-b-tiny");
}

TEST_F(RunDirectories, a_file_called_latest_is_left_alone) {
  fs::create_directories(path("runs"));
  write_file(path("runs/latest"), "mine");
  (void)RunDirectory::create_numbered(path("runs"), "a", "tiny");
  EXPECT_EQ(read(path("runs/latest")), "mine");
}

TEST_F(RunDirectories, a_named_folder_must_be_new_or_empty) {
  EXPECT_EQ(RunDirectory::create_exactly(path("here")).path(), path("here"));
  EXPECT_EQ(RunDirectory::create_exactly(path("here")).file("stats.json"), path("here/stats.json"));
  write_file(path("here/x"), "");
  EXPECT_THROW((void)RunDirectory::create_exactly(path("here")), InputError);
}

TEST_F(RunDirectories, the_index_has_one_header) {
  const RunDirectory first = RunDirectory::create_numbered(path("runs"), "a", "tiny");
  first.append_to_index("h\n", "1\n");
  RunDirectory::create_numbered(path("runs"), "a", "tiny").append_to_index("h\n", "2\n");
  EXPECT_EQ(read(path("runs/index.csv")), "h\n1\n2\n");
  RunDirectory::create_exactly(path("named")).append_to_index("h\n", "3\n");
  EXPECT_EQ(read(path("runs/index.csv")), "h\n1\n2\n");
}

TEST_F(RunDirectories, are_found_by_number_name_path_and_latest) {
  const RunDirectory run = RunDirectory::create_numbered(path("runs"), "a", "tiny");
  EXPECT_THROW((void)find_run(path("runs"), "1"), InputError) << "without run.json it is not a finished run";
  write_file(run.file("run.json"), "{}");
  EXPECT_EQ(find_run(path("runs"), "1"), run.path());
  EXPECT_EQ(find_run(path("runs"), "001"), run.path());
  EXPECT_EQ(find_run(path("runs"), "001-a-tiny"), run.path());
  EXPECT_EQ(find_run("elsewhere", run.path()), run.path());
  EXPECT_EQ(find_run(path("runs"), "latest"), path("runs/latest"));
  EXPECT_THROW((void)find_run(path("runs"), "2"), InputError);
}

TEST_F(RunDirectories, who_looks_finds_runs_that_go_on_and_runs_that_were_cut_off) {
  {
    const RunDirectory run = RunDirectory::create_numbered(path("runs"), "a", "tiny");
    EXPECT_THROW((void)find_begun_run(path("runs"), "1"), InputError) << "nothing says that it is a run";
    write_file(run.file("config.effective.toml"), "");
    EXPECT_EQ(find_begun_run(path("runs"), "1"), run.path());
    EXPECT_EQ(find_begun_run(path("runs"), "latest"), path("runs/latest"));
    write_file(run.file("status.json"), "{}");
  }
  EXPECT_EQ(find_begun_run(path("runs"), "1"), path("runs/001-a-tiny"));
  write_file(path("runs/001-a-tiny/run.json"), "{}");
  EXPECT_EQ(find_begun_run(path("runs"), "1"), path("runs/001-a-tiny"));
}

TEST_F(RunDirectories, are_locked_while_their_run_goes_on) {
  {
    const RunDirectory numbered = RunDirectory::create_numbered(path("runs"), "a", "tiny");
    const RunDirectory named = RunDirectory::create_exactly(path("named"));
    EXPECT_EQ(folder_use(numbered.path()), FolderUse::taken);
    EXPECT_EQ(folder_use(named.path()), FolderUse::taken);
  }
  EXPECT_EQ(folder_use(path("runs/001-a-tiny")), FolderUse::free);
  EXPECT_EQ(folder_use(path("named")), FolderUse::free);
  EXPECT_EQ(folder_use(path("nowhere")), FolderUse::unknown);
}

TEST_F(RunDirectories, writing_is_all_or_nothing) {
  write_file(path("file"), "one");
  write_file(path("file"), "two");
  EXPECT_EQ(read(path("file")), "two");
  EXPECT_THROW(write_file(path("no/such/folder/file"), "x"), InputError);
  std::size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(root_)) entries += entry.exists() ? 1U : 0U;
  EXPECT_EQ(entries, 1U) << "no temporary file is left";
}

}  // namespace
}  // namespace teslasim
