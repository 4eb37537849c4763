// SPDX-License-Identifier: Apache-2.0
// The units of one SM on the floor plan, each with the part that it stands for.
#pragma once

#include <optional>
#include <systemc>

#include "sim/gpu/floor_plan/sm_signals.h"
#include "sim/gpu/floor_plan/unit_module.h"
#include "sim/sm/sm.h"

namespace teslasim {

/// Fetch and instruction queue (`gpu.tpc3.sm1.front_end`), with the fetch port and its cache inside.
class FrontEndModule final : public UnitModule<FrontEnd> {
 public:
  FrontEndModule(const sc_core::sc_module_name& name, const FrontEnd& part)
      : UnitModule(name, part), fetch_("fetch", part.fetch_unit()) {}

 private:
  UnitModule<FetchUnit> fetch_;
};

/// A functional unit (`gpu.tpc3.sm1.mad_unit`) with its operand collectors.
class FunctionalUnitModule final : public UnitModule<FunctionalUnit> {
 public:
  FunctionalUnitModule(const sc_core::sc_module_name& name, const FunctionalUnit& part)
      : UnitModule(name, part), collectors_("collectors", part.collectors()) {}

 private:
  UnitModule<OperandCollectors> collectors_;
};

/// Shared memory (`gpu.tpc3.sm1.shared_memory`) with its banks.
class SharedMemoryModule final : public UnitModule<SharedMemory> {
 public:
  SharedMemoryModule(const sc_core::sc_module_name& name, const SharedMemory& part)
      : UnitModule(name, part), banks_("banks", part.banks()) {}

 private:
  UnitModule<SharedMemoryBanks> banks_;
};

/// The coalescer (`gpu.tpc3.sm1.load_store_unit.coalescer`), which shows the transactions that its rules made.
class CoalescerModule final : public UnitModule<CoalescingRules> {
 public:
  CoalescerModule(const sc_core::sc_module_name& name, const LoadStoreUnit& unit) : UnitModule(name, unit.coalescer()) {
    show(unit, coalescer_signals());
  }
};

/// The load/store unit (`gpu.tpc3.sm1.load_store_unit`): address generation, and the coalescer behind it.
class LoadStoreModule final : public UnitModule<LoadStoreUnit> {
 public:
  LoadStoreModule(const sc_core::sc_module_name& name, const LoadStoreUnit& part)
      : UnitModule(name, part),
        address_generation_("address_generation", part.address_generation()),
        coalescer_("coalescer", part) {}

 private:
  UnitModule<FunctionalUnit> address_generation_;
  CoalescerModule coalescer_;
};

enum class DoublePrecision : bool { absent, present };

/// All units inside an SM. Constructed together with the SM's module, so that they become its children.
class SmUnits {
 public:
  SmUnits(const Sm& sm, DoublePrecision double_precision);

 private:
  UnitModule<BlockSlots> block_slots_;
  FrontEndModule front_end_;
  UnitModule<IssueStage> issue_;
  UnitModule<WarpScheduler> warp_scheduler_;
  UnitModule<Scoreboard> scoreboard_;
  UnitModule<RegisterFile> register_file_;
  FunctionalUnitModule mad_unit_;
  FunctionalUnitModule sfu_unit_;
  std::optional<FunctionalUnitModule> dp_unit_;
  UnitModule<FunctionalUnit> barrier_unit_;
  SharedMemoryModule shared_memory_;
  UnitModule<ConstantPort> constant_port_;
  UnitModule<ConstantCache> constant_cache_;
  LoadStoreModule load_store_unit_;
  UnitModule<WriteBack> write_back_;
};

}  // namespace teslasim
