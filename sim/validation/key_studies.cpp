// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/key_studies.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/run/usage_error.h"
#include "sim/validation/left_out.h"
#include "sim/validation/sensitivity.h"

namespace teslasim {
namespace {

constexpr std::string_view page_mark = "<!-- made by `teslasim validate";

/// What came out, in the three forms.
struct StudyForms {
  StudyOutput output;
  std::string page;
};

/// The keys that the user names, all when none.
std::vector<StudiedKey> wanted_keys(const StudyRequest& request, const std::vector<StudiedKey>& keys) {
  if (request.keys.empty()) return keys;
  std::vector<std::string> known;
  for (const StudiedKey& key : keys) known.push_back(key.key);
  for (const std::string& name : request.keys) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_word(name, known);
    const std::string_view ground = request.study == KeyStudy::sensitivity ? "calibrated or assumed" : "calibrated";
    usage_error("CLI-VALUE",
                fmt::format("--key {}: no machine of these rows has a {} value of that name", name, ground),
                near.empty() ? fmt::format("teslasim validate {} --list", option_of(request.study))
                             : "did you mean '" + near + "'?");
  }
  std::vector<StudiedKey> wanted;
  for (const StudiedKey& key : keys) {
    if (std::find(request.keys.begin(), request.keys.end(), key.key) != request.keys.end()) wanted.push_back(key);
  }
  return wanted;
}

/// A page is written whole, so what is there must be one too.
void check_page(const std::string& file) {
  const TextFile old = read_text_file(file, largest_text, FileOwner::program);
  if (!old.error.empty() || old.text.empty() || old.text.starts_with(page_mark)) return;
  usage_error("CLI-VALUE", "--report: " + file + " is no page of a study, and would be written over",
              "name a new file");
}

StudyForms sensitivity_forms(const StudyRequest& request, const std::vector<PublishedRow>& rows,
                             const WorkerOptions& workers) {
  const std::vector<StudiedKey> keys = wanted_keys(request, studied_keys(machines_of(rows)));
  const SensitivityResult result =
      request.depth == StudyDepth::list ? planned_moves(rows, keys) : sensitivity(rows, keys, workers);
  return {{sensitivity_text(result), sensitivity_json(result)}, sensitivity_markdown(result, request.scope)};
}

StudyForms left_out_forms(const StudyRequest& request, const std::vector<PublishedRow>& rows,
                          const WorkerOptions& workers) {
  if (families_of(rows).size() < 2)
    usage_error("CLI-VALUE", "--left-out needs rows of two families: one is predicted from the others",
                "name more with --only, or leave it out");
  const std::vector<StudiedKey> keys = wanted_keys(request, calibrated_keys(studied_keys(machines_of(rows))));
  const LeftOutResult result =
      request.depth == StudyDepth::list ? planned_left_out(rows, keys) : left_out(rows, keys, workers);
  return {{left_out_text(result), left_out_json(result)}, left_out_markdown(result, request.scope)};
}

}  // namespace

std::string_view option_of(KeyStudy study) {
  return study == KeyStudy::sensitivity ? "--sensitivity" : "--left-out";
}

StudyOutput run_study(const StudyRequest& request, const std::vector<PublishedRow>& all_rows,
                      const WorkerOptions& workers) {
  const std::vector<PublishedRow> rows = numeric_rows(all_rows);
  if (rows.empty())
    usage_error("CLI-VALUE", "none of these rows has a number to compare with", "teslasim validate --list");
  if (!request.page.empty()) check_page(request.page);
  const StudyForms forms = request.study == KeyStudy::sensitivity ? sensitivity_forms(request, rows, workers)
                                                                  : left_out_forms(request, rows, workers);
  if (!request.page.empty() && request.depth == StudyDepth::measure)
    write_file(request.page,
               fmt::format("{} {} --report`; do not edit -->\n{}", page_mark, option_of(request.study), forms.page));
  return forms.output;
}

}  // namespace teslasim
