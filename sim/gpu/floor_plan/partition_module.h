// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of a memory partition, of its texture cache and of its DRAM channel.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "memory/dram/dram_controller.h"
#include "memory/partition/partition.h"
#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/memory_links.h"
#include "sim/gpu/floor_plan/memory_signals.h"
#include "sim/gpu/floor_plan/unit_module.h"

namespace teslasim {

class TlmMemoryPort;

/// The DRAM channel on the floor plan (`gpu.partition5.dram`). It owns the core, which the partition drives; no
/// process.
class DramModule final : public TracedModule {
 public:
  DramModule(const sc_core::sc_module_name& name, const MemoryPath& path) : TracedModule(name), core(path) {
    show(core, signals_of(core));
  }
  DramChannel core;
};

/// The second-level texture cache on the floor plan (`gpu.partition5.texture_l2`): the same.
class TextureL2Module final : public TracedModule {
 public:
  TextureL2Module(const sc_core::sc_module_name& name, const MemoryPath& path) : TracedModule(name), core(path) {
    show(core, signals_of(core));
  }
  TextureL2 core;
};

/// Controller and chips of a partition (`gpu.partition5.controller`, `gpu.partition5.dram`).
struct BuiltInDram {
  explicit BuiltInDram(const MemoryPath& path) : channel("dram", path), core(path, channel.core) {}
  DramModule channel;
  DramController core;
  UnitModule<DramController> controller{"controller", core};
};

/// One memory partition on the floor plan (`gpu.partition5`). Driven by the memory clock.
class PartitionModule final : public TracedModule, public Clocked {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_export<TransactionInterface> requests{"requests"};             ///< from the crossbar
  sc_core::sc_export<CreditInterface> crossbar_credits{"crossbar_credits"};  ///< for responses, port = TPC
  sc_core::sc_port<TransactionInterface> to_crossbar{"to_crossbar"};
  sc_core::sc_port<CreditInterface> credit_to_crossbar{"credit_to_crossbar"};

  PartitionModule(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned partition);
  ~PartitionModule() override;
  void end_of_elaboration() override;

  /// `completions` hears of every store that has taken effect; may be null.
  void begin_launch(DeviceMemory& memory, CompletionReceiver* completions);
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override { core_.describe_pending(lines); }
  void observe(TrafficObserver* observer) { core_.observe(observer); }
  void observe_commands(DramCommandObserver* observer) { core_.observe_commands(observer); }
  [[nodiscard]] const Partition& core() const { return core_; }
  /// The memory behind it: one of the two.
  [[nodiscard]] const BuiltInDram* dram() const { return dram_.get(); }
  [[nodiscard]] TlmMemoryPort* memory_port() { return memory_port_.get(); }

 private:
  [[nodiscard]] MemoryBackEnd& back_end();

  std::unique_ptr<BuiltInDram> dram_;
  std::unique_ptr<TlmMemoryPort> memory_port_;
  TextureL2Module texture_l2_;
  Partition core_;
  UnitModule<RopUnit> rop_{"rop", core_.rop()};
  TransactionGate<Partition, &Partition::receive> request_gate_{core_, clk};
  CreditGate<Partition> credit_gate_{core_, clk};
};

}  // namespace teslasim
