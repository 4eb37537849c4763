// SPDX-License-Identifier: Apache-2.0
// How messages look, to the last blank.
#include "sim/base/diagnostic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace teslasim {
namespace {

Diagnostic problem(std::string message, SourceLocation where, std::string excerpt) {
  Diagnostic diagnostic;
  diagnostic.code = "CFG-TEST";
  diagnostic.message = std::move(message);
  diagnostic.where = std::move(where);
  diagnostic.excerpt = std::move(excerpt);
  return diagnostic;
}

TEST(Diagnostic, UnknownKeyLooksAsDocumented) {
  Diagnostic diagnostic = problem("unknown key 'sm.warp_sise'", {"my.toml", 2, 1, 9}, "warp_sise = 32");
  diagnostic.help = "did you mean 'sm.warp_size'?";
  EXPECT_EQ(render(diagnostic),
            "error[CFG-TEST]: unknown key 'sm.warp_sise'\n"
            "  --> my.toml:2:1\n"
            "   |\n"
            "  2| warp_sise = 32\n"
            "   | ^^^^^^^^^\n"
            "   = help: did you mean 'sm.warp_size'?\n");
}

TEST(Diagnostic, GutterGrowsWithTheLineNumber) {
  EXPECT_EQ(render(problem("bad", {"a.asm", 12345, 3, 2}, "x yz")),
            "error[CFG-TEST]: bad\n"
            "    --> a.asm:12345:3\n"
            "     |\n"
            "12345| x yz\n"
            "     |   ^^\n");
}

TEST(Diagnostic, DetailsNotesAndHelpFollowInOrder) {
  Diagnostic diagnostic = problem("global load outside any buffer", {"reduce1.asm", 14, 0, 1}, "");
  diagnostic.severity = Diagnostic::Severity::warning;
  diagnostic.details = {"SM 3, block (117,0), warp 7"};
  diagnostic.notes = {"first", "second"};
  diagnostic.help = "one line\nand another";
  EXPECT_EQ(render(diagnostic),
            "warning[CFG-TEST]: global load outside any buffer\n"
            "  --> reduce1.asm:14\n"
            "   SM 3, block (117,0), warp 7\n"
            "   = note: first\n"
            "   = note: second\n"
            "   = help: one line\n"
            "           and another\n");
}

TEST(Diagnostic, CaretCountsCharactersNotBytesAndKeepsTabs) {
  EXPECT_EQ(render(problem("bad", {"f", 1, 5, 1}, "\tü = x")),
            "error[CFG-TEST]: bad\n"
            "  --> f:1:5\n"
            "   |\n"
            "  1| \tü = x\n"
            "   | \t   ^\n");
}

TEST(Diagnostic, CaretStaysOnItsLine) {
  EXPECT_EQ(render(problem("too long", {"f", 1, 3, 99}, "abcd")),
            "error[CFG-TEST]: too long\n  --> f:1:3\n   |\n  1| abcd\n   |   ^^\n");
  EXPECT_EQ(render(problem("behind the end", {"f", 1, 5, 9}, "abcd")),
            "error[CFG-TEST]: behind the end\n  --> f:1:5\n   |\n  1| abcd\n   |     ^\n");
  EXPECT_EQ(render(problem("far behind the end", {"f", 1, 4000000000U, 9}, "ab")),
            "error[CFG-TEST]: far behind the end\n  --> f:1:4000000000\n   |\n  1| ab\n   |   ^\n");
}

TEST(Diagnostic, ControlCharactersOfTheInputNeverReachTheTerminal) {
  const std::string text = render(problem("bad", {"f", 1, 3, 1}, "\x1b[31mred\r"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Diagnostics, SortsEachFileByPlaceAndCountsErrors) {
  Diagnostics diagnostics;
  diagnostics.add(problem("b9", {"b", 9, 1, 1}, ""));
  diagnostics.add(problem("a5", {"a", 5, 2, 1}, ""));
  diagnostics.add(problem("b3", {"b", 3, 1, 1}, ""));
  diagnostics.add(problem("a5 first", {"a", 5, 1, 1}, ""));
  diagnostics.add(problem("set 2", {"command line", 0, 30, 1}, ""));
  diagnostics.add(problem("set 1", {"command line", 0, 7, 1}, ""));
  Diagnostic warning = problem("b4", {"b", 4, 1, 1}, "");
  warning.severity = Diagnostic::Severity::warning;
  diagnostics.add(warning);
  std::vector<std::string> order;
  for (const Diagnostic& diagnostic : diagnostics.all()) order.push_back(diagnostic.message);
  EXPECT_EQ(order, (std::vector<std::string>{"b3", "b4", "b9", "a5 first", "a5", "set 2", "set 1"}));
  EXPECT_EQ(diagnostics.errors(), 6U);
}

TEST(Diagnostics, PrintsTwentyAndSaysHowManyMore) {
  const std::vector<Diagnostic> many(23, problem("bad", {"f", 1, 0, 1}, ""));
  const std::string text = render(many);
  EXPECT_NE(text.find("… and 3 more\n"), std::string::npos);
  std::size_t printed = 0;
  for (std::size_t at = text.find("error["); at != std::string::npos; at = text.find("error[", at + 1)) ++printed;
  EXPECT_EQ(printed, 20U);
}

TEST(InputErrorTest, CarriesExitCodeAndFirstSentence) {
  const InputError error(ExitCode::configuration, problem("bad", {}, ""));
  EXPECT_EQ(error.exit_code(), ExitCode::configuration);
  EXPECT_STREQ(error.what(), "CFG-TEST: bad");
  EXPECT_STRNE(InputError(ExitCode::input, std::vector<Diagnostic>{}).what(), "");
}

TEST(NearestWord, ForgivesOneSlip) {
  const std::vector<std::string> words{"sm.warp_size", "sm.registers", "gtx280", "gtx285"};
  EXPECT_EQ(nearest_word("sm.warp_sise", words), "sm.warp_size");
  EXPECT_EQ(nearest_word("gtx208", words), "gtx280") << "swapped neighbours count as one slip";
  EXPECT_EQ(nearest_word("GTX285", words), "gtx285");
  EXPECT_EQ(nearest_word("sm.war", words), "sm.warp_size") << "not written to its end";
  EXPECT_EQ(nearest_word("sm.registers", words), "sm.registers");
}

TEST(NearestWord, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_word("zebra", {"sm.warp_size"}), "");
  EXPECT_EQ(nearest_word("hong", {"hong-kim-pwp", "hong-kim-two", "hong-kim"}), "hong-kim") << "what both begin with";
  EXPECT_EQ(nearest_word("hong", {"hong-kim", "hong-lee"}), "");
  EXPECT_EQ(nearest_word("", {"a"}), "");
  EXPECT_EQ(nearest_word("x", {}), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'a'), {"a"}), "");
  EXPECT_EQ(nearest_word(std::string(100, 'a'), {std::string(130, 'a')}), "") << "longer than any word of ours";
}

