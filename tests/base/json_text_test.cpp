// SPDX-License-Identifier: Apache-2.0
#include "sim/base/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace teslasim {
namespace {

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(JsonText, FilesOfOursAreLeftAlone) {
  for (const std::string text : {R"({"a": [1, {"b": "[[[["}]})", "", "[", "]]]", R"("never ends)", R"("\")"}) {
    EXPECT_EQ(shallow_json(text), text);
  }
}

TEST(JsonText, DepthIsBoundedNotTheNumberOfBrackets) {
  std::string wide = "[";
  for (int i = 0; i < 10'000; ++i) wide += "[{}],";
  EXPECT_EQ(shallow_json(wide), wide);
  EXPECT_EQ(shallow_json(nested(100, '[', ']')), nested(100, '[', ']'));
  EXPECT_EQ(shallow_json(nested(101, '[', ']')), std::string(100, '['));
  EXPECT_EQ(shallow_json(nested(1'000'000, '{', '}')).size(), 100U);
}

TEST(JsonText, ProblemsAreToldInPlainWords) {
  EXPECT_EQ(json_problem_text(101, "[json.exception.parse_error.101] parse error at line 2, column 1: syntax error"),
            "it is not JSON at line 2, column 1");
  EXPECT_EQ(json_problem_text(403, "[json.exception.out_of_range.403] key 'inputs' not found"),
            "the key 'inputs' is missing");
  EXPECT_EQ(json_problem_text(304, "[json.exception.type_error.304] cannot use at() with array"),
            "a value is of another kind");
}

TEST(JsonText, BracketsInStringsDoNotCount) {
  const std::string text = '"' + nested(1000, '[', ']') + R"(\"[")" + nested(100, '[', ']');
  EXPECT_EQ(shallow_json(text), text);
}

}  // namespace
}  // namespace teslasim
