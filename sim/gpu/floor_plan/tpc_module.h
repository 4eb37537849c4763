// SPDX-License-Identifier: Apache-2.0
// The module of one TPC: its SMs and its texture unit are modules in it, its memory port is a plain part.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "memory/tpc/tpc_memory_port.h"
#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/memory_links.h"
#include "sim/gpu/floor_plan/memory_signals.h"
#include "sim/gpu/floor_plan/unit_module.h"

namespace teslasim {

/// The texture unit on the floor plan (`gpu.tpc3.texture`), which works with the memory port, and the tags of each SM's
/// share of its cache (`gpu.tpc3.texture.cache1`).
class TextureModule final : public TracedModule {
 public:
  TextureModule(const sc_core::sc_module_name& name, const MemoryPath& path);
  TextureUnit core;

 private:
  std::vector<std::unique_ptr<UnitModule<TagArray>>> caches_;
};

/// The TPC's port to memory on the floor plan (`gpu.tpc3.memory_port`) with the first-level TLB.
class MemoryPortModule final : public UnitModule<TpcMemoryPort> {
 public:
  MemoryPortModule(const sc_core::sc_module_name& name, const TpcMemoryPort& part)
      : UnitModule(name, part), tlb_("tlb", part.tlb()) {}

 private:
  UnitModule<TagArray> tlb_;
};

/// One texture/processor cluster on the floor plan (`gpu.tpc3`). Driven by the core clock.
class TpcModule final : public sc_core::sc_module, public Clocked {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_export<TransactionInterface> requests{"requests"};             ///< from SM j of the TPC with port j
  sc_core::sc_export<TransactionInterface> responses{"responses"};           ///< from the crossbar
  sc_core::sc_export<CreditInterface> crossbar_credits{"crossbar_credits"};  ///< from the crossbar, port = partition
  sc_core::sc_export<TranslationInterface> translations{"translations"};     ///< from the memory management unit
  sc_core::sc_port<TransactionInterface> to_crossbar{"to_crossbar"};
  sc_core::sc_port<TranslationInterface> to_management{"to_management"};
  sc_core::sc_vector<sc_core::sc_port<TransactionInterface>> to_sm{"to_sm"};
  sc_core::sc_vector<sc_core::sc_port<CreditInterface>> credit_to_sm{"credit_to_sm"};

  /// Calls `build_sm(j)` for each SM of the TPC; modules made there become children (`gpu.tpc3.sm1`).
  TpcModule(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned tpc,
            const std::function<void(unsigned sm_in_tpc)>& build_sm);
  void end_of_elaboration() override;

  /// `memory`, which texture reads read, may be null.
  void begin_launch(const DeviceMemory* memory) { core_.begin_launch(memory); }
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override { core_.describe_pending(lines); }
  [[nodiscard]] const TpcMemoryPort& core() const { return core_; }
  [[nodiscard]] const TextureUnit& textures() const { return texture_.core; }

 private:
  TextureModule texture_;
  TpcMemoryPort core_;
  MemoryPortModule memory_port_{"memory_port", core_};
  TransactionGate<TpcMemoryPort, &TpcMemoryPort::receive_request> request_gate_{core_, clk};
  TransactionGate<TpcMemoryPort, &TpcMemoryPort::receive_response> response_gate_{core_, clk};
  TranslationGate<TpcMemoryPort, &TpcMemoryPort::receive_translation> translation_gate_{core_, clk};
  CreditGate<TpcMemoryPort> credit_gate_{core_, clk};
};

}  // namespace teslasim
