// SPDX-License-Identifier: Apache-2.0
// Every number of a run as one flat list of named values. JSON, CSV and expectations are views of this list, so they
// cannot disagree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/report/result/result.h"

namespace teslasim {

/// A statistic that has no value in this run. Printed as null, with the reason in a sibling `why`.
struct NotApplicable {
  std::string why;
};

using StatisticValue = std::variant<NotApplicable, bool, std::uint64_t, double, std::string>;

/// `path` separates levels by '/', because names such as "mem.global" contain dots; "#3" is element 3 of a list.
struct Statistic {
  std::string path;
  StatisticValue value;
};

/// The whole run, in the order of the JSON document (schema teslasim.stats/1).
[[nodiscard]] std::vector<Statistic> statistics_of(const Result& result);

/// One launch, paths relative to `launches/#n`.
[[nodiscard]] std::vector<Statistic> statistics_of(const LaunchResult& launch, std::uint64_t index,
                                                   const MachineFacts& machine);

}  // namespace teslasim