/// Optimal string alignment straight from its definition.
std::size_t slips(const std::string& left, const std::string& right) {
  if (left.empty() || right.empty()) return left.size() + right.size();
  const std::string l = left.substr(1), r = right.substr(1);
  std::size_t least = slips(l, r) + (left[0] == right[0] ? 0 : 1);
  least = std::min({least, slips(l, right) + 1, slips(left, r) + 1});
  const bool swapped = !l.empty() && !r.empty() && left[0] == r[0] && l[0] == right[0];
  return swapped ? std::min(least, slips(l.substr(1), r.substr(1)) + 1) : least;
}

RC_GTEST_PROP(NearestWord, is_the_first_with_the_fewest_slips_or_the_only_longer_one, ()) {
  const auto letters = rc::gen::resize(5, rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c')));
  const std::string word = *letters;
  const std::vector<std::string> words =
      *rc::gen::resize(*rc::gen::element(2, 100), rc::gen::container<std::vector<std::string>>(letters));
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : words) {
    const std::size_t distance = slips(word, candidate);
    if (word.empty() || distance >= fewest) continue;
    best = candidate;
    fewest = distance;
  }
  if (best.empty() && word.size() >= 3) {
    const auto longer = [&](const std::string& candidate) { return candidate.starts_with(word); };
    if (std::count_if(words.begin(), words.end(), longer) == 1)
      best = *std::find_if(words.begin(), words.end(), longer);
  }
  RC_ASSERT(nearest_word(word, words) == best);
}

}  // namespace
}  // namespace teslasim
