// SPDX-License-Identifier: Apache-2.0
// TOML that nests without end is found before a parser recurses into it.
#include "sim/base/toml_nesting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/config_document.h"

namespace teslasim {
namespace {

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

bool too_deep(const std::string& text) {
  return too_deep_toml(text, "f").has_value();
}

TEST(TomlNesting, every_way_to_nest) {
  for (const int levels : {50, 300, 200000}) {
    const bool deep = levels > 100;
    EXPECT_EQ(too_deep(times(levels, "a.") + "a = 1"), deep);
    EXPECT_EQ(too_deep("[" + times(levels, "a.") + "a]"), deep);
    EXPECT_EQ(too_deep("[[" + times(levels, "a.") + "a]]"), deep);
    EXPECT_EQ(too_deep("a = " + times(levels, "[")), deep);
    EXPECT_EQ(too_deep("a = " + times(levels, "{a = ")), deep);
    EXPECT_EQ(too_deep("a = " + times(levels / 2, "[{a = ")), deep);
    EXPECT_EQ(too_deep("a = {" + times(levels, "\"a\" . ") + "a = 1}"), deep);
  }
}

TEST(TomlNesting, ways_add_up) {
  const std::string half = times(60, "a.") + "a";
  EXPECT_FALSE(too_deep("[" + half + "]\nb = 1\n[" + half + "]\n"));
  EXPECT_TRUE(too_deep("[" + half + "]\n" + half + " = 1\n"));
  EXPECT_TRUE(too_deep(half + " = {" + half + " = 1}\n"));
  EXPECT_FALSE(too_deep(half + " = 1\n" + half + " = 2\n"));
}

TEST(TomlNesting, width_is_no_depth) {
  EXPECT_FALSE(too_deep("a = [" + times(100000, "1.5, ") + "]"));
  EXPECT_FALSE(too_deep("a = [\n" + times(100000, "{ b = 1.5, c.d = [1.0] },\n") + "]"));
  EXPECT_FALSE(too_deep(times(100000, "[[a.b.c]]\nx.y = 1.0\n")));
}

TEST(TomlNesting, strings_and_comments_do_not_nest) {
  const std::string brackets = times(1000, "[.{");
  EXPECT_FALSE(too_deep("# " + brackets + "\na = \"" + brackets + "\\\"" + brackets + "\" # " + brackets));
  EXPECT_FALSE(too_deep("a = '" + brackets + "\\'\nb = '''" + brackets + "\n'" + brackets + "'''\n"));
  EXPECT_FALSE(too_deep("a = \"\"\"\n\"" + brackets + "\\\"\"\"\" \n" + "b = 1"));
  EXPECT_TRUE(too_deep("a = \"\"\"x\"\"\"\"\"\nb = " + brackets));
  EXPECT_TRUE(too_deep("a = \"\"\nb = " + brackets));
}

TEST(TomlNesting, the_place_is_where_it_becomes_too_much) {
  const auto where = too_deep_toml("# é\nü = " + times(200, "["), "f.toml");
  ASSERT_TRUE(where);
  EXPECT_EQ(where->line, 2U);
  EXPECT_EQ(where->column, 105U);
  Diagnostics problems;
  const ConfigDocument document = parse_config("f.toml", times(200000, "a.") + "a = 1", problems);
  EXPECT_FALSE(document.complete);
  ASSERT_EQ(problems.errors(), 1U);
  EXPECT_THAT(problems.all().front().message, ::testing::HasSubstr("nested more than 100 deep"));
  (void)parse_override("a.b=" + times(200, "["), problems);
  EXPECT_EQ(problems.errors(), 2U);
}

TEST(TomlNesting, a_line_of_many_entries_does_not_multiply) {
  std::string line = "a = {";
  for (int i = 0; i < 50000; ++i) line += "k" + std::to_string(i) + " = 1, ";
  Diagnostics problems;
  const ConfigDocument document = parse_config("f.toml", line + "z = 1}", problems);
  std::size_t kept = 0;
  for (const ConfigEntry& entry : document.entries) kept += entry.key_line.size() + entry.value_line.size();
  EXPECT_EQ(document.entries.size(), 50002U);
  EXPECT_LT(kept, std::size_t{65} << 20U);
}

}  // namespace
}  // namespace teslasim
