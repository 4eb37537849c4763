// SPDX-License-Identifier: Apache-2.0
// The options of commands that run something, and what they ask for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/cli/command_line.h"
#include "sim/run/run_settings.h"

namespace teslasim {

/// The options that select kernel, launch and machine: shared by run, occupancy and rerun.
[[nodiscard]] std::span<const Option> workload_options();
[[nodiscard]] std::span<const Option> run_options();
/// --max-cycles, --max-seconds, --limit-is-error, for commands that run several things.
[[nodiscard]] std::span<const Option> limit_options();
[[nodiscard]] RunLimits run_limits(const ParsedOptions& options);
/// Those that choose a part of the blocks, for run alone.
[[nodiscard]] std::span<const Option> sampling_options();

[[nodiscard]] WorkloadRequest workload_request(const ParsedOptions& options, std::string_view command);
/// The same for an input that is not the only word behind the command.
[[nodiscard]] WorkloadRequest workload_request_for(const ParsedOptions& options, const std::string& input);
/// The level that --retarget names, 0 without it.
[[nodiscard]] std::uint8_t retarget_level(const ParsedOptions& options);
/// --set, and what --retarget sets.
[[nodiscard]] std::vector<std::string> machine_sets(const ParsedOptions& options);
[[nodiscard]] RunSettings run_settings(const ParsedOptions& options);
[[nodiscard]] RunOutputs run_outputs(const ParsedOptions& options);

}  // namespace teslasim
