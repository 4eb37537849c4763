// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "sim/app/cli/command.h"
#include "sim/app/cli/command_line.h"
#include "sim/run/other_words.h"

namespace teslasim {
namespace {

std::string meant(const std::string& command, const std::string& given) {
  return option_meant(given, with_common(find_command(command).options()));
}

bool has(const std::vector<Option>& options, const OtherWord& word) {
  const bool is_letter = word.given.size() == 2;
  return std::any_of(options.begin(), options.end(), [&](const Option& option) {
    return is_letter ? option.letter == word.given[1] : "--" + std::string(option.name) == word.given;
  });
}

TEST(OtherWords, name_the_option_of_the_command_at_hand) {
  EXPECT_EQ(meant("run", "--machine"), "--config CONFIG");
  EXPECT_EQ(meant("run", "-m"), "--config CONFIG");
  EXPECT_EQ(meant("validate", "-c"), "--machine MACHINE");
  EXPECT_EQ(meant("validate", "--gpu=gtx280"), "--machine MACHINE");
  EXPECT_EQ(meant("run", "-j2"), "--threads N|auto");
  EXPECT_EQ(meant("sweep", "--threads=2"), "--jobs N");
  EXPECT_EQ(meant("run", "--output"), "--out DIR");
  EXPECT_EQ(meant("cc", "--out"), "--output FILE");
}

TEST(OtherWords, name_the_value_that_is_meant) {
  EXPECT_EQ(meant("run", "-f"), "--mode functional");
  EXPECT_EQ(meant("run", "--functional"), "--mode functional");
  EXPECT_EQ(meant("run", "-DTILE=16"), "--compile=-DNAME=VALUE");
  EXPECT_EQ(meant("run", "--waveform"), "--vcd");
  EXPECT_EQ(meant("run", "--stats"), "--json=FILE|-");
}

TEST(OtherWords, say_nothing_where_the_command_has_no_such_option) {
  EXPECT_EQ(meant("man", "--machine"), "");
  EXPECT_EQ(meant("run", "--nonsense"), "");
  EXPECT_EQ(meant("run", "-"), "");
}

TEST(OtherWords, every_row_helps_in_some_command) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const OtherWord& word : other_words()) {
    EXPECT_TRUE(seen.emplace(word.given, word.option).second) << word.given << " is there twice";
    const bool helps = std::any_of(commands().begin(), commands().end(), [&word](const Command& command) {
      const std::vector<Option> options = with_common(command.options());
      const auto named = [&word](const Option& option) { return option.name == word.option; };
      return std::any_of(options.begin(), options.end(), named) && !has(options, word);
    });
    EXPECT_TRUE(helps) << word.given << " for --" << word.option;
  }
}

}  // namespace
}  // namespace teslasim
