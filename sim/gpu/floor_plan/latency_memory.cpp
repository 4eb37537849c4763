// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/latency_memory.h"

#include <algorithm>

#include "sim/base/clock_time.h"

namespace teslasim {

LatencyMemory::LatencyMemory(const sc_core::sc_module_name& name, const MemoryPath& path)
    : TracedModule(name),
      latency_(sc_core::sc_time::from_value(femtoseconds_of_ns(path.dram.tlm.latency_ns).count())),
      cycle_(sc_core::sc_time::from_value(path.plan.memory_period.count())),
      bytes_per_cycle_(path.bytes_per_memory_cycle),
      places_(path.dram.tlm.queue),
      answers_(path.dram.tlm.queue) {
  socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  SC_HAS_PROCESS(LatencyMemory);
  SC_METHOD(work);
  sensitive << wake_up_;
  dont_initialize();
  constexpr unsigned small = 16;
  show("accepted", small, [this](std::uint64_t) { return answers_.size(); });
}

sc_core::sc_time LatencyMemory::transfer(const Payload& payload) const {
  const unsigned cycles = (payload.get_data_length() + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  return cycle_ * cycles;
}

void LatencyMemory::accept(Payload& payload, const sc_core::sc_time& now) {
  const sc_core::sc_time begin = std::max(now, bus_free_);
  bus_free_ = begin + transfer(payload);
  answers_.push({&payload, bus_free_ + latency_});
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  // Later accesses are not ready before the first one, for which the wake-up already stands.
  if (answers_.size() == 1) wake_up_.notify(answers_.front().ready - sc_core::sc_time_stamp());
}

tlm::tlm_sync_enum LatencyMemory::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    answering_ = false;
    answers_.pop();
    wake_up_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  if (full()) {
    refused_ = &payload;
    return tlm::TLM_ACCEPTED;
  }
  accept(payload, sc_core::sc_time_stamp() + delay);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

/// The initiator of the partitions never calls it.
void LatencyMemory::b_transport(Payload& payload, sc_core::sc_time& delay) {
  delay += latency_ + transfer(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Sends what is due; never called by the initiator, so that its calls do not nest.
void LatencyMemory::work() {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  sc_core::sc_time none;
  if (refused_ != nullptr && !full()) {
    Payload& payload = *refused_;
    refused_ = nullptr;
    accept(payload, now);
    tlm::tlm_phase phase = tlm::END_REQ;
    socket->nb_transport_bw(payload, phase, none);
  }
  if (answering_ || answers_.empty()) return;
  if (answers_.front().ready > now) return wake_up_.notify(answers_.front().ready - now);
  answering_ = true;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  if (socket->nb_transport_bw(*answers_.front().payload, phase, none) != tlm::TLM_COMPLETED) return;
  answering_ = false;
  answers_.pop();
  wake_up_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace teslasim
