// SPDX-License-Identifier: Apache-2.0
// The laws that the counters of every launch obey, whatever the kernel and the machine. Each counter on the left of a
// law is counted in another place of the simulator than those on its right, so a broken law is a bug of the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/launch_statistics.h"

namespace teslasim {

struct Violation {
  std::string_view law;   ///< short name, e.g. "slots-close"
  std::string statement;  ///< the law in words, with the SM when it is about one
  std::uint64_t left = 0, right = 0;
};

/// All violated laws; empty when the books close. Laws about completeness (responses, bytes, blocks) are applied only
/// to launches that ran to their end, laws about time only to timed ones.
[[nodiscard]] std::vector<Violation> check_conservation(const LaunchStatistics& launch);

/// The diagnostic text of one violation: "slots-close: issue slots = SM cycles x SMs (12 and 13)".
[[nodiscard]] std::string describe(const Violation& violation);

}  // namespace teslasim
