// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/ptx_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "sim/base/output_file.h"

namespace teslasim::cuda {
namespace {

namespace fs = std::filesystem;

class PtxCacheTest : public ::testing::Test {
 protected:
  PtxCacheTest() {
    if (const char* value = std::getenv("TESLASIM_CACHE")) before_ = value;
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    setenv("TESLASIM_CACHE", (folder_ / "cache").c_str(), 1);
    write_file(source_, "one");
  }
  ~PtxCacheTest() override {
    if (before_.empty())
      unsetenv("TESLASIM_CACHE");
    else
      setenv("TESLASIM_CACHE", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  [[nodiscard]] fs::path entry() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "cache")) return entry.path();
    return {};
  }

  fs::path folder_ = fs::temp_directory_path() / ("teslasim_ptx_cache_" + std::to_string(getpid()));
  std::string source_ = (folder_ / "k.cu").string();
  std::string before_;
};

TEST_F(PtxCacheTest, gives_back_what_was_kept) {
  const PtxCache cache("arguments");
  EXPECT_FALSE(cache.find().has_value());
  cache.keep({"the\nptx", "", "a warning\n", {source_}, "/headers/"});
  const auto found = PtxCache("arguments").find();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->ptx, "the\nptx");
  EXPECT_EQ(found->code, "");
  EXPECT_EQ(found->messages, "a warning\n");
  EXPECT_EQ(found->files, std::vector<std::string>{source_});
  EXPECT_EQ(found->headers, "/headers/");
  EXPECT_FALSE(PtxCache("other arguments").find().has_value());
}

TEST_F(PtxCacheTest, forgets_when_a_file_changes_or_goes) {
  const PtxCache cache("arguments");
  cache.keep({"ptx", "", "", {source_}, "/headers/"});
  write_file(source_, "two");
  EXPECT_FALSE(cache.find().has_value());
  write_file(source_, "one");
  EXPECT_TRUE(cache.find().has_value()) << "contents count, not times";
  fs::remove(source_);
  EXPECT_FALSE(cache.find().has_value());
}

TEST_F(PtxCacheTest, ignores_damaged_entries) {
  const PtxCache cache("arguments");
  cache.keep({"some text of PTX", "code", "messages", {source_}, "/headers/"});
  const std::string path = entry().string();
  const auto whole = fs::file_size(path);
  for (const auto bytes : {whole - 1, whole / 2, decltype(whole){30}, decltype(whole){0}}) {
    fs::resize_file(path, bytes);
    EXPECT_FALSE(cache.find().has_value()) << bytes;
  }
  write_file(path, "something else");
  EXPECT_FALSE(cache.find().has_value());
}

TEST_F(PtxCacheTest, is_none_where_none_is_wanted) {
  setenv("TESLASIM_CACHE", "none", 1);
  const PtxCache cache("arguments");
  cache.keep({"ptx", "", "", {source_}, "/headers/"});
  EXPECT_FALSE(cache.find().has_value());
}

TEST_F(PtxCacheTest, does_without_a_folder_that_cannot_be_made) {
  write_file((folder_ / "file").string(), "no folder");
  setenv("TESLASIM_CACHE", (folder_ / "file").c_str(), 1);
  const PtxCache cache("arguments");
  cache.keep({"ptx", "", "", {source_}, "/headers/"});
  EXPECT_FALSE(cache.find().has_value());
}

TEST_F(PtxCacheTest, keeps_some_hundred_entries) {
  for (unsigned i = 0; i < 450; ++i) PtxCache(std::to_string(i)).keep({"ptx", "", "", {source_}, "/headers/"});
  std::size_t entries = 0;
  for (const fs::directory_entry& one : fs::directory_iterator(folder_ / "cache")) entries += one.is_regular_file();
  EXPECT_LE(entries, 400U);
  EXPECT_GE(entries, 200U);
  EXPECT_TRUE(PtxCache("449").find().has_value()) << "the newest stays";
}

}  // namespace
}  // namespace teslasim::cuda
