// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/gpu.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "memory/tpc/coalescer.h"
#include "sim/base/diagnostic.h"
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
unsigned usable_look_ahead(const MachineSpec& machine, const MemoryPath& path, unsigned wanted) {
  if (machine.dram.model == "tlm") return 0;
  const Femtoseconds shortest =
      std::min({shortest_into_sm(path.latency), femtoseconds_of_ns(machine.gpu.cta_dispatch_ns),
                femtoseconds_of_ns(machine.const_l2.response_ns)});
  return std::min(wanted, Island::longest_look_ahead(shortest, path.plan.sm_period));
}

/// The same when regions run at once: the shortest link between two of them bounds it too.
unsigned look_ahead_of_regions(const MachineSpec& machine, const MemoryPath& path, unsigned wanted) {
  const LinkLatencies& link = path.latency;
  const Femtoseconds shortest =
      std::min({link.tpc_to_crossbar, link.crossbar_to_partition, link.partition_to_crossbar, link.crossbar_to_tpc,
                link.translation, link.translation_back, femtoseconds_of_ns(machine.gpu.cta_completion_ns),
                femtoseconds_of_ns(machine.const_l3.request_ns), femtoseconds_of_ns(machine.const_l3.response_ns)});
  return std::min(usable_look_ahead(machine, path, wanted), Island::longest_look_ahead(shortest, path.plan.sm_period));
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const MachineSpec& machine, const TimingOptions& options)
    : sc_core::sc_module(name),
      sm_period_(sm_period_of(machine.clock)),
      path_(floor_plan(machine), machine.tpc, machine.noc, machine.dram, machine.rop, machine.tlb, machine.texture_l2),
      plan_(machine.gpu.tpcs, path_.partitions(),
            look_ahead_of_regions(machine, path_, options.look_ahead) != 0 ? options.threads : 1) {
  build_clocks(options);
  build_boxes(machine, options);
  connect();
  build_island(machine, options);
  if (machine.dram.model == "tlm") attach_memory(options);
}

void Gpu::build_clocks(const TimingOptions& options) {
  const Sleeping sleeping = options.sleeping ? Sleeping::on : Sleeping::off;
  const auto clock = [&](const char* name, unsigned region, Femtoseconds period) {
    const std::string full = plan_.several() ? numbered(name, region) : name;
    return std::make_unique<ClockDomain>(full.c_str(), period, sleeping);
  };
  clocks_.resize(plan_.count());
  for (unsigned region = 0; region < plan_.count(); ++region) {
    Clocks& clocks = clocks_[region];
    if (region < plan_.with_tpcs()) clocks.sm = clock("sm_clock", region, sm_period_);
    if (region <= plan_.of_shared()) clocks.core = clock("core_clock", region, path_.plan.core_period);
    if (region >= plan_.of_partition(0)) clocks.memory = clock("memory_clock", region, path_.plan.memory_period);
    if (!plan_.several()) continue;
    std::vector<ClockDomain*> others;
    for (const auto& other : {clocks.core.get(), clocks.memory.get()}) {
      if (other != nullptr) others.push_back(other);
    }
    regions_.push_back(std::make_unique<Region>(region, clocks.sm.get(), std::move(others)));
  }
}

void Gpu::build_island(const MachineSpec& machine, const TimingOptions& options) {
  if (!plan_.several()) {
    const std::vector<ClockDomain*> others{clocks_[0].core.get(), clocks_[0].memory.get()};
    island_ = std::make_unique<Island>("island", *clocks_[0].sm, others,
                                       usable_look_ahead(machine, path_, options.look_ahead));
    return;
  }
  std::vector<Region*> regions;
  for (const auto& region : regions_) regions.push_back(region.get());
  island_ = std::make_unique<Island>("island", regions, look_ahead_of_regions(machine, path_, options.look_ahead),
                                     options.threads);
}

