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

TEST(JsonText, BracketsInStringsDoNotCount) {
  const std::string text = '"' + nested(1000, '[', ']') + R"(\"[")" + nested(100, '[', ']');
  EXPECT_EQ(shallow_json(text), text);
}

}  // namespace
}  // namespace teslasim
