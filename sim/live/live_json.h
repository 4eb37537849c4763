// SPDX-License-Identifier: Apache-2.0
// The live view as JSON, for its page and for scripts: docs/howto/watch-a-long-run.md names the members.
#pragma once

#include <string>

#include "sim/live/live_history.h"
#include "sim/live/live_view.h"

namespace teslasim {

/// Schema "teslasim.live/1". `points` is the number of points of the history.
[[nodiscard]] std::string live_json(const LiveView& view, std::size_t points);
/// Arrays of equal length, one value per point.
[[nodiscard]] std::string live_history_json(const LiveHistory& history);
/// The name by which a product is asked for: "snapshot-1", "timeline-2".
[[nodiscard]] std::string product_name(const LiveProduct& product);

}  // namespace teslasim
