// SPDX-License-Identifier: Apache-2.0
// The generated part of docs/validation.md, an index of experiments with the counted rows that miss and their causes,
// and the pages below docs/validation: every row of one experiment and its plots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/validation/validation.h"

namespace teslasim {

inline constexpr std::string_view document_begin =
    "<!-- validation begin: made by `teslasim validate --report docs/validation.md` -->";
inline constexpr std::string_view document_end = "<!-- validation end -->";

/// The Markdown between the two marks. `page_folder` is where the pages of the experiments lie, relative to the
/// document.
[[nodiscard]] std::string validation_markdown(const ValidationResult& result, std::string_view page_folder);

/// "Constant caches" for "E8"; empty when there is no such experiment.
[[nodiscard]] std::string_view experiment_title(std::string_view experiment);
/// "E1"... in their order.
[[nodiscard]] std::vector<std::string_view> experiments();

/// One experiment on a page of its own; its plots lie beside it.
struct ExperimentPage {
  std::string file_name;  ///< e1.md
  std::string text;
};

/// The pages of all experiments with rows or plots. `index` is the file name of the document that links to them.
[[nodiscard]] std::vector<ExperimentPage> experiment_pages(const ValidationResult& result, std::string_view index);

/// The file names of all pages that there can be.
[[nodiscard]] std::vector<std::string> experiment_page_names();

/// `document` with the text between the marks replaced. Throws InputError (input) when it has no marks.
[[nodiscard]] std::string with_validation(const std::string& document, const std::string& markdown);

/// Why a row misses, from traces/micro/causes.csv; empty when nobody has found out.
[[nodiscard]] std::string cause_of(std::string_view id, std::string_view machine);

}  // namespace teslasim
