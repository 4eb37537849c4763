// SPDX-License-Identifier: Apache-2.0
// The checks of a workload: buffers, references and their arguments, files, tolerances.
#pragma once

#include <optional>
#include <string>

#include "frontend/workload.h"
#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"

namespace teslasim {

/// The expectation, or nothing when it is wrong. `workload` has all its launches and buffers.
[[nodiscard]] std::optional<Expectation> resolve_expectation(const ExpectationDraft& draft, const std::string& folder,
                                                             const Workload& workload, MistakeList& mistakes);

}  // namespace teslasim
