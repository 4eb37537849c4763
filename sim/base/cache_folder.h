// SPDX-License-Identifier: Apache-2.0
// Where the program keeps what it can make again: calibrations, compiled kernels.
//
// The folder is $TESLASIM_CACHE, else $XDG_CACHE_HOME/teslasim, else $HOME/.cache/teslasim; the value "none" for
// TESLASIM_CACHE stands for no cache.
#pragma once

#include <string>

namespace teslasim {

/// Empty when there is no cache. The folder need not exist.
[[nodiscard]] std::string cache_folder();

}  // namespace teslasim
