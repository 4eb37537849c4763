// SPDX-License-Identifier: Apache-2.0
// The fuzz targets by name. The table is made by CMakeLists.txt of the files there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace teslasim::test {

struct ReplayTarget {
  std::string_view name;
  int (*take)(const std::uint8_t* data, std::size_t size);
};

[[nodiscard]] std::span<const ReplayTarget> replay_targets();

}  // namespace teslasim::test
