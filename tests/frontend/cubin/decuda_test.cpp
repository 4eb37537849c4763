// SPDX-License-Identifier: Apache-2.0
// decuda's own output as input: its listings and its assembler dialect for 94 programs, of which it prints some
// instructions wrongly.
#include "frontend/text/decuda_dialect.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "frontend/cubin/kernel_code.h"
#include "frontend/frontend.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct GoldenRow {
  std::uint32_t address = 0, first = 0, second = 0;
  bool is_long = false;
  std::string decuda;
};

/// Rows of ../shared/cubins/decuda/golden.tsv by file.
std::map<std::string, std::vector<GoldenRow>> golden() {
  std::map<std::string, std::vector<GoldenRow>> files;
  std::ifstream stream(std::filesystem::path(TESLASIM_SOURCE_DIR) / "../shared/cubins/decuda/golden.tsv");
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    if (cells.size() < 6) continue;
    GoldenRow result;
    result.address = static_cast<std::uint32_t>(std::stoul(cells[2], nullptr, 16));
    result.first = static_cast<std::uint32_t>(std::stoul(cells[3], nullptr, 16));
    result.is_long = !cells[4].empty() && cells[4] != "-";
    if (result.is_long) result.second = static_cast<std::uint32_t>(std::stoul(cells[4], nullptr, 16));
    result.decuda = cells[5];
    files[cells[0]].push_back(result);
  }
  return files;
}

std::string listing_of(const std::vector<GoldenRow>& rows) {
  std::string text = "// decuda\n";
  for (const GoldenRow& row : rows) {
    const std::string words =
        row.is_long ? fmt::format("{:08x} {:08x}", row.first, row.second) : fmt::format("{:08x}", row.first);
    text += fmt::format("{:06x}: {:<17} {}\n", row.address, words, row.decuda);
  }
  return text;
}

std::string dialect_of(const std::vector<GoldenRow>& rows) {
  std::string text = ".entry my_kernel\n{\n.lmem 1024\n.smem 544\n.reg 60\n.bar 15\n";
  for (const GoldenRow& row : rows) text += row.decuda + "\n";
  return text + "}\n#.constseg 1:0x0000 const\n";
}

std::vector<std::uint32_t> words_of(const std::vector<GoldenRow>& rows) {
  std::vector<std::uint32_t> words;
  for (const GoldenRow& row : rows) {
    words.push_back(row.first);
    if (row.is_long) words.push_back(row.second);
  }
  return words;
}

class Decuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (files.empty()) GTEST_SKIP() << "../shared/cubins/decuda is absent";
  }
  std::map<std::string, std::vector<GoldenRow>> files = golden();
};

TEST_F(Decuda, ListingsOfAllProgramsGiveTheirWords) {
  std::size_t instructions = 0, different = 0;
  for (const auto& [name, rows] : files) {
    const Module module = read_module_bytes(name, listing_of(rows));
    std::vector<Diagnostic> problems;
    EXPECT_EQ(encode_code(module.kernels.at(0), module.sm, problems), words_of(rows)) << name;
    instructions += rows.size();
    if (!module.warnings.empty()) ++different;
  }
  EXPECT_EQ(files.size(), 94U);
  EXPECT_EQ(instructions, 4039U);
  EXPECT_GT(different, 0U) << "decuda is known to print some instructions wrongly";
}

/// Instructions that cannot be told from decuda's text: three roundings of mad that mean nothing, three negated
/// products of mac, the predicate field of one call, the mask of one tex.
constexpr std::size_t lost_in_text = 8;

TEST_F(Decuda, TheDialectOfAllProgramsGivesTheirWords) {
  std::size_t wrong = 0;
  std::string first;
  for (const auto& [name, rows] : files) {
    ASSERT_TRUE(text::looks_like_decuda(dialect_of(rows)));
    Module module;
    try {
      module = read_module_bytes(name, dialect_of(rows));
    } catch (const InputError& error) {
      ADD_FAILURE() << name << "\n" << render(error.diagnostics());
      continue;
    }
    const Kernel& kernel = module.kernels.at(0);
    ASSERT_EQ(kernel.code.size(), rows.size()) << name;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Encoding words = encode(kernel.code[i], 10);
      if (words.words && words.words->first == rows[i].first && words.words->second == rows[i].second) continue;
      ++wrong;
      first += fmt::format("{} {:06x}: {} became {}\n", name, rows[i].address, rows[i].decuda, to_text(kernel.code[i]));
    }
  }
  EXPECT_EQ(wrong, lost_in_text) << first;
}

TEST(DecudaLine, TheLaunchHeaderHasItsRealNames) {
  const text::DecudaLine line = text::corrected_decuda_line("mov.u16 $r0.lo, %ntid.y");
  EXPECT_EQ(line.text, "mov.u16 $r0.lo, %ntid.x");
  EXPECT_THAT(line.remark, HasSubstr("%ntid.y is %ntid.x"));
}

TEST(DecudaLine, ShortSecondSourcesHaveSixBits) {
  EXPECT_EQ(text::corrected_decuda_line("sub.half.b32 $r4, $r4, $r66").text, "sub.half.b32 $r4, $r4, $r2");
}

TEST(DecudaLine, RightLinesStayAsTheyAre) {
  const text::DecudaLine line = text::corrected_decuda_line("add.half.b32 $r3, $r4, $r3");
  EXPECT_EQ(line.text, "add.half.b32 $r3, $r4, $r3");
  EXPECT_THAT(line.remark, IsEmpty());
}

}  // namespace
}  // namespace teslasim
