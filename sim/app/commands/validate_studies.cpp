// SPDX-License-Identifier: Apache-2.0
#include "sim/app/commands/validate_studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/run/console.h"
#include "sim/validation/key_study.h"
#include "sim/validation/row_runs.h"
#include "sim/validation/sensitivity.h"

namespace teslasim {
namespace {

constexpr std::string_view page_mark = "<!-- made by `teslasim validate";

/// What came out, in the three forms.
struct StudyOutput {
  std::string text, json, page;
};

std::string study_name(const ParsedOptions& options) {
  return options.has("sensitivity") ? "--sensitivity" : "--left-out";
}

void refuse_other_options(const ParsedOptions& options) {
  if (options.has("sensitivity") && options.has("left-out"))
    usage_error("CLI-VALUE", "--sensitivity and --left-out are two studies", "give one of them");
  for (const std::string_view other : {"strict", "max-cycles", "max-seconds", "limit-is-error"}) {
    if (options.has(other))
      usage_error("CLI-VALUE", fmt::format("{} does not go with --{}", study_name(options), other),
                  "a study compares whole validations; --only, --machine and --key make it shorter");
  }
}

/// The keys that --key names, all when it is not given.
std::vector<StudiedKey> wanted_keys(const ParsedOptions& options, const std::vector<StudiedKey>& keys) {
  const std::vector<std::string> names = options.all("key");
  if (names.empty()) return keys;
  std::vector<std::string> known;
  for (const StudiedKey& key : keys) known.push_back(key.key);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_word(name, known);
    usage_error("CLI-VALUE",
                fmt::format("--key {}: no machine of these rows has a {} value of that name", name,
                            options.has("sensitivity") ? "calibrated or assumed" : "calibrated"),
                near.empty() ? "teslasim validate " + study_name(options) + " --list" : "did you mean '" + near + "'?");
  }
  std::vector<StudiedKey> wanted;
  for (const StudiedKey& key : keys) {
    if (std::find(names.begin(), names.end(), key.key) != names.end()) wanted.push_back(key);
  }
  return wanted;
}

/// The options that chose rows and keys.
std::string scope_of(const ParsedOptions& options) {
  std::string scope;
  for (const std::string_view name : {"machine", "only", "key"}) {
    for (const std::string& value : options.all(name))
      scope += fmt::format("{}--{} {}", scope.empty() ? "" : " ", name, value);
  }
  return scope;
}

/// A page that a study makes is written whole, so what is there must be one too.
void check_page(const std::string& file) {
  const TextFile old = read_text_file(file, largest_text, FileOwner::program);
  if (!old.error.empty() || old.text.empty() || old.text.starts_with(page_mark)) return;
  usage_error("CLI-VALUE", "--report: " + file + " is no page of a study, and would be written over",
              "name a new file");
}

StudyOutput sensitivity_output(const ParsedOptions& options, const std::vector<PublishedRow>& rows,
                               const std::vector<StudiedKey>& keys, const WorkerOptions& workers) {
  const SensitivityResult result = options.has("list") ? planned_moves(rows, keys) : sensitivity(rows, keys, workers);
  return {sensitivity_text(result), sensitivity_json(result), sensitivity_markdown(result, scope_of(options))};
}

}  // namespace

bool asks_for_study(const ParsedOptions& options) {
  if (options.has("sensitivity") || options.has("left-out")) return true;
  if (options.has("key")) usage_error("CLI-VALUE", "--key chooses keys of a study", "add --sensitivity or --left-out");
  return false;
}

int validate_study(const ParsedOptions& options, const std::vector<PublishedRow>& all_rows,
                   const WorkerOptions& workers) {
  refuse_other_options(options);
  const std::vector<PublishedRow> rows = numeric_rows(all_rows);
  if (rows.empty())
    usage_error("CLI-VALUE", "none of these rows has a number to compare with", "teslasim validate --list");
  const std::vector<StudiedKey> keys = wanted_keys(options, studied_keys(machines_of(rows)));
  const std::string page = options.text("report");
  if (!page.empty()) check_page(page);
  const StudyOutput output = sensitivity_output(options, rows, keys, workers);
  if (!page.empty() && !options.has("list"))
    write_file(page, fmt::format("{} {} --report`; do not edit -->\n{}", page_mark, study_name(options), output.page));
  const std::string json = options.has("json") ? options.text("json", "-") : "";
  if (json == "-") {
    print_result(output.json);
    return 0;
  }
  if (!json.empty()) write_file(json, output.json);
  print_result(output.text);
  return 0;
}

}  // namespace teslasim
