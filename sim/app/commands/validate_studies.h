// SPDX-License-Identifier: Apache-2.0
// The studies of `teslasim validate` that change keys: --sensitivity and --left-out.
#pragma once

#include <vector>

#include "sim/app/cli/command_line.h"
#include "sim/validation/validation.h"

namespace teslasim {

/// Whether the options ask for a study.
[[nodiscard]] bool asks_for_study(const ParsedOptions& options);
/// Runs it on `rows`, prints and writes what comes out; the exit code. Throws InputError for options that do not go
/// together.
[[nodiscard]] int validate_study(const ParsedOptions& options, const std::vector<PublishedRow>& rows,
                                 const WorkerOptions& workers);

}  // namespace teslasim
