// SPDX-License-Identifier: Apache-2.0
// Conditions of `--expect` in a file, so that a teacher or a nightly job keeps them beside the kernel: one per line,
// and what stands behind # is a remark.
#pragma once

#include <string>
#include <vector>

namespace teslasim {

/// The values of `--expect` with the conditions of FILE in the place of each `@FILE`. Throws InputError: for a file
/// that cannot be read or has no condition (input, EXPECT-FILE), for conditions that are wrong, all at once (usage,
/// CLI-EXPECT).
[[nodiscard]] std::vector<std::string> with_expectation_files(const std::vector<std::string>& values);

}  // namespace teslasim
