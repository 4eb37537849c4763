// SPDX-License-Identifier: Apache-2.0
// The table of warp schedulers: the rows of schedulers.def.
#include <array>

#include "sim/base/diagnostic.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

constexpr std::array scheduler_rows{
#define SCHEDULER(name, description) WarpSchedulerRow{#name, description, make_##name},
#include "sim/sm/issue/schedulers.def"
#undef SCHEDULER
};

}  // namespace

std::span<const WarpSchedulerRow> warp_schedulers() {
  return scheduler_rows;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(std::string_view name, const WarpSchedulerParameters& parameters) {
  for (const WarpSchedulerRow& row : scheduler_rows) {
    if (row.name == name) return row.make(parameters);
  }
  throw InternalError("no warp scheduler is called '" + std::string(name) + "'");
}

}  // namespace teslasim
