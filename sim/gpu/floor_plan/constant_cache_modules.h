// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the caches that instructions and constants share.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "memory/cache/cache_level.h"
#include "memory/cache/line_reader.h"
#include "memory/memory_path.h"
#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/line_links.h"
#include "sim/gpu/floor_plan/memory_links.h"
#include "sim/gpu/floor_plan/memory_signals.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// The second level on the floor plan (`gpu.tpc3.constant_l2`). Driven by the core clock.
class ConstantL2Module final : public TracedModule, public Clocked {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_export<LineInterface> requests{"requests"};  ///< from SM j of the TPC with port j
  sc_core::sc_export<LineInterface> from_l3{"from_l3"};    ///< from the third level
  sc_core::sc_vector<sc_core::sc_port<LineInterface>> to_sm{"to_sm"};
  sc_core::sc_port<LineInterface> to_l3{"to_l3"};

  ConstantL2Module(const sc_core::sc_module_name& name, const MachineSpec& machine, const MemoryPath& path,
                   unsigned tpc);
  void end_of_elaboration() override;
  /// Behind all others: a clock looks at its units in groups, and these have nothing to do most of the time.
  void start_of_simulation() override;
  void begin_launch() { core_.reset(); }
  Femtoseconds advance(Femtoseconds now, Femtoseconds) override { return core_.advance(now); }
  void describe_pending(std::vector<std::string>& lines) const override { core_.describe_pending(lines); }
  [[nodiscard]] const CacheLevel& core() const { return core_; }

 private:
  CacheLevel core_;
  unsigned tpc_;
  LineGate<CacheLevel, &CacheLevel::receive_request> request_gate_{core_, clk};
  LineGate<CacheLevel, &CacheLevel::receive_line> line_gate_{core_, clk};
};

/// The third level on the floor plan (`gpu.constant_l3`) with its port at the crossbar, where it is the client after
/// the last TPC. Driven by the core clock.
class ConstantL3Module final : public TracedModule, public Clocked {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_export<LineInterface> requests{"requests"};                    ///< from TPCs
  sc_core::sc_export<TransactionInterface> responses{"responses"};           ///< from the crossbar
  sc_core::sc_export<CreditInterface> crossbar_credits{"crossbar_credits"};  ///< from the crossbar, port = partition
  sc_core::sc_port<TransactionInterface> to_crossbar{"to_crossbar"};
  sc_core::sc_vector<sc_core::sc_port<LineInterface>> to_tpc{"to_tpc"};

  ConstantL3Module(const sc_core::sc_module_name& name, const MachineSpec& machine, const MemoryPath& path);
  void end_of_elaboration() override;
  void begin_launch();
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override;
  [[nodiscard]] const CacheLevel& core() const { return core_; }
  [[nodiscard]] const LineReader& reader() const { return reader_; }

 private:
  /// From the reader to the cache, both of this module: the cache works right after the reader.
  class Lines final : public LineReceiver {
   public:
    explicit Lines(CacheLevel& core) : core_(core) {}
    void receive_line(unsigned port, const LineRequest& line) override { core_.receive_line(port, line); }

   private:
    CacheLevel& core_;
  };

  CacheLevel core_;
  LineReader reader_;
  Lines lines_{core_};
  LineGate<CacheLevel, &CacheLevel::receive_request> request_gate_{core_, clk};
  LineGate<LineReader, &LineReader::receive_request> reader_gate_{reader_, clk};
  TransactionGate<LineReader, &LineReader::receive_response> response_gate_{reader_, clk};
  CreditGate<LineReader> credit_gate_{reader_, clk};
};

}  // namespace teslasim
