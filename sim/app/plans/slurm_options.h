// SPDX-License-Identifier: Apache-2.0
// The options by which sweep, dse and validate run their points on a cluster.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/app/cli/command_line.h"
#include "sim/run/slurm/slurm_request.h"

namespace teslasim {

[[nodiscard]] std::span<const Option> slurm_options();

/// What `--on` asks for; nothing for this host. `command` was called with `arguments`; `plan` is its file, or "".
[[nodiscard]] std::optional<SlurmRequest> slurm_request(const ParsedOptions& options, std::string_view command,
                                                        const Arguments& arguments, const std::string& plan);

/// `--resume DIR`: calls the command that began the study, where it was called. Its exit code; nothing without
/// --resume, and in the call that this makes.
[[nodiscard]] std::optional<int> resumed(const ParsedOptions& options, const Arguments& arguments);

}  // namespace teslasim
