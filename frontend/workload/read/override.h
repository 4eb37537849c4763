// SPDX-License-Identifier: Apache-2.0
// Options of the command line in the place of values of a launch file: --grid, --block, --dynamic-shared, --param,
// --check, --tol.
//
// Extents and numbers change in every launch of the file, or with --kernel in the launches of that kernel; a file that
// launches several kernels needs it. A buffer is the same for all launches, so --param replaces its declaration
// wherever it stands; --check replaces what is expected of its buffer, --tol all tolerances.
// Errors: LAUNCH-OVERRIDE, at the option.
#pragma once

#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"

namespace teslasim {

/// `file` with what `given` (of `read_inline_options`) says instead.
[[nodiscard]] WorkloadDraft overridden(WorkloadDraft file, const WorkloadDraft& given, MistakeList& mistakes);

}  // namespace teslasim
