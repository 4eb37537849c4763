// SPDX-License-Identifier: Apache-2.0
// The netlist of the memory side below the TPCs, one line per wire.
#pragma once

#include "sim/gpu/floor_plan/constant_cache_modules.h"
#include "sim/gpu/floor_plan/crossbar_module.h"
#include "sim/gpu/floor_plan/memory_management_module.h"
#include "sim/gpu/floor_plan/partition_module.h"
#include "sim/gpu/floor_plan/tpc_module.h"

namespace teslasim {

inline void wire(TpcModule& tpc, unsigned number, CrossbarModule& crossbar) {
  tpc.to_crossbar(crossbar.requests);
  crossbar.to_tpc[number](tpc.responses);
  crossbar.credit_to_tpc[number](tpc.crossbar_credits);
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

inline void wire(TpcModule& tpc, unsigned number, MemoryManagementModule& unit) {
  tpc.to_management(unit.requests);
  unit.to_tpc[number](tpc.translations);
}

inline void wire(PartitionModule& partition, unsigned number, CrossbarModule& crossbar) {
  partition.to_crossbar(crossbar.responses);
  partition.credit_to_crossbar(crossbar.partition_credits);
  crossbar.to_partition[number](partition.requests);
  crossbar.credit_to_partition[number](partition.crossbar_credits);
}

}  // namespace teslasim
