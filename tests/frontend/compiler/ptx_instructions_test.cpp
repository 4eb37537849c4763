// SPDX-License-Identifier: Apache-2.0
// Every instruction that the reader knows, with each modifier and type: code, or an error at its place.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/frontend/compiler/instruction_sample.h"
#include "tests/support/volume.h"

namespace teslasim::compiler {
namespace {

using sample::compile_text;
using sample::kernel_with_instruction;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char one : text) {
    if (one == separator)
      parts.emplace_back();
    else
      parts.back() += one;
  }
  return parts;
}

/// The names so far, each with each word of a group behind it.
std::vector<std::string> extended(const std::vector<std::string>& names, std::string_view group) {
  const bool needed = group.starts_with('!');
  std::vector<std::string> result = needed ? std::vector<std::string>() : names;
  for (const std::string& word : split(group.substr(needed ? 1 : 0), '|')) {
    for (const std::string& name : names) result.push_back(name + "." + word);
  }
  return result;
}

std::vector<std::string> with_types(const std::vector<std::string>& names, ptx::PtxTypes types) {
  if (types.empty()) return names;
  std::vector<std::string> result;
  for (unsigned type = 0; type < 32; ++type) {
    const auto one = static_cast<ptx::PtxType>(type);
    if (!types.has(one)) continue;
    for (const std::string& name : names) result.push_back(name + "." + std::string(word_of(one)));
  }
  return result;
}

std::vector<std::string> all_instructions() {
  std::vector<std::string> result;
  for (const ptx::PtxOperation& operation : ptx::ptx_operations()) {
    std::vector<std::string> names{std::string(operation.name)};
    if (!operation.modifiers.empty()) {
      for (const std::string& group : split(operation.modifiers, ' ')) names = extended(names, group);
    }
    for (std::string& name : with_types(with_types(names, operation.first), operation.second))
      result.push_back(std::move(name));
  }
  return result;
}

/// In the ordinary tests one of many.
std::size_t step_of_sample() {
  return std::getenv("TESLASIM_LONG_TESTS") != nullptr ? 1 : test::volume(11, 101);
}

TEST(PtxInstructionsCompiled, each_becomes_code_or_an_error_at_its_place) {
  const std::vector<std::string> all = all_instructions();
  EXPECT_GT(all.size(), 10'000U);
  std::size_t compiled = 0, refused = 0;
  for (std::size_t i = 0; i < all.size(); i += step_of_sample()) {
    const std::string text = kernel_with_instruction(all[i]);
    ASSERT_NE("", text) << all[i];
    for (const std::uint8_t sm : {std::uint8_t{10}, std::uint8_t{13}}) {
      SCOPED_TRACE(all[i] + " on sm_" + std::to_string(sm));
      const sample::Outcome outcome = compile_text(text, sm, i % 2 == 0 ? 3 : 0);
      ++(outcome.errors.empty() ? compiled : refused);
      for (const Diagnostic& error : outcome.errors) {
        EXPECT_EQ("PTX-UNSUPPORTED", error.code) << render(error);
        EXPECT_EQ(sample::instruction_line, error.where.line) << render(error);
        EXPECT_FALSE(error.message.empty());
      }
    }
  }
  EXPECT_GT(compiled, refused);
}

/// add.{u32,s32} as two names.
std::vector<std::string> expanded(const std::string& pattern) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}');
  if (open == std::string::npos) return {pattern};
  std::vector<std::string> result;
  for (const std::string& word : split(pattern.substr(open + 1, close - open - 1), ',')) {
    for (std::string& name : expanded(pattern.substr(0, open) + word + pattern.substr(close + 1)))
      result.push_back(std::move(name));
  }
  return result;
}

/// Lines of "pattern level": what nvcc writes, and the first level that has it; "-" for none.
TEST(PtxInstructionsCompiled, what_nvcc_writes_is_there_from_its_level_on) {
  std::ifstream file(std::string(TESLASIM_SOURCE_DIR) + "/tests/frontend/compiler/nvcc_instructions.txt");
  ASSERT_TRUE(file);
  std::size_t names = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t blank = line.find(' ');
    const std::string level = line.substr(blank + 1);
    for (const std::string& name : expanded(line.substr(0, blank))) {
      const std::string text = kernel_with_instruction(name);
      ASSERT_NE("", text) << name;
      if (names++ % test::volume(1U, 10U) != 0) continue;
      for (std::uint8_t sm = 10; sm <= 13; ++sm) {
        const sample::Outcome outcome = compile_text(text, sm);
        const bool there = level != "-" && sm >= std::stoul(level);
        EXPECT_EQ(there, outcome.errors.empty())
            << name << " on sm_" << unsigned{sm} << (there ? render(outcome.errors) : "");
        for (const Diagnostic& error : outcome.errors) EXPECT_EQ("PTX-UNSUPPORTED", error.code) << name;
      }
    }
  }
  EXPECT_GT(names, 600U);
}

}  // namespace
}  // namespace teslasim::compiler
