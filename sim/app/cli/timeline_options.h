// SPDX-License-Identifier: Apache-2.0
// The options of `run` that record timelines and pipelines.
#pragma once

#include <span>

#include "sim/app/cli/command_line.h"
#include "sim/run/timelines.h"

namespace teslasim {

/// Their rows in the table of options of `run`.
[[nodiscard]] std::span<const Option> timeline_options();
/// Whether --sms names the SMs to record: a kernel is run, and something is recorded. A trace has SMs of its own to
/// choose from, so there --timeline-sms is needed.
[[nodiscard]] bool sms_are_to_record(const ParsedOptions& options);
/// Throws InputError (usage) for a window or a list that cannot be read.
[[nodiscard]] TimelineRequest timeline_request(const ParsedOptions& options);

}  // namespace teslasim
