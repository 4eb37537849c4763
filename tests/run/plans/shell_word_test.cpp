// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/shell_word.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(ShellWord, plain_words_stay_as_they_are) {
  for (const char* word : {"run", "runs/sweep-a/points/0f", "--set=sm.shared.banks=8", "a+b,c:d"}) {
    EXPECT_EQ(shell_word(word), word);
  }
}

TEST(ShellWord, others_are_quoted) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$(x) `y` \\ \" ; & ~ *"), "'$(x) `y` \\ \" ; & ~ *'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("\u00e4"), "'\u00e4'");
}

TEST(ShellWord, control_characters_are_written_out) {
  EXPECT_EQ(shell_word("a\nb"), "$'a\\012b'");
  EXPECT_EQ(shell_word("\t'\\$x\x7f"), "$'\\011\\'\\\\$x\\177'");
}

}  // namespace
}  // namespace teslasim
