// SPDX-License-Identifier: Apache-2.0
#include "sim/base/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "sim/base/output_file.h"

namespace teslasim {
namespace {

TEST(TemporaryFolder, GoesWithWhatLiesInIt) {
  std::string place;
  {
    const TemporaryFolder folder("test"), other("test");
    place = folder.path();
    EXPECT_NE(place, other.path());
    EXPECT_NE(std::string::npos, place.find("teslasim-test-"));
    write_file(folder.file("within"), "text");
    EXPECT_TRUE(std::filesystem::exists(place + "/within"));
  }
  EXPECT_FALSE(std::filesystem::exists(place));
}

}  // namespace
}  // namespace teslasim
