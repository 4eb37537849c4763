// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/format.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(Format, groups_of_three_digits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(10306080), "10 306 080");
}

TEST(Format, percentages_have_one_decimal_and_no_meaning_of_nothing) {
  EXPECT_EQ(percent(1, 3), "33.3 %");
  EXPECT_EQ(percent(1, 0), "-");
}

TEST(Format, times_are_milliseconds_with_four_digits_or_three_decimals) {
  EXPECT_EQ(milliseconds(0.53011), "0.5301 ms");
  EXPECT_EQ(milliseconds(0.0123), "0.01230 ms");
  EXPECT_EQ(milliseconds(0.0000001), "0.000000100 ms");
  EXPECT_EQ(milliseconds(1.0), "1.000 ms");
  EXPECT_EQ(milliseconds(12345.0), "12345.000 ms");
  EXPECT_EQ(milliseconds(0.0), "0.000 ms");
  EXPECT_EQ(milliseconds_number(-0.0123), "-0.01230");
}

TEST(Format, speeds_take_a_prefix) {
  EXPECT_EQ(with_prefix(2'560'000), "2.56 M");
  EXPECT_EQ(with_prefix(4'100), "4.10 k");
  EXPECT_EQ(with_prefix(12), "12");
}

TEST(Format, a_digest_is_four_groups_of_four) {
  EXPECT_EQ(digest_text(0x61c207be), "0000000061c207be");
  EXPECT_EQ(digest_groups(0x9f3a61c207bed41dULL), "9f3a 61c2 07be d41d");
}

TEST(Format, width_counts_characters_not_bytes) {
  EXPECT_EQ(columns("a×b"), 3U);
  EXPECT_EQ(padded("×", 3), "×  ");
  EXPECT_EQ(shortened("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(shortened("abcdefghi", 8), "abcde...");
  EXPECT_EQ(shortened("××××××", 5), "××...");
}

TEST(Format, lines_break_between_words) {
  EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrapped("unbreakable", 3, 2), "unbreakable");
  EXPECT_EQ(wrapped("one  two  three", 9, 2), "one  two\n  three") << "no spaces at the end of a line";
}

}  // namespace
}  // namespace teslasim
