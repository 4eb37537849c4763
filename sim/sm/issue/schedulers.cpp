// SPDX-License-Identifier: Apache-2.0
// The table of warp schedulers. A new policy is one file and one row here (and its name in sm_spec.h).
#include <array>

#include "sim/base/diagnostic.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

constexpr std::array<WarpSchedulerRow, 5> rows{{
    {"loose_round_robin", "the next ready warp after the one that issued last", make_loose_round_robin},
    {"oldest", "the ready warp that became resident first", make_oldest},
    {"gto", "the warp that issued last, else the oldest", make_greedy_then_oldest},
    {"two_level", "round-robin inside a group of warps until none of them is ready", make_two_level},
    {"age_and_type", "units that take long first, then the warp that issued longest ago", make_age_and_type},
}};

}  // namespace

std::span<const WarpSchedulerRow> warp_schedulers() {
  return rows;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(std::string_view name, const WarpSchedulerParameters& parameters) {
  for (const WarpSchedulerRow& row : rows) {
    if (row.name == name) return row.make(parameters);
  }
  throw InternalError("no warp scheduler is called '" + std::string(name) + "'");
}

}  // namespace teslasim
