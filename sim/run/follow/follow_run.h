// SPDX-License-Identifier: Apache-2.0
// Shows a run on standard output until it has ended.
#pragma once

#include <cstdint>

#include "sim/run/console.h"
#include "sim/run/follow/run_follower.h"

namespace teslasim {

enum class FollowUntil : std::uint8_t { end, now };

/// With `tty` a block that is drawn again each second, with `plain` and `json` a line per change, with `none` nothing.
/// Returns the exit code of the run: 0 while it goes on. Throws InputError (input, RUN-UNFINISHED) about a run whose
/// process is dead.
[[nodiscard]] int follow_run(const RunFollower& follower, ProgressStyle style, FollowUntil until);

}  // namespace teslasim
