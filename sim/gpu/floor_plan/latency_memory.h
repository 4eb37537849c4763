// SPDX-License-Identifier: Apache-2.0
// The default memory behind a TLM-2.0 socket.
#pragma once

#include <systemc>
#include <tlm>

#include "memory/memory_path.h"
#include "sim/base/ring.h"
#include "sim/engine/traced_module.h"

namespace teslasim {

/// Answers every transaction in order, a fixed latency after it was accepted, at most as fast as the data bus of the
/// partition. Approximately timed; accepts at once as long as it has a place. Stands for no chip (no banks, rows,
/// refresh): it shows the socket at work, and what a kernel would do with a memory that is only latency and bandwidth.
class LatencyMemory final : public TracedModule, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};

  LatencyMemory(const sc_core::sc_module_name& name, const MemoryPath& path);

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Answer {
    Payload* payload = nullptr;
    sc_core::sc_time ready;
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload&) override { return 0; }
  [[nodiscard]] bool full() const { return answers_.size() >= places_; }
  void accept(Payload& payload, const sc_core::sc_time& now);
  void work();
  [[nodiscard]] sc_core::sc_time transfer(const Payload& payload) const;

  sc_core::sc_time latency_;
  sc_core::sc_time cycle_;  ///< of the data bus
  unsigned bytes_per_cycle_;
  std::size_t places_;
  sc_core::sc_event wake_up_{"wake_up"};
  Ring<Answer> answers_;        ///< accepted, in order; the first one possibly under way
  Payload* refused_ = nullptr;  ///< a request for which there was no place
  bool answering_ = false;      ///< END_RESP has not come yet
  sc_core::sc_time bus_free_;
};

}  // namespace teslasim
