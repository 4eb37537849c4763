// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "isa/opcode.h"
#include "sim/base/diagnostic.h"
#include "sim/base/slot_reason.h"
#include "sim/report/result/result.h"
#include "sim/report/text/format.h"
#include "sim/report/text/hints.h"
#include "sim/validation/published.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

bool has_page(std::string_view name) {
  const auto& pages = explain_pages();
  return std::any_of(pages.begin(), pages.end(), [name](const ExplainPage& page) { return page.name == name; });
}

TEST(Explain, every_page_fits_on_a_screen) {
  for (const ExplainPage& page : explain_pages()) {
    EXPECT_FALSE(page.text.empty()) << page.name;
    EXPECT_LE(std::count(page.text.begin(), page.text.end(), '\n') + 2, 25) << page.name;
    std::istringstream lines{std::string(page.text)};
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), 120U) << page.name;
  }
}

TEST(Explain, pages_have_different_names) {
  std::set<std::string_view> names;
  for (const ExplainPage& page : explain_pages()) EXPECT_TRUE(names.insert(page.name).second) << page.name;
}

TEST(Explain, every_hint_has_its_page) {
  for (const HintRule& rule : hint_rules()) EXPECT_TRUE(has_page(rule.topic)) << rule.topic;
}

TEST(Explain, every_reference_between_pages_leads_somewhere) {
  const std::regex reference("teslasim explain ([a-z, -]+[a-z])");
  for (const ExplainPage& page : explain_pages()) {
    const std::string text(page.text);
    for (std::sregex_iterator match(text.begin(), text.end(), reference), end; match != end; ++match) {
      std::stringstream words((*match)[1].str());
      for (std::string word; std::getline(words, word, ',');) {
        word.erase(0, word.find_first_not_of(' '));
        EXPECT_FALSE(explain_word(word).empty()) << page.name << " refers to '" << word << "'";
      }
    }
  }
}

TEST(Explain, every_error_code_of_the_source_has_a_page) {
  if (test::under_sanitizers) GTEST_SKIP() << "reads all sources, which are the same in every build";
  const std::regex code("\"([A-Z]{2,}(-[A-Z0-9]+)+)\"");
  std::set<std::string> codes;
  for (const char* folder : {"sim", "isa", "frontend", "memory"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(TESLASIM_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".h") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator match(source.begin(), source.end(), code), end; match != end; ++match)
        codes.insert((*match)[1]);
    }
  }
  for (const PublishedRow& row : published_rows()) codes.erase(row.id);  // names of published figures look alike
  EXPECT_GT(codes.size(), 30U);
  for (const std::string& name : codes) EXPECT_TRUE(has_page(name)) << name << " has no page in docs/explain/codes.md";
}

TEST(Explain, knows_reasons_statistics_keys_opcodes_and_topics) {
  EXPECT_NE(explain_word("mem.global").find("issue_slots.mem.global"), std::string::npos);
  EXPECT_NE(explain_word("wait.mem.global").find("warp_cycles.wait.mem.global"), std::string::npos);
  EXPECT_NE(explain_word("shared.replays").find("sum of (degree - 1)"), std::string::npos);
  EXPECT_NE(explain_word("sm.shared.access_group").find("power of two"), std::string::npos);
  EXPECT_NE(explain_word("rsqrt").find("reciprocal square root"), std::string::npos);
  EXPECT_NE(explain_word("CFG-UNKNOWN").find("not known"), std::string::npos);
  EXPECT_NE(explain_word("coalescing").find("half-warp"), std::string::npos);
  EXPECT_EQ(explain_word("perpetuum-mobile"), "");
  EXPECT_EQ(explain_word("perpetuum.mobile"), "");
}

TEST(Explain, knows_every_file_that_a_run_writes) {
  std::ifstream document(fs::path(TESLASIM_SOURCE_DIR) / "docs/file-formats.md");
  const std::regex name("`([^`]+)`");
  bool written = false;
  unsigned files = 0;
  for (std::string line; std::getline(document, line);) {
    written = line.starts_with("A run writes a directory") || (written && !line.starts_with("A run directory is"));
    const std::string cell = line.substr(0, line.find('|', 1));
    if (!written || !line.starts_with("| `")) continue;
    for (std::sregex_iterator match(cell.begin(), cell.end(), name), end; match != end; ++match, ++files) {
      const std::string file = (*match)[1].str().starts_with("live/") ? "live" : (*match)[1].str();
      EXPECT_FALSE(explain_word(file).empty()) << file << " has no page in docs/explain/files.md";
    }
  }
  EXPECT_GT(files, 20U);
  EXPECT_TRUE(has_page("run.sqlite"));
  EXPECT_EQ(explain_word("runs/latest/pc.csv"), explain_word("pc.csv"));
  EXPECT_EQ(explain_word("runs/latest/none.csv"), "");
}

TEST(Explain, knows_experiments_and_published_figures) {
  std::set<std::string> named;
  for (const PublishedRow& row : published_rows()) {
    EXPECT_NE(explain_word(row.id).find(row.source), std::string::npos) << row.id;
    named.insert(row.experiment);
  }
  for (const std::string& experiment : named)
    EXPECT_NE(explain_word(experiment).find("validate --only " + experiment + ":"), std::string::npos) << experiment;
  EXPECT_EQ(explain_word("e12"), explain_word("E12"));
  EXPECT_NE(explain_word("E28").find("Arithmetic mixed with reads"), std::string::npos) << "nothing was published";
  EXPECT_EQ(explain_word("E99"), "");
}

TEST(Explain, takes_instructions_as_they_are_written) {
  EXPECT_EQ(explain_word("mad.rn.f32"), explain_word("mad"));
  EXPECT_EQ(explain_word("join.label"), explain_word("join"));
  EXPECT_EQ(explain_word("no.such.instruction"), "");
}

TEST(Explain, does_not_tell_large_letters_from_small) {
  EXPECT_EQ(explain_word("GTX280"), explain_word("gtx280"));
  EXPECT_EQ(explain_word("cfg-unknown"), explain_word("CFG-UNKNOWN"));
}

TEST(Explain, everything_it_lists_it_knows) {
  const std::vector<std::string> words = explainable_words();
  for (std::size_t i = 0; i < words.size(); i += test::volume(1U, 10U)) {
    EXPECT_FALSE(explain_word(words[i]).empty()) << words[i];
  }
}

TEST(Explain, a_key_is_found_by_its_second_name) {
  EXPECT_EQ(explain_configuration_key("gpu.max_warps_per_sm"), explain_configuration_key("sm.max_warps_per_sm"));
}

TEST(Explain, an_unknown_key_suggests_the_nearest) {
  try {
    (void)explain_configuration_key("sm.shared.bank");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().front().help, "did you mean 'sm.shared.banks'?");
  }
}

TEST(IssueClassNames, are_in_the_order_of_the_instruction_set) {
  EXPECT_EQ(issue_class_names.size(), issue_class_count);
  EXPECT_EQ(issue_class_names[static_cast<unsigned>(IssueClass::constant)], "const");
  EXPECT_EQ(issue_class_names[static_cast<unsigned>(IssueClass::barrier)], "barrier");
  EXPECT_EQ(issue_class_names[static_cast<unsigned>(IssueClass::dp)], "dp");
  EXPECT_EQ(issue_class_names[static_cast<unsigned>(IssueClass::other)], "other");
}

}  // namespace
}  // namespace teslasim
