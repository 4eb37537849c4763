// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/sm_units.h"

namespace teslasim {

SmUnits::SmUnits(const Sm& sm, DoublePrecision double_precision)
    : block_slots_("block_slots", sm.blocks()),
      front_end_("front_end", sm.front_end()),
      issue_("issue", sm.issue()),
      warp_scheduler_("warp_scheduler", sm.issue().scheduler()),
      scoreboard_("scoreboard", sm.issue().scoreboard()),
      register_file_("register_file", sm.execute().registers()),
      mad_unit_("mad_unit", sm.execute().units().mad()),
      sfu_unit_("sfu_unit", sm.execute().units().sfu()),
      barrier_unit_("barrier_unit", sm.execute().barrier_unit()),
      shared_memory_("shared_memory", sm.execute().shared_memory()),
      constant_port_("constant_port", sm.execute().constants()),
      constant_cache_("constant_cache", sm.execute().constants().cache()),
      load_store_unit_("load_store_unit", sm.execute().load_store()),
      write_back_("write_back", sm.write_back()) {
  if (double_precision == DoublePrecision::present) dp_unit_.emplace("dp_unit", sm.execute().units().dp());
}

}  // namespace teslasim
