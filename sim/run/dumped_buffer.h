// SPDX-License-Identifier: Apache-2.0
// Which buffer of a run --dump names.
#pragma once

#include <cstddef>
#include <string>

#include "sim/run/workload_run.h"

namespace teslasim {

/// Its place in Workload::buffers. Throws InputError (usage) when there is none of that name, and for traces.
[[nodiscard]] std::size_t dumped_buffer(const PreparedRun& prepared, const std::string& name);

}  // namespace teslasim
