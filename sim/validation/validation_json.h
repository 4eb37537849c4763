// SPDX-License-Identifier: Apache-2.0
// The result of a validation for programs.
#pragma once

#include <string>

#include "sim/validation/validation.h"

namespace teslasim {

/// {"schema", "rows": [...], "summary": {...}, "digest"}; `simulated` is null with a `why` when there is no value.
[[nodiscard]] std::string validation_json(const ValidationResult& result);

}  // namespace teslasim
