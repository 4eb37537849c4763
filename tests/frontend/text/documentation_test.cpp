// SPDX-License-Identifier: Apache-2.0
// docs/assembly.md: its examples assemble, and its reference tables are those of the program.
// With TESLASIM_UPDATE_DOCS set in the environment the tables are written instead of compared.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "frontend/text/assembler.h"
#include "isa/reference.h"
#include "tests/frontend/text/support.h"

namespace teslasim {
namespace {

const std::string path = std::string(TESLASIM_SOURCE_DIR) + "/docs/assembly.md";
const std::string begin_mark = "<!-- reference begin";
const std::string end_mark = "<!-- reference end -->";

std::string document() {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The contents of the fenced blocks that have this word in the opening line.
std::vector<std::string> blocks(const std::string& text, const std::string& word) {
  std::vector<std::string> result;
  const std::string fence = "```" + word + "\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    const std::size_t end = text.find("```", at);
    result.push_back(text.substr(at, end - at));
    at = end + 3;
  }
  return result;
}

TEST(AssemblyDocument, complete_examples_assemble) {
  const auto examples = blocks(document(), "asm");
  ASSERT_FALSE(examples.empty());
  for (const std::string& example : examples)
    EXPECT_NO_THROW((void)assemble_text(example, "docs/assembly.md")) << example;
}

TEST(AssemblyDocument, each_instruction_example_assembles) {
  const auto examples = blocks(document(), "instructions");
  ASSERT_EQ(examples.size(), 1U);
  std::istringstream lines(examples[0]);
  unsigned count = 0;
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty()) {
      const std::size_t end = line.find("  ");
      const std::string one = line.substr(0, end);
      EXPECT_EQ(test::line_error(one), "") << one;
      ++count;
      line = end == std::string::npos ? "" : line.substr(line.find_first_not_of(' ', end));
    }
  }
  EXPECT_GT(count, 50U);
}

TEST(AssemblyDocument, the_reference_is_up_to_date) {
  const std::string text = document();
  const std::size_t begin = text.find('\n', text.find(begin_mark)) + 1;
  const std::size_t end = text.find(end_mark);
  ASSERT_NE(end, std::string::npos);
  const std::string wanted = "\n" + assembly_reference_markdown() + "\n";
  if (std::getenv("TESLASIM_UPDATE_DOCS") != nullptr) {
    std::ofstream(path) << text.substr(0, begin) << wanted << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(begin, end - begin), wanted) << "run this test with TESLASIM_UPDATE_DOCS=1";
}

}  // namespace
}  // namespace teslasim
