// SPDX-License-Identifier: Apache-2.0
#include "sim/run/shipped/labs.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace teslasim {
namespace {

namespace fs = std::filesystem;

TEST(Labs, are_sorted_and_have_titles) {
  const std::vector<Lab> all = labs();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().number, "1");
  EXPECT_EQ(all.front().title, "SIMT and masks");
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].number, all[i].number);
}

TEST(Labs, answers_go_to_teachers) {
  const fs::path folder = fs::path(::testing::TempDir()) / "labs_test";
  fs::remove_all(folder);
  for (const Lab& lab : labs()) {
    copy_lab(lab, folder / "student", LabReader::student);
    EXPECT_TRUE(fs::exists(folder / "student/README.md"));
    EXPECT_FALSE(fs::exists(folder / "student/teacher"));
    copy_lab(lab, folder / "teacher", LabReader::teacher);
    EXPECT_TRUE(fs::exists(folder / "teacher/teacher/expect"));
    fs::remove_all(folder);
  }
}

}  // namespace
}  // namespace teslasim
