// SPDX-License-Identifier: Apache-2.0
// Where the tests find the source tree and may write. Included by force into every test, so that only places.cpp
// depends on where the tree lies and a compiler cache serves several clones.
#pragma once

namespace teslasim::test {

[[nodiscard]] const char* source_directory();
[[nodiscard]] const char* binary_directory();

}  // namespace teslasim::test

#define TESLASIM_SOURCE_DIR ::teslasim::test::source_directory()
#define TESLASIM_BINARY_DIR ::teslasim::test::binary_directory()