std::unique_ptr<SmModule> Gpu::build_sm(SmIndex sm, unsigned sm_in_tpc, const MachineSpec& machine,
                                        const TimingOptions& options) {
  SmParameters parameters;
  parameters.spec = &machine.sm;
  parameters.coalescing = find_coalescing_rules(machine.coalescing.rules);
  parameters.link.cycle = sm_period_;
  parameters.link.request_latency = path_.latency.sm_to_tpc;
  parameters.link.shortest_answer = shortest_answer(path_.latency) / sm_period_;
  parameters.link.credits = path_.places.tpc_requests;
  parameters.link.port = sm_in_tpc;
  parameters.link.sm = static_cast<std::uint16_t>(sm);
  parameters.link.texture_line_bytes = machine.tpc.texture_cache.line_bytes;
  parameters.lines.cycle = sm_period_;
  parameters.lines.request_latency = femtoseconds_of_ns(machine.const_l2.request_ns);
  parameters.lines.port = sm_in_tpc;
  parameters.incoming = {femtoseconds_of_ns(machine.gpu.cta_dispatch_ns) / sm_period_,
                         path_.latency.tpc_to_sm / sm_period_, path_.latency.tpc_credit / sm_period_,
                         femtoseconds_of_ns(machine.const_l2.response_ns) / sm_period_};
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

/// Times are rounded up to whole cycles when blocks arrive, so a distance may lose one.
BlockPace Gpu::block_pace() const {
  const BlockScheduler& scheduler = block_scheduler_->core();
  const SmCycle spacing = scheduler.shortest_spacing(path_.plan.core_period) / sm_period_;
  return {scheduler.shortest_replacement() / sm_period_, spacing == 0 ? spacing : spacing - 1};
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
  const RegionRoute down{plan_.of_tpc(tpc), plan_.of_shared()};
  ConstantL2Module& l2 = *constant_l2s_[tpc];
  l2.clk(*clocks_[down.from].core);
  l2.to_l3(cabling_.lay(down, constant_l3_->requests));
  constant_l3_->to_tpc[tpc](cabling_.lay(back(down), l2.from_l3));
  for (unsigned j = 0; j < path_.plan.sms_per_tpc; ++j) {
    SmModule& sm = *sms_[tpc * path_.plan.sms_per_tpc + j];
    sm.to_constant_l2(l2.requests);
    l2.to_sm[j](sm);
  }
}

void Gpu::connect_tpc(unsigned tpc) {
  const RegionRoute down{plan_.of_tpc(tpc), plan_.of_shared()};
  tpcs_[tpc]->clk(*clocks_[down.from].core);
  wire(*tpcs_[tpc], tpc, *crossbar_, cabling_, down);
  connect_caches(tpc);
  wire(*tpcs_[tpc], tpc, *management_, cabling_, down);
  const unsigned sms_per_tpc = path_.plan.sms_per_tpc;
  for (unsigned j = 0; j < sms_per_tpc; ++j) {
    SmModule& sm = *sms_[tpc * sms_per_tpc + j];
    sm.clk(*clocks_[down.from].sm);
    sm.to_memory(tpcs_[tpc]->requests);
    sm.to_scheduler(cabling_.lay(down, static_cast<BlockCompletionInterface&>(*block_scheduler_)));
    tpcs_[tpc]->to_sm[j](sm);
    tpcs_[tpc]->credit_to_sm[j](sm);
    block_scheduler_->to_sm[tpc * sms_per_tpc + j](cabling_.lay(back(down), static_cast<BlockInterface&>(sm)));
  }
}

void Gpu::connect() {
  ClockDomain& core = *clocks_[plan_.of_shared()].core;
  block_scheduler_->clk(core);
  crossbar_->clk(core);
  constant_l3_->clk(core);
  wire(*constant_l3_, static_cast<unsigned>(tpcs_.size()), *crossbar_);
  management_->clk(core);
  wire(*management_, path_.walk_client(), *crossbar_);
  for (unsigned tpc = 0; tpc < tpcs_.size(); ++tpc) connect_tpc(tpc);
  for (unsigned partition = 0; partition < partitions_.size(); ++partition) {
    const RegionRoute down{plan_.of_shared(), plan_.of_partition(partition)};
    partitions_[partition]->clk(*clocks_[down.to].memory);
    wire(*partitions_[partition], partition, *crossbar_, cabling_, down);
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

void Gpu::observe_commands(DramCommandObserver* observer) {
  for (const auto& partition : partitions_) partition->observe_commands(observer);
}

void Gpu::show_in(Waveform& waveform, const std::vector<unsigned>& sms) {
  SIM_CHECK(!plan_.several(), "a waveform shows a chip that is simulated on one thread");
  const Clocks& clocks = clocks_.front();
  waveform.add(*clocks.sm, *clocks.sm);
  waveform.add(*clocks.core, *clocks.core);
  waveform.add(*clocks.memory, *clocks.memory);
  const std::set<unsigned> chosen(sms.begin(), sms.end());
  std::set<unsigned> tpcs;
  for (const SmIndex sm : chosen) {
    waveform.add(*clocks.sm, *sms_.at(sm));
    tpcs.insert(sm / path_.plan.sms_per_tpc);
  }
  for (const unsigned tpc : tpcs) {
    waveform.add(*clocks.core, *tpcs_.at(tpc));
    waveform.add(*clocks.core, *constant_l2s_.at(tpc));
  }
  waveform.add(*clocks.core, *block_scheduler_);
  waveform.add(*clocks.core, *crossbar_);
  waveform.add(*clocks.core, *constant_l3_);
  waveform.add(*clocks.core, *management_);
  for (const auto& partition : partitions_) waveform.add(*clocks.memory, *partition);
}

void Gpu::begin_memory(DeviceMemory& memory, CompletionReceiver& completions) {
  for (const auto& tpc : tpcs_) tpc->begin_launch(&memory);
  for (const auto& l2 : constant_l2s_) l2->begin_launch();
  constant_l3_->begin_launch();
  crossbar_->begin_launch();
  management_->begin_launch();
  completions_.clear();
  for (unsigned partition = 0; partition < partitions_.size(); ++partition) {
    CompletionReceiver* receiver = &completions;
    if (plan_.several()) {
      std::vector<Outbox*> outboxes;
      for (SmIndex sm = 0; sm < sms_.size(); ++sm)
        outboxes.push_back(&cabling_.outbox({plan_.of_partition(partition), plan_.of_tpc(path_.tpc_of(sm))}));
      completions_.push_back(std::make_unique<CompletionWire>(std::move(outboxes), completions));
      receiver = completions_.back().get();
    }
    partitions_[partition]->begin_launch(memory, receiver);
  }
}

}  // namespace teslasim
