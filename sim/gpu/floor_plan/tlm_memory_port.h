// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 initiator socket behind a partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "memory/dram/memory_back_end.h"
#include "memory/memory_path.h"
#include "sim/base/ring.h"
#include "sim/engine/clock_port.h"
#include "sim/engine/island.h"
#include "sim/engine/traced_module.h"
#include "sim/gpu/floor_plan/tlm_transaction.h"

namespace teslasim {

/// Takes the place of the memory controller, as `gpu.partition5.memory_port`, when `dram.model` is "tlm", and speaks
/// the base protocol of TLM-2.0, approximately timed, with whatever memory model its socket is bound to. One request
/// per memory cycle, the next after END_REQ; answers in any order, of which one is taken per memory cycle, with
/// END_RESP. Early answers and early completion are understood, annotated delays too. A phase that comes at some time
/// counts from the first memory edge after it, so that the order of processes within that time makes no difference. The
/// data are zeros: values were exchanged at the partition's front. See docs/howto/attach-a-memory-model.md.
class TlmMemoryPort final : public TracedModule, public MemoryBackEnd, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket{"socket"};

  TlmMemoryPort(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned partition);
  /// `clock`: that of the partition, woken when the target calls. To be called before the first launch.
  void connect(ClockPort& clock, Island& island);
  [[nodiscard]] unsigned partition() const { return partition_; }
  /// Throws InputError when no memory model was bound to the socket.
  void require_bound();
  /// Payloads made so far.
  [[nodiscard]] std::size_t payloads() const { return payloads_.size(); }

  void reset() override;
  /// The memory model has its own ways to show its commands.
  void observe(DramCommandObserver*, unsigned) override {}
  void push(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket, MemoryCycle now) override;
  bool step(MemoryCycle now, Served& served) override;
  [[nodiscard]] MemoryCycle last_data() const override { return last_data_; }
  /// Only the number that waited: what the target's buses and banks did is unknown here and stays 0.
  void add_to(PartitionStatistics& statistics, MemoryCycle cycles) const override;

 private:
  using Payload = tlm::tlm_generic_payload;
  using Stage = TlmTransaction::Stage;

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void request(MemoryCycle now);
  bool take_answer(MemoryCycle now, Served& served);
  /// The target has said `phase` of `payload`, to count from `when` on.
  void hear(Payload& payload, const tlm::tlm_phase& phase, Femtoseconds when);
  void accepted(Payload& payload, Femtoseconds when);
  void answered(Payload& payload, Femtoseconds when);
  /// To be reported at the next edge: SystemC would swallow an exception of the target's process.
  void object(const std::string& what);
  void count_depth(MemoryCycle now, int change);
  void wake(Femtoseconds when);
  void want_next(MemoryCycle now);
  [[nodiscard]] MemoryCycle edge_from(Femtoseconds when) const { return (when + period_ - 1) / period_; }
  [[nodiscard]] sc_core::sc_time until(MemoryCycle now) const;

  const MemoryPath& path_;
  unsigned partition_;
  Femtoseconds period_;
  ClockPort* clock_ = nullptr;
  Island* island_ = nullptr;
  TlmPayloads payloads_;
  Ring<Payload*> waiting_;         ///< not sent yet
  Payload* requesting_ = nullptr;  ///< sent, not accepted; also one of an earlier launch that was cut off
  Femtoseconds request_from_ = 0;  ///< the next request may be sent then
  std::vector<Payload*> answers_;  ///< not taken yet, by the time from which on they may be
  std::string objection_;          ///< what the target did wrong
  std::uint64_t launch_ = 0;
  MemoryCycle last_data_ = 0;
  MemoryCycle depth_changed_ = 0;
  std::uint64_t depth_ = 0, deepest_ = 0, depth_cycles_ = 0;
};

}  // namespace teslasim
