// SPDX-License-Identifier: Apache-2.0
// Published rows and what became of them, for the terminal.
#pragma once

#include <string>
#include <vector>

#include "sim/validation/validation.h"

namespace teslasim {

/// A line per row, and the summary.
[[nodiscard]] std::string validation_text(const ValidationResult& result);
/// The rows with their sources, without results.
[[nodiscard]] std::string published_text(const std::vector<PublishedRow>& rows);

}  // namespace teslasim
