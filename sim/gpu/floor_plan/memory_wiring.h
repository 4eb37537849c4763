// SPDX-License-Identifier: Apache-2.0
// The netlist of the memory side below the TPCs, one line per wire. A route leads down; `back` is the way up.
#pragma once

#include "sim/gpu/floor_plan/constant_cache_modules.h"
#include "sim/gpu/floor_plan/crossbar_module.h"
#include "sim/gpu/floor_plan/memory_management_module.h"
#include "sim/gpu/floor_plan/partition_module.h"
#include "sim/gpu/floor_plan/region_plan.h"
#include "sim/gpu/floor_plan/tpc_module.h"

namespace teslasim {

[[nodiscard]] inline RegionRoute back(RegionRoute route) {
  return {route.to, route.from};
}

inline void wire(TpcModule& tpc, unsigned number, CrossbarModule& crossbar, Cabling& cabling, RegionRoute route) {
  tpc.to_crossbar(cabling.lay(route, crossbar.requests));
  crossbar.to_tpc[number](cabling.lay(back(route), tpc.responses));
  crossbar.credit_to_tpc[number](cabling.lay(back(route), tpc.crossbar_credits));
}

inline void wire(ConstantL3Module& cache, unsigned client, CrossbarModule& crossbar) {
  cache.to_crossbar(crossbar.requests);
  crossbar.to_tpc[client](cache.responses);
  crossbar.credit_to_tpc[client](cache.crossbar_credits);
}

inline void wire(MemoryManagementModule& unit, unsigned requester, CrossbarModule& crossbar) {
  unit.to_crossbar(crossbar.requests);
  crossbar.to_tpc[requester](unit.responses);
  crossbar.credit_to_tpc[requester](unit.crossbar_credits);
}

inline void wire(TpcModule& tpc, unsigned number, MemoryManagementModule& unit, Cabling& cabling, RegionRoute route) {
  tpc.to_management(cabling.lay(route, unit.requests));
  unit.to_tpc[number](cabling.lay(back(route), tpc.translations));
}

inline void wire(PartitionModule& partition, unsigned number, CrossbarModule& crossbar, Cabling& cabling,
                 RegionRoute route) {
  partition.to_crossbar(cabling.lay(back(route), crossbar.responses));
  partition.credit_to_crossbar(cabling.lay(back(route), crossbar.partition_credits));
  crossbar.to_partition[number](cabling.lay(route, partition.requests));
  crossbar.credit_to_partition[number](cabling.lay(route, partition.crossbar_credits));
}

}  // namespace teslasim
