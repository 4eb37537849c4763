// SPDX-License-Identifier: Apache-2.0
// The whole memory side of a GPU with traffic generators in the place of the SMs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "memory/image/device_memory.h"
#include "memory/image/memory_access.h"
#include "sim/engine/simulation.h"
#include "sim/gpu/floor_plan/memory_wiring.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {

struct TrafficItem {
  Address address = 0;
  std::uint16_t bytes = 64;
  bool write = false;
};

inline TlbSpec ideal_tlb() {
  TlbSpec tlb;
  tlb.ideal = true;
  return tlb;
}

struct MemorySystemSpec {
  FloorPlan plan{2, 3, 1'661'130, 903'342};
  Femtoseconds sm_period = 1'543'210;
  TpcSpec tpc;
  NocSpec noc;
  DramSpec dram;
  TlbSpec tlb = ideal_tlb();
};

struct MemorySystemOptions {
  unsigned look_ahead = 8;
  Sleeping sleeping = Sleeping::on;
  unsigned construction_seed = 0;
};

/// Sends its items as fast as credits allow, at most one per SM cycle, and notes when answers come.
class TrafficSm final : public sc_core::sc_module, public Clocked, public TransactionInterface, public CreditInterface {
 public:
  TrafficSm(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned sm);
  ClockPort clk{"clk"};
  sc_core::sc_port<TransactionInterface> memory{"memory"};
  void end_of_elaboration() override { clk.subscribe(*this, name()); }
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override;
  void receive(unsigned port, const MemoryTransaction& transaction) override;
  void credit(unsigned port, Femtoseconds when) override;
  void begin(std::vector<TrafficItem> items);

  struct Answer {
    Femtoseconds when = 0;
    std::uint16_t tag = 0;
  };
  std::vector<Answer> answers;         ///< in the order of arrival
  std::vector<Femtoseconds> sent;      ///< edge at which each item left
  std::vector<MemoryAccess> accesses;  ///< one per item
  [[nodiscard]] bool done() const { return next_ == items_.size() && answers.size() == reads_; }
  [[nodiscard]] unsigned credits_in_use() const { return credits_.in_use(); }

 private:
  Femtoseconds send(Femtoseconds now);
  const MemoryPath& path_;
  unsigned sm_;
  Credits credits_;
  std::vector<TrafficItem> items_;
  std::size_t next_ = 0, reads_ = 0;
};

class MemorySystem {
 public:
  explicit MemorySystem(const MemorySystemSpec& spec, const MemorySystemOptions& options = {});
  /// items[sm]
  RunResult run(const std::vector<std::vector<TrafficItem>>& items);
  [[nodiscard]] std::uint64_t digest() const;

  MemorySystemSpec spec;
  SystemCContext context;
  MemoryPath path;
  DeviceMemory memory;
  std::unique_ptr<ClockDomain> sm_clock, core_clock, memory_clock;
  std::unique_ptr<CrossbarModule> crossbar;
  std::unique_ptr<MemoryManagementModule> management;
  std::vector<std::unique_ptr<TrafficSm>> sms;
  std::vector<std::unique_ptr<TpcModule>> tpcs;
  std::vector<std::unique_ptr<PartitionModule>> partitions;
  std::unique_ptr<Island> island;

 private:
  void build_tpc(unsigned tpc);
  void build_partition(unsigned partition);
};

/// Random addresses below 64 KiB, random sizes, a third of them writes.
std::vector<std::vector<TrafficItem>> random_traffic(unsigned sms, unsigned items, std::uint32_t seed);

}  // namespace teslasim::testing
