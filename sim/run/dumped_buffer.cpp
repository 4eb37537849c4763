// SPDX-License-Identifier: Apache-2.0
#include "sim/run/dumped_buffer.h"

#include <fmt/format.h>

#include <vector>

#include "sim/run/usage_error.h"

namespace teslasim {

std::size_t dumped_buffer(const PreparedRun& prepared, const std::string& name) {
  const Workload& workload = prepared.workload;
  if (prepared.trace)
    usage_error("CLI-TRACE", "--dump has no meaning for a trace: a replay moves addresses, not values",
                "dump the buffer in a run of the code");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < workload.buffers.size(); ++i) {
    if (workload.buffers[i].name == name) return i;
    names.push_back(workload.buffers[i].name);
  }
  const std::string near = nearest_word(name, names);
  const std::string all =
      names.empty() ? "the launch has none" : fmt::format("the buffers are: {}", fmt::join(names, ", "));
  usage_error("CLI-DUMP", "--dump: there is no buffer '" + name + "'",
              near.empty() ? all : "did you mean '" + near + "'?");
}

}  // namespace teslasim
