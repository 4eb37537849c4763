// SPDX-License-Identifier: Apache-2.0
// The SystemC module of the memory management unit: second-level TLB and page walks.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "memory/translation/memory_management_unit.h"
#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/memory_links.h"
#include "sim/gpu/floor_plan/memory_signals.h"
#include "sim/gpu/floor_plan/unit_module.h"

namespace teslasim {

/// The memory management unit on the floor plan (`gpu.mmu`), beside the crossbar. Driven by the core clock.
class MemoryManagementModule final : public TracedModule, public Clocked {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_export<TranslationInterface> requests{"requests"};             ///< from TPCs, port = TPC
  sc_core::sc_export<TransactionInterface> responses{"responses"};           ///< entries of the page table
  sc_core::sc_export<CreditInterface> crossbar_credits{"crossbar_credits"};  ///< port = partition
  sc_core::sc_port<TransactionInterface> to_crossbar{"to_crossbar"};
  sc_core::sc_vector<sc_core::sc_port<TranslationInterface>> to_tpc{"to_tpc"};

  MemoryManagementModule(const sc_core::sc_module_name& name, const MemoryPath& path);
  void end_of_elaboration() override;

  void begin_launch() { core_.reset(); }
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override { core_.describe_pending(lines); }
  [[nodiscard]] const MemoryManagementUnit& core() const { return core_; }

 private:
  MemoryManagementUnit core_;
  UnitModule<TagArray> tlb_{"tlb", core_.tlb()};
  TranslationGate<MemoryManagementUnit, &MemoryManagementUnit::receive_request> request_gate_{core_, clk};
  TransactionGate<MemoryManagementUnit, &MemoryManagementUnit::receive_response> response_gate_{core_, clk};
  CreditGate<MemoryManagementUnit> credit_gate_{core_, clk};
};

}  // namespace teslasim
