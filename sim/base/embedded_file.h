// SPDX-License-Identifier: Apache-2.0
// Text files that are part of the program, so that it works from any directory (cmake/Embed.cmake).
#pragma once

#include <string_view>

namespace teslasim {

struct EmbeddedFile {
  std::string_view name;  ///< path below the root of the source tree, e.g. "configs/gtx280.toml"
  std::string_view text;
};

}  // namespace teslasim
