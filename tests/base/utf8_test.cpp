// SPDX-License-Identifier: Apache-2.0
// Bytes from anywhere as characters, columns and printable text.
#include "sim/base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/excerpt.h"
#include "sim/base/text_file.h"

namespace teslasim {
namespace {

TEST(Utf8, characters_are_whole_shortest_and_in_range) {
  EXPECT_EQ(bytes_of_character("a"), 1U);
  EXPECT_EQ(bytes_of_character("ü"), 2U);
  EXPECT_EQ(bytes_of_character("日本"), 3U);
  EXPECT_EQ(bytes_of_character("\U0001f600x"), 4U);
  for (const char* wrong : {"", "\xff", "\x80", "\xc3", "\xc3(", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(bytes_of_character(wrong), 0U) << wrong;
  }
}

TEST(Utf8, the_first_wrong_byte) {
  EXPECT_EQ(first_not_utf8("grün"), std::string_view::npos);
  EXPECT_EQ(first_not_utf8("gr\xfcn"), 2U);
  EXPECT_EQ(with_escaped_bytes("gr\xfcn \xc3"), "gr\\xfcn \\xc3");
  EXPECT_EQ(with_escaped_bytes("grün"), "grün");
}

TEST(Utf8, columns_count_characters_and_wrong_bytes) {
  EXPECT_EQ(column_of_offset("日本x", 6), 3U);
  EXPECT_EQ(column_of_offset("\xff\xffx", 2), 3U);
  EXPECT_EQ(column_of_offset("ab", 5), 6U);
}

TEST(Utf8, columns_of_a_terminal) {
  EXPECT_EQ(terminal_columns("a"), 1U);
  EXPECT_EQ(terminal_columns("ü"), 1U);
  EXPECT_EQ(terminal_columns("日"), 2U);
  EXPECT_EQ(terminal_columns("\u0301"), 0U);
}

TEST(Utf8, what_a_terminal_would_obey_is_a_picture) {
  EXPECT_EQ(printable("a\x1b[1m\x7f\n\t"), "a␛[1m␡␊\t");
  EXPECT_EQ(printable("\u202e\u009b\xff"), "\ufffd\ufffd\ufffd");
}

RC_GTEST_PROP(Utf8Properties, printable_and_escaped_text_is_utf8, (const std::string& bytes)) {
  RC_ASSERT(first_not_utf8(printable(bytes)) == std::string::npos);
  RC_ASSERT(first_not_utf8(with_escaped_bytes(bytes)) == std::string::npos);
  RC_ASSERT(first_not_utf8(readable(bytes)) == std::string::npos);
}

TEST(Excerpt, a_line_that_fits_is_whole) {
  EXPECT_EQ(excerpt_of("mov $r1", 5, 3).line, "mov $r1");
  EXPECT_EQ(excerpt_of("mov $r1", 5, 3).carets, "    ^^^");
  EXPECT_EQ(excerpt_of("mov", 0, 3).carets, "");
}

TEST(Excerpt, a_long_line_is_cut_around_the_caret) {
  const std::string line = std::string(5000, 'a') + "b" + std::string(5000, 'c');
  const Excerpt middle = excerpt_of(line, 5001, 1);
  EXPECT_EQ(middle.line, "…" + std::string(40, 'a') + "b" + std::string(59, 'c') + "…");
  EXPECT_EQ(middle.carets, std::string(41, ' ') + "^");
  EXPECT_EQ(excerpt_of(line, 1, 2).line, std::string(100, 'a') + "…");
  EXPECT_EQ(excerpt_of(line, 1, 2).carets, "^^");
  EXPECT_EQ(excerpt_of(line, 10002, 1).line, "…" + std::string(100, 'c'));
  EXPECT_EQ(excerpt_of(line, 10002, 1).carets, std::string(101, ' ') + "^");
  EXPECT_EQ(excerpt_of(line, 4000000000U, 9).carets, std::string(101, ' ') + "^");
  EXPECT_EQ(excerpt_of(line, 5001, 5000).carets, std::string(41, ' ') + std::string(60, '^'));
}

TEST(Excerpt, wide_characters_and_tabs_keep_the_caret_in_place) {
  EXPECT_EQ(excerpt_of("日\t本x", 4, 1).carets, "  \t  ^");
  EXPECT_EQ(excerpt_of("日本", 1, 2).carets, "^^^^");
  EXPECT_EQ(excerpt_of("e\u0301x", 3, 1).carets, " ^");
  EXPECT_EQ(excerpt_of("\xff\x1bx", 3, 1).line, "\ufffd␛x");
}

RC_GTEST_PROP(ExcerptProperties, it_is_never_wide_and_always_utf8,
              (const std::string& bytes, std::uint32_t column, std::uint32_t length)) {
  std::string line;
  for (int i = 0; i < 20; ++i) line += bytes;
  const Excerpt excerpt = excerpt_of(line, column, length);
  RC_ASSERT(first_not_utf8(excerpt.line) == std::string::npos);
  RC_ASSERT(excerpt.carets.size() <= 104U);
  RC_ASSERT(column == 0 || excerpt.carets.find('^') != std::string::npos);
}

TEST(Excerpt, quotations_are_shortened_words_and_texts) {
  const std::string word(100000, 'x');
  const std::string text = readable("unknown opcode '" + word + "' here");
  EXPECT_TRUE(text.starts_with("unknown opcode 'xxx"));
  EXPECT_TRUE(text.ends_with("xxx' here"));
  EXPECT_LT(text.size(), 300U);
  std::string many;
  for (int i = 0; i < 10000; ++i) many += "word ";
  EXPECT_LT(readable(many).size(), 4100U);
}

TEST(TextFile, marks_at_the_start_of_a_text) {
  EXPECT_EQ(byte_order_mark_bytes("\xef\xbb\xbf.entry"), 3U);
  EXPECT_EQ(byte_order_mark_bytes(".entry"), 0U);
  EXPECT_TRUE(is_utf16(std::string("\xff\xfe.\0", 4)));
  EXPECT_TRUE(is_utf16(std::string("\xfe\xff\0.", 4)));
  EXPECT_FALSE(is_utf16(".entry"));
}

}  // namespace
}  // namespace teslasim
