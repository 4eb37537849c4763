// SPDX-License-Identifier: Apache-2.0
// The generated part of docs/validation.md: every row, the plots, and the counted rows that miss with their causes.
#pragma once

#include <string>
#include <string_view>

#include "sim/validation/validation.h"

namespace teslasim {

inline constexpr std::string_view document_begin =
    "<!-- validation begin: made by `teslasim validate --report docs/validation.md` -->";
inline constexpr std::string_view document_end = "<!-- validation end -->";

/// The Markdown between the two marks. `plot_folder` is where the plots of sweeps() lie, relative to the document.
[[nodiscard]] std::string validation_markdown(const ValidationResult& result, std::string_view plot_folder);

/// `document` with the text between the marks replaced. Throws InputError (input) when it has no marks.
[[nodiscard]] std::string with_validation(const std::string& document, const std::string& markdown);

/// Why a row misses, from traces/micro/causes.csv; empty when nobody has found out.
[[nodiscard]] std::string cause_of(std::string_view id, std::string_view machine);

}  // namespace teslasim
