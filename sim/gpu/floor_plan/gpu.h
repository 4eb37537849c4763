// SPDX-License-Identifier: Apache-2.0
// The floor plan: all boxes of the chip, their clocks, and the netlist.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "memory/memory_path.h"
#include "sim/engine/clock_domain.h"
#include "sim/engine/island.h"
#include "sim/engine/waveform.h"
#include "sim/gpu/floor_plan/block_scheduler_module.h"
#include "sim/gpu/floor_plan/constant_cache_modules.h"
#include "sim/gpu/floor_plan/crossbar_module.h"
#include "sim/gpu/floor_plan/latency_memory.h"
#include "sim/gpu/floor_plan/memory_management_module.h"
#include "sim/gpu/floor_plan/partition_module.h"
#include "sim/gpu/floor_plan/region_plan.h"
#include "sim/gpu/floor_plan/sm_module.h"
#include "sim/gpu/floor_plan/tpc_module.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// The whole GPU as one SystemC hierarchy, `gpu`: clock domains, block scheduler, TPCs with their SMs and
/// constant caches, crossbar, third-level constant cache, partitions with their DRAM channels, and the island that runs
/// them. Three clock domains (Collange 2010, table 3): SM clock (half the SP clock; look-ahead), core clock, memory
/// clock; with several threads those of them that it needs in each region of RegionPlan.
class Gpu final : public sc_core::sc_module {
 public:
  Gpu(const sc_core::sc_module_name& name, const MachineSpec& machine, const TimingOptions& options);

  [[nodiscard]] Femtoseconds sm_period() const { return sm_period_; }
  [[nodiscard]] BlockPace block_pace() const;
  [[nodiscard]] Femtoseconds memory_period() const { return path_.plan.memory_period; }
  [[nodiscard]] const std::vector<SmModule*>& sms() const { return sms_; }
  [[nodiscard]] const std::vector<std::unique_ptr<PartitionModule>>& partitions() const { return partitions_; }
  [[nodiscard]] const std::vector<std::unique_ptr<TpcModule>>& tpcs() const { return tpcs_; }
  [[nodiscard]] const std::vector<std::unique_ptr<ConstantL2Module>>& constant_l2s() const { return constant_l2s_; }
  [[nodiscard]] const ConstantL3Module& constant_l3() const { return *constant_l3_; }
  [[nodiscard]] const MemoryManagementModule& management() const { return *management_; }
  [[nodiscard]] const CrossbarModule& crossbar() const { return *crossbar_; }
  [[nodiscard]] BlockSchedulerModule& block_scheduler() { return *block_scheduler_; }
  [[nodiscard]] const BlockSchedulerModule& block_scheduler() const { return *block_scheduler_; }
  [[nodiscard]] Island& island() { return *island_; }
  [[nodiscard]] const RegionPlan& regions() const { return plan_; }
  /// Resets everything below the SMs for a new launch.
  void begin_memory(DeviceMemory& memory, CompletionReceiver& completions);
  /// The crossbar, and each partition, report to an observer; null: to nobody. Those of different regions are called at
  /// once.
  void observe_crossbar(TrafficObserver* observer) { crossbar_->observe(observer); }
  void observe_partition(unsigned partition, TrafficObserver* observer) { partitions_[partition]->observe(observer); }
  /// Adds to a waveform the SMs `sms`, their TPCs, and what all SMs share. To be called before the first edge to be
  /// shown.
  void show_in(Waveform& waveform, const std::vector<unsigned>& sms);
  /// The memory controllers report their commands to `observer`; null: to nobody.
  void observe_commands(DramCommandObserver* observer);

 private:
  /// The clocks of one region; null: nothing there needs it.
  struct Clocks {
    std::unique_ptr<ClockDomain> sm, core, memory;
  };
  void build_clocks(const TimingOptions& options);
  void build_island(const MachineSpec& machine, const TimingOptions& options);
  void build_boxes(const MachineSpec& machine, const TimingOptions& options);
  void build_tpc(unsigned tpc, const MachineSpec& machine, const TimingOptions& options);
  std::unique_ptr<SmModule> build_sm(SmIndex sm, unsigned sm_in_tpc, const MachineSpec& machine,
                                     const TimingOptions& options);
  void connect();
  void connect_tpc(unsigned tpc);
  /// Binds the socket of each partition as `options` says, or to a memory with nothing but latency and bandwidth.
  void attach_memory(const TimingOptions& options);
  void connect_caches(unsigned tpc);

  Femtoseconds sm_period_;
  MemoryPath path_;
  RegionPlan plan_;
  std::vector<Clocks> clocks_;                    ///< by region
  std::vector<std::unique_ptr<Region>> regions_;  ///< of several
  Cabling cabling_{regions_};
  std::vector<std::unique_ptr<CompletionWire>> completions_;  ///< by partition, with several regions
  std::unique_ptr<BlockSchedulerModule> block_scheduler_;
  std::unique_ptr<CrossbarModule> crossbar_;
  std::unique_ptr<MemoryManagementModule> management_;
  std::vector<std::unique_ptr<TpcModule>> tpcs_;
  std::vector<std::unique_ptr<ConstantL2Module>> constant_l2s_;  ///< one per TPC
  std::unique_ptr<ConstantL3Module> constant_l3_;
  std::vector<std::unique_ptr<SmModule>> sm_storage_;
  std::vector<SmModule*> sms_;
  std::vector<std::unique_ptr<PartitionModule>> partitions_;
  std::vector<std::unique_ptr<LatencyMemory>> memories_;  ///< with dram.model = "tlm" and nothing attached
  std::unique_ptr<Island> island_;
};

}  // namespace teslasim
