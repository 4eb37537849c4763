// SPDX-License-Identifier: Apache-2.0
// A followed run as text, at most 100 columns wide.
#pragma once

#include <string>

#include "sim/run/follow/run_follower.h"

namespace teslasim {

/// One line without its end: for output that only grows.
[[nodiscard]] std::string followed_line(const FollowedRun& run);
/// Some lines: for a terminal that shows the newest ones in their place.
[[nodiscard]] std::string followed_block(const FollowedRun& run);
/// How it ended, by its run.json, with the errors of the run.
[[nodiscard]] std::string ended_text(const FollowedRun& run);

}  // namespace teslasim
