// SPDX-License-Identifier: Apache-2.0
#include "sim/base/cache_folder.h"

#include <cstdlib>

namespace teslasim {

std::string cache_folder() {
  if (const char* folder = std::getenv("TESLASIM_CACHE")) return std::string(folder) == "none" ? "" : folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != '\0')
    return std::string(folder) + "/teslasim";
  if (const char* folder = std::getenv("HOME"); folder != nullptr && *folder != '\0')
    return std::string(folder) + "/.cache/teslasim";
  return "";
}

}  // namespace teslasim
