// SPDX-License-Identifier: Apache-2.0
// The SystemC module of the crossbar: a request network and a response network.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "memory/crossbar/crossbar_network.h"
#include "memory/memory_path.h"
#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/memory_links.h"
#include "sim/gpu/floor_plan/memory_signals.h"
#include "sim/gpu/floor_plan/unit_module.h"

namespace teslasim {

/// The crossbar on the floor plan (`gpu.crossbar`). Driven by the core clock. Ports of the two transaction exports are
/// queue numbers: see CrossbarNetwork::port.
class CrossbarModule final : public sc_core::sc_module, public Clocked {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_export<TransactionInterface> requests{"requests"};               ///< from TPCs
  sc_core::sc_export<TransactionInterface> responses{"responses"};             ///< from partitions
  sc_core::sc_export<CreditInterface> partition_credits{"partition_credits"};  ///< from partitions, port = partition
  sc_core::sc_vector<sc_core::sc_port<TransactionInterface>> to_partition{"to_partition"};
  sc_core::sc_vector<sc_core::sc_port<TransactionInterface>> to_tpc{"to_tpc"};
  sc_core::sc_vector<sc_core::sc_port<CreditInterface>> credit_to_tpc{"credit_to_tpc"};
  sc_core::sc_vector<sc_core::sc_port<CreditInterface>> credit_to_partition{"credit_to_partition"};

  CrossbarModule(const sc_core::sc_module_name& name, const MemoryPath& path);
  void end_of_elaboration() override;

  void begin_launch();
  void observe(TrafficObserver* observer) {
    request_network_.observe(observer, TrafficObserver::Way::request);
    response_network_.observe(observer, TrafficObserver::Way::reply);
  }
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override;
  [[nodiscard]] const CrossbarNetwork& request_network() const { return request_network_; }
  [[nodiscard]] const CrossbarNetwork& response_network() const { return response_network_; }

 private:
  CrossbarNetwork request_network_;
  CrossbarNetwork response_network_;
  UnitModule<CrossbarNetwork> request_unit_{"request_network", request_network_};
  UnitModule<CrossbarNetwork> response_unit_{"response_network", response_network_};
  TransactionGate<CrossbarNetwork, &CrossbarNetwork::receive> request_gate_{request_network_, clk};
  TransactionGate<CrossbarNetwork, &CrossbarNetwork::receive> response_gate_{response_network_, clk};
  CreditGate<CrossbarNetwork> credit_gate_{request_network_, clk};
};

}  // namespace teslasim
