// SPDX-License-Identifier: Apache-2.0
// The shipped kernels (traces/) as part of the program: for `new` and for the self-test of `doctor`.
#pragma once

#include <string>
#include <vector>

namespace teslasim {

/// Names of the folders below traces/, sorted.
[[nodiscard]] std::vector<std::string> example_names();
/// Text of the example's README.md; empty when it has none.
[[nodiscard]] std::string example_readme(const std::string& name);
/// Writes the example's assembly and launch files into `folder`.
void copy_example(const std::string& name, const std::string& folder);

}  // namespace teslasim
