// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/explain.h"
#include "sim/base/diagnostic.h"
#include "sim/report/text/format.h"
#include "sim/run/console.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 1> explain_own_options{{{"list", 0, Arity::flag, "", "list the pages"}}};

int list_pages() {
  std::string names;
  for (const ExplainPage& page : explain_pages()) names += (names.empty() ? "" : " ") + std::string(page.name);
  print_result("Topics, files of a run and error codes:\n  " + wrapped(names, 90, 2) +
               "\nAlso: every analytical model, experiment of validate, stall reason, statistic, configuration key and "
               "opcode.\n");
  return 0;
}

}  // namespace

std::vector<Option> options_of_explain() {
  return {explain_own_options.begin(), explain_own_options.end()};
}

int explain_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(explain_own_options), "explain");
  if (answered_help(options, "explain", explain_own_options)) return 0;
  if (options.has("list") || options.inputs().empty()) return list_pages();
  for (const std::string& word : options.inputs()) {
    const std::string text = explain_word(word);
    if (!text.empty()) {
      print_result(text);
      continue;
    }
    const std::string near = nearest_word(word, explainable_words());
    usage_error(
        "CLI-WORD", "nothing is known under '" + word + "'",
        near.empty() ? "teslasim explain --list shows the pages" : "did you mean 'teslasim explain " + near + "'?");
  }
  return 0;
}

}  // namespace teslasim
