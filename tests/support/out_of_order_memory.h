// SPDX-License-Identifier: Apache-2.0
// A memory model as somebody else would write it, behind the TLM-2.0 socket of one partition.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace teslasim::testing {

/// Approximately timed, four phases. Has `places` for requests; one that finds none waits for its END_REQ. Every
/// request takes a time of its own, so that answers leave out of order; now and then a request is accepted late, or
/// completed at once. Holds the initiator to the base protocol: throws when a request comes before END_REQ of the last
/// one, when a payload is in use twice, or when END_RESP is missing.
class OutOfOrderMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<OutOfOrderMemory> socket{"socket"};

  struct Options {
    std::size_t places = 4;
    std::uint32_t seed = 1;
    bool answers = true;    ///< false: accepts and never answers
    bool stutters = false;  ///< says END_REQ twice, which is against the protocol
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  struct Counts {
    std::uint64_t reads = 0, writes = 0, read_bytes = 0, written_bytes = 0;
    std::uint64_t overtaken = 0;  ///< answers that left before an older one
    std::uint64_t full = 0;       ///< requests that found no place
    std::uint64_t completed = 0;  ///< at once, by TLM_COMPLETED
    std::uint64_t payloads = 0;   ///< different ones
  };

  OutOfOrderMemory(const sc_core::sc_module_name& name, const Options& options)
      : sc_module(name), options_(options), random_(options.seed) {
    socket.register_nb_transport_fw(this, &OutOfOrderMemory::transport);
    SC_HAS_PROCESS(OutOfOrderMemory);
    SC_METHOD(work);
    sensitive << wake_up_;
    dont_initialize();
  }
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Access {
    Payload* payload = nullptr;
    std::uint64_t number = 0;
    sc_core::sc_time ready;
  };

  static void hold(bool law, const char* what) {
    if (!law) throw std::logic_error(std::string("the initiator broke the protocol: ") + what);
  }
  unsigned random(unsigned below) {
    random_ = random_ * 1664525U + 1013904223U;
    return (random_ >> 8U) % below;
  }

  tlm::tlm_sync_enum transport(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      hold(answering_ == &payload, "END_RESP of what was not answered");
      answering_ = nullptr;
      payload.release();
      wake_up_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_COMPLETED;
    }
    hold(phase == tlm::BEGIN_REQ && requested_ == nullptr, "BEGIN_REQ before END_REQ");
    hold(payload.get_ref_count() == 1 && payload.get_data_ptr() != nullptr, "a payload that is not free");
    count(payload);
    if (random(16) == 0 && options_.answers) {
      ++counts_.completed;
      payload.set_response_status(options_.status);
      delay += sc_core::sc_time(40, sc_core::SC_NS);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    if (accesses_.size() < options_.places && random(2) == 0) {
      accept(payload);
      phase = tlm::END_REQ;
      delay += sc_core::sc_time(700, sc_core::SC_PS);
      wake_up_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_UPDATED;
    }
    if (accesses_.size() >= options_.places) ++counts_.full;
    requested_ = &payload;
    wake_up_.notify(sc_core::sc_time(1.3, sc_core::SC_NS));
    return tlm::TLM_ACCEPTED;
  }

  void count(Payload& payload) {
    if (std::find(seen_.begin(), seen_.end(), &payload) == seen_.end()) {
      seen_.push_back(&payload);
      ++counts_.payloads;
    }
    ++(payload.is_read() ? counts_.reads : counts_.writes);
    (payload.is_read() ? counts_.read_bytes : counts_.written_bytes) += payload.get_data_length();
  }

  void accept(Payload& payload) {
    const sc_core::sc_time latency(20.0 + random(200), sc_core::SC_NS);
    accesses_.push_back({&payload, number_++, sc_core::sc_time_stamp() + latency});
  }

  void work() {
    if (requested_ != nullptr && accesses_.size() < options_.places) {
      Payload& payload = *requested_;
      requested_ = nullptr;
      accept(payload);
      send(payload, tlm::END_REQ);
      if (options_.stutters) send(payload, tlm::END_REQ);
    }
    if (answering_ != nullptr || accesses_.empty() || !options_.answers) return;
    const auto first = std::min_element(accesses_.begin(), accesses_.end(),
                                        [](const Access& a, const Access& b) { return a.ready < b.ready; });
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (first->ready > now) return wake_up_.notify(first->ready - now);
    for (const Access& other : accesses_) counts_.overtaken += other.number < first->number ? 1U : 0U;
    Payload& payload = *first->payload;
    accesses_.erase(first);
    payload.set_response_status(options_.status);
    answering_ = &payload;
    if (send(payload, tlm::BEGIN_RESP) != tlm::TLM_COMPLETED) return;
    answering_ = nullptr;
    payload.release();
    wake_up_.notify(sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_sync_enum send(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return socket->nb_transport_bw(payload, phase, delay);
  }

  Options options_;
  std::uint32_t random_;
  Counts counts_;
  sc_core::sc_event wake_up_{"wake_up"};
  std::vector<Access> accesses_;
  std::vector<const Payload*> seen_;
  Payload* requested_ = nullptr;  ///< waits for END_REQ
  Payload* answering_ = nullptr;  ///< waits for END_RESP
  std::uint64_t number_ = 0;
};

}  // namespace teslasim::testing
