// SPDX-License-Identifier: Apache-2.0
// Real cubins beside the project: all of them are read, and what is written reads back to the same words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "isa/encoding/encoding.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> text_cubins(const std::string& folder) {
  std::vector<fs::path> paths;
  const fs::path root = fs::path(TESLASIM_SOURCE_DIR) / "../shared/cubins" / folder;
  std::error_code absent;
  for (auto entry = fs::recursive_directory_iterator(root, absent); entry != fs::recursive_directory_iterator();
       ++entry) {
    const bool is_elf = entry->path().filename().string().find("elf") != std::string::npos;
    if (entry->path().extension() == ".cubin" && !is_elf) paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::size_t instructions(const Module& module) {
  std::size_t count = 0;
  for (const Kernel& kernel : module.kernels) count += kernel.code.size();
  return count;
}

/// One of the FlexGrip programs was made for a decoder that reads any sequence of words.
const ReadOptions any_alignment = [] {
  ReadOptions options;
  options.allow_unaligned = true;
  return options;
}();

class CubinFolder : public ::testing::TestWithParam<std::pair<const char*, std::size_t>> {
 protected:
  void SetUp() override {
    if (paths.empty()) GTEST_SKIP() << "../shared/cubins/" << GetParam().first << " is absent";
  }
  std::vector<fs::path> paths = text_cubins(GetParam().first);
};

TEST_P(CubinFolder, EveryFileIsRead) {
  EXPECT_EQ(paths.size(), GetParam().second);
  for (const fs::path& path : paths) {
    const Module module = read_module(path.string(), any_alignment);
    EXPECT_THAT(module.kernels, ::testing::SizeIs(1)) << path;
    EXPECT_GT(instructions(module), 0U) << path;
  }
}

TEST_P(CubinFolder, WhatIsWrittenReadsBackToTheSameInstructions) {
  for (const fs::path& path : paths) {
    const Module module = read_module(path.string(), any_alignment);
    const Module again = read_text_cubin(path.string(), write_text_cubin(module), any_alignment);
    ASSERT_EQ(again.kernels.size(), module.kernels.size()) << path;
    for (std::size_t k = 0; k < module.kernels.size(); ++k) {
      const Kernel& left = module.kernels[k];
      const Kernel& right = again.kernels[k];
      ASSERT_EQ(left.code.size(), right.code.size()) << path;
      EXPECT_EQ(left.labels, right.labels) << path;
      for (std::size_t i = 0; i < left.code.size(); ++i)
        ASSERT_TRUE(equivalent(left.code[i], right.code[i])) << path << " instruction " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, CubinFolder,
                         ::testing::Values(std::pair<const char*, std::size_t>{"decuda/cubin", 94},
                                           std::pair<const char*, std::size_t>{"flexgrip", 17},
                                           std::pair<const char*, std::size_t>{"small", 2},
                                           std::pair<const char*, std::size_t>{"random", 199}));

}  // namespace
}  // namespace teslasim
