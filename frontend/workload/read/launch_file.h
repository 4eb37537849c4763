// SPDX-License-Identifier: Apache-2.0
// Reader of launch files (`*.launch.toml`, schema "teslasim.launch/1"): text to draft. It knows the keys and the kinds
// of their values; what the values mean together, and against the kernel, is checked by the resolver. Errors:
// LAUNCH-SYNTAX (not TOML), LAUNCH-SCHEMA, LAUNCH-UNKNOWN (key), LAUNCH-TYPE, LAUNCH-MISSING, LAUNCH-RANGE.
#pragma once

#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"

namespace teslasim {

/// Reads the text of `mistakes`; what is wrong is added there, and the rest of the draft is still usable.
[[nodiscard]] WorkloadDraft read_launch_text(MistakeList& mistakes);

}  // namespace teslasim
