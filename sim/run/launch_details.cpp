// SPDX-License-Identifier: Apache-2.0
#include "sim/run/launch_details.h"

#include <fmt/format.h>

#include "sim/run/block_choice.h"
#include "sim/run/usage_error.h"

namespace teslasim {

LaunchDetails LaunchDetails::parse(const std::string& text, std::uint64_t launches) {
  LaunchDetails details;
  details.launches_ = launches;
  if (text.empty()) details.kind_ = launches <= most_by_default ? Kind::all : Kind::none;
  if (text == "none") details.kind_ = Kind::none;
  if (text.empty() || text == "none" || text == "all") return details;
  details.kind_ = Kind::some;
  details.chosen_ = parse_ranges("launch-details", text);
  for (const NumberRanges::Range& range : details.chosen_.ranges) {
    if (range.last < launches) continue;
    usage_error("CLI-VALUE", fmt::format("--launch-details: there is no launch {}", range.last),
                fmt::format("the launches are 0 to {}", launches - 1));
  }
  return details;
}

bool LaunchDetails::alone(std::uint64_t launch) const {
  return kind_ == Kind::all || (kind_ == Kind::some && chosen_.contains(launch));
}

}  // namespace teslasim
