// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/gpu.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "memory/tpc/coalescer.h"
#include "sim/gpu/floor_plan/memory_wiring.h"
#include "sim/gpu/floor_plan/tlm_memory_port.h"

namespace teslasim {
namespace {

Femtoseconds sm_period_of(const ClockSpec& clock) {
  return 2 * period_of_mhz(clock.shader_mhz);
}

FloorPlan floor_plan(const MachineSpec& machine) {
  FloorPlan plan;
  plan.tpcs = machine.gpu.tpcs;
  plan.sms_per_tpc = machine.gpu.sms_per_tpc;
  plan.sm_period = sm_period_of(machine.clock);
  plan.core_period = period_of_mhz(machine.clock.core_mhz);
  plan.memory_period = period_of_mhz(machine.clock.memory_mhz);
  plan.other_clients = 1;  // the third-level constant cache
  return plan;
}

std::string numbered(const char* name, unsigned number) {
  return name + std::to_string(number);
}

/// 0..count-1, or a fixed permutation of it: the order in which modules are built must not matter.
std::vector<unsigned> building_order(unsigned count, unsigned seed) {
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::uint32_t state = seed;
  for (unsigned i = count; seed != 0 && i > 1; --i) {
    state = state * 1664525U + 1013904223U;
    std::swap(order[i - 1], order[(state >> 8) % i]);
  }
  return order;
}

/// The shortest link into an SM bounds how far the SMs may run ahead. An external memory model runs in SystemC's time,
/// so every edge must run at its own time.
unsigned usable_look_ahead(const MachineSpec& machine, const MemoryPath& path, Femtoseconds period, unsigned wanted) {
  if (machine.dram.model == "tlm") return 0;
  const Femtoseconds shortest =
      std::min({shortest_into_sm(path.latency), femtoseconds_of_ns(machine.gpu.cta_dispatch_ns),
                femtoseconds_of_ns(machine.const_l2.response_ns)});
  return std::min(wanted, Island::longest_look_ahead(shortest, period));
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const MachineSpec& machine, const TimingOptions& options)
    : sc_core::sc_module(name),
      sm_period_(sm_period_of(machine.clock)),
      path_(floor_plan(machine), machine.tpc, machine.noc, machine.dram, machine.rop, machine.tlb, machine.texture_l2) {
  build_clocks(machine, options);
  build_boxes(machine, options);
  connect();
  const unsigned look_ahead = usable_look_ahead(machine, path_, sm_period_, options.look_ahead);
  island_ = std::make_unique<Island>("island", *sm_clock_,
                                     std::vector<ClockDomain*>{core_clock_.get(), memory_clock_.get()}, look_ahead);
  if (machine.dram.model == "tlm") attach_memory(options);
}

void Gpu::build_clocks(const MachineSpec&, const TimingOptions& options) {
  const Sleeping sleeping = options.sleeping ? Sleeping::on : Sleeping::off;
  sm_clock_ = std::make_unique<ClockDomain>("sm_clock", sm_period_, sleeping);
  core_clock_ = std::make_unique<ClockDomain>("core_clock", path_.plan.core_period, sleeping);
  memory_clock_ = std::make_unique<ClockDomain>("memory_clock", path_.plan.memory_period, sleeping);
}

std::unique_ptr<SmModule> Gpu::build_sm(SmIndex sm, unsigned sm_in_tpc, const MachineSpec& machine,
                                        const TimingOptions& options) {
  SmParameters parameters;
  parameters.spec = &machine.sm;
  parameters.coalescing = find_coalescing_rules(machine.coalescing.rules);
  parameters.link.cycle = sm_period_;
  parameters.link.request_latency = path_.latency.sm_to_tpc;
  parameters.link.credits = path_.places.tpc_requests;
  parameters.link.port = sm_in_tpc;
  parameters.link.sm = static_cast<std::uint16_t>(sm);
  parameters.link.texture_line_bytes = machine.tpc.texture_cache.line_bytes;
  parameters.lines.cycle = sm_period_;
  parameters.lines.request_latency = femtoseconds_of_ns(machine.const_l2.request_ns);
  parameters.lines.port = sm_in_tpc;
  parameters.warp_slots = machine.gpu.max_warps_per_sm;
  parameters.block_slots = machine.gpu.block_slots();
  parameters.early_release = machine.gpu.early_release();
  parameters.block_launch_cycles = sm_cycles(machine.gpu.cta_launch_cycles);
  parameters.sleeping = options.sleeping;
  return std::make_unique<SmModule>(numbered("sm", sm_in_tpc).c_str(), parameters,
                                    femtoseconds_of_ns(machine.gpu.cta_completion_ns));
}

void Gpu::build_tpc(unsigned tpc, const MachineSpec& machine, const TimingOptions& options) {
  tpcs_[tpc] = std::make_unique<TpcModule>(numbered("tpc", tpc).c_str(), path_, tpc, [&](unsigned sm_in_tpc) {
    // Built during the construction of the TPC, so that it becomes its child.
    if (sm_in_tpc == 0) constant_l2s_[tpc] = std::make_unique<ConstantL2Module>("constant_l2", machine, path_, tpc);
    const SmIndex sm = tpc * machine.gpu.sms_per_tpc + sm_in_tpc;
    sm_storage_[sm] = build_sm(sm, sm_in_tpc, machine, options);
    sms_[sm] = sm_storage_[sm].get();
  });
}

void Gpu::build_boxes(const MachineSpec& machine, const TimingOptions& options) {
  tpcs_.resize(machine.gpu.tpcs);
  constant_l2s_.resize(machine.gpu.tpcs);
  sm_storage_.resize(machine.sms());
  sms_.resize(machine.sms());
  partitions_.resize(path_.partitions());
  for (const unsigned tpc : building_order(machine.gpu.tpcs, options.construction_seed)) {
    build_tpc(tpc, machine, options);
  }
  for (const unsigned partition : building_order(path_.partitions(), options.construction_seed)) {
    partitions_[partition] =
        std::make_unique<PartitionModule>(numbered("partition", partition).c_str(), path_, partition);
  }
  crossbar_ = std::make_unique<CrossbarModule>("crossbar", path_);
  constant_l3_ = std::make_unique<ConstantL3Module>("constant_l3", machine, path_);
  management_ = std::make_unique<MemoryManagementModule>("mmu", path_);
  block_scheduler_ = std::make_unique<BlockSchedulerModule>("block_scheduler", machine.gpu, sm_period_);
}

void Gpu::connect_caches(unsigned tpc) {
  ConstantL2Module& l2 = *constant_l2s_[tpc];
  l2.clk(*core_clock_);
  l2.to_l3(constant_l3_->requests);
  constant_l3_->to_tpc[tpc](l2.from_l3);
  for (unsigned j = 0; j < path_.plan.sms_per_tpc; ++j) {
    SmModule& sm = *sms_[tpc * path_.plan.sms_per_tpc + j];
    sm.to_constant_l2(l2.requests);
    l2.to_sm[j](sm);
  }
}

void Gpu::connect() {
  block_scheduler_->clk(*core_clock_);
  crossbar_->clk(*core_clock_);
  constant_l3_->clk(*core_clock_);
  wire(*constant_l3_, static_cast<unsigned>(tpcs_.size()), *crossbar_);
  management_->clk(*core_clock_);
  wire(*management_, path_.walk_client(), *crossbar_);
  const unsigned sms_per_tpc = path_.plan.sms_per_tpc;
  for (unsigned tpc = 0; tpc < tpcs_.size(); ++tpc) {
    tpcs_[tpc]->clk(*core_clock_);
    wire(*tpcs_[tpc], tpc, *crossbar_);
    connect_caches(tpc);
    wire(*tpcs_[tpc], tpc, *management_);
    for (unsigned j = 0; j < sms_per_tpc; ++j) {
      SmModule& sm = *sms_[tpc * sms_per_tpc + j];
      sm.clk(*sm_clock_);
      sm.to_memory(tpcs_[tpc]->requests);
      sm.to_scheduler(*block_scheduler_);
      tpcs_[tpc]->to_sm[j](sm);
      tpcs_[tpc]->credit_to_sm[j](sm);
      block_scheduler_->to_sm[tpc * sms_per_tpc + j](sm);
    }
  }
  for (unsigned partition = 0; partition < partitions_.size(); ++partition) {
    partitions_[partition]->clk(*memory_clock_);
    wire(*partitions_[partition], partition, *crossbar_);
  }
}

void Gpu::attach_memory(const TimingOptions& options) {
  for (const auto& partition : partitions_) {
    TlmMemoryPort& port = *partition->memory_port();
    port.connect(partition->clk, *island_);
    if (options.attach_memory) {
      options.attach_memory(port);
    } else {
      memories_.push_back(std::make_unique<LatencyMemory>(numbered("memory", port.partition()).c_str(), path_));
      port.socket.bind(memories_.back()->socket);
    }
    port.require_bound();
  }
}

void Gpu::observe_memory(TrafficObserver* observer) {
  crossbar_->observe(observer);
  for (const auto& partition : partitions_) partition->observe(observer);
}

void Gpu::observe_commands(DramCommandObserver* observer) {
  for (const auto& partition : partitions_) partition->observe_commands(observer);
}

void Gpu::show_in(Waveform& waveform, const std::vector<unsigned>& sms) {
  waveform.add(*sm_clock_, *sm_clock_);
  waveform.add(*core_clock_, *core_clock_);
  waveform.add(*memory_clock_, *memory_clock_);
  const std::set<unsigned> chosen(sms.begin(), sms.end());
  std::set<unsigned> tpcs;
  for (const SmIndex sm : chosen) {
    waveform.add(*sm_clock_, *sms_.at(sm));
    tpcs.insert(sm / path_.plan.sms_per_tpc);
  }
  for (const unsigned tpc : tpcs) {
    waveform.add(*core_clock_, *tpcs_.at(tpc));
    waveform.add(*core_clock_, *constant_l2s_.at(tpc));
  }
  waveform.add(*core_clock_, *block_scheduler_);
  waveform.add(*core_clock_, *crossbar_);
  waveform.add(*core_clock_, *constant_l3_);
  waveform.add(*core_clock_, *management_);
  for (const auto& partition : partitions_) waveform.add(*memory_clock_, *partition);
}

void Gpu::begin_memory(DeviceMemory& memory, CompletionReceiver& completions) {
  for (const auto& tpc : tpcs_) tpc->begin_launch(&memory);
  for (const auto& l2 : constant_l2s_) l2->begin_launch();
  constant_l3_->begin_launch();
  crossbar_->begin_launch();
  management_->begin_launch();
  for (const auto& partition : partitions_) partition->begin_launch(memory, &completions);
}

}  // namespace teslasim
