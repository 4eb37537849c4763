// SPDX-License-Identifier: Apache-2.0
#include "sim/base/option_mistake.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

std::string shown(const OptionMistake& mistake) {
  try {
    refuse_option("CLI-TEST", mistake, "no number", "write one");
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return render(error.diagnostics());
  }
}

TEST(OptionMistake, is_shown_at_its_place) {
  EXPECT_EQ(shown({"--fail-on", "time_ms>+nan%", 9, 3}),
            "error[CLI-TEST]: no number\n"
            "  --> command line\n"
            "   |\n"
            "   | --fail-on time_ms>+nan%\n"
            "   |                    ^^^\n"
            "   = help: write one\n");
}

TEST(OptionMistake, what_is_missing_is_shown_behind_the_rest) {
  EXPECT_NE(shown({"--fail-on", "a>+", 3, 0}).find("| --fail-on a>+\n   |              ^\n"), std::string::npos);
  EXPECT_NE(shown({"--fail-on", "", 0, 0}).find("| --fail-on \n   |           ^\n"), std::string::npos);
}

TEST(OptionMistake, characters_are_counted_not_bytes) {
  EXPECT_NE(shown({"--x", "\u00e4\u00f6>?", 5, 1}).find("| --x \u00e4\u00f6>?\n   |        ^\n"), std::string::npos);
}

}  // namespace
}  // namespace teslasim
