// SPDX-License-Identifier: Apache-2.0
// What this host is called, for files that another host may read.
#pragma once

#include <string>

namespace teslasim {

[[nodiscard]] std::string host_name();

}  // namespace teslasim
