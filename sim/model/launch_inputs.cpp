// SPDX-License-Identifier: Apache-2.0
#include "sim/model/launch_inputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sim/gpu/machine/occupancy.h"
#include "sim/model/launch_counts.h"
#include "sim/model/representative_warp.h"
#include "sim/model/warp_intervals.h"

namespace teslasim {
namespace {

constexpr double giga_per_mega = 1e-3;
constexpr double operations_per_mad = 2.0;

double real(std::uint64_t value) {
  return static_cast<double>(value);
}

class Feeder {
 public:
  Feeder(const MachineSpec& machine, const Launch& launch, const LaunchStatistics& statistics)
      : machine_(machine), launch_(launch), statistics_(statistics), counts_(count_launch(launch, statistics)) {
    for (const CoalescingStatistics* traffic : {&statistics.global, &statistics.local, &statistics.texture}) {
      bytes_ += traffic->bytes;
      used_ += traffic->bytes_used;
    }
  }

  InputSet feed(const KernelProfile* profile, const Calibration* calibration) {
    launch_shape();
    limits();
    units();
    residence();
    constants();
    per_warp();
    roofline();
    quantitative_roofline();
    latency_throughput();
    stages(profile);
    if (profile != nullptr) intervals(*profile, calibration);
    if (calibration != nullptr) calibrate_inputs(*calibration, inputs_);
    return std::move(inputs_);
  }

 private:
  void key(const char* name, double value, const char* source) {
    inputs_.set(name, value, InputOrigin::configuration, source);
  }
  void shape(const char* name, double value, const char* source) {
    inputs_.set(name, value, InputOrigin::launch, source);
  }
  void counted(const std::string& name, double value, const char* source) {
    inputs_.set(name, value, InputOrigin::functional, source);
  }

  void launch_shape() {
    shape("blocks", real(launch_.blocks()), "grid");
    shape("threads_per_block", launch_.threads_per_block(), "block");
    shape("registers_per_thread", launch_.kernel->registers, "kernel");
    shape("shared_bytes_per_block", launch_.shared_bytes, "kernel, header and parameters included");
    shape("arguments", real(launch_.parameters.size() / 4), "parameters");
  }

  void limits() {
    key("max_warps_per_sm", machine_.gpu.max_warps_per_sm, "gpu.max_warps_per_sm");
    key("max_blocks_per_sm", machine_.gpu.max_ctas_per_sm, "gpu.max_ctas_per_sm");
    key("registers_per_sm", machine_.sm.registers, "sm.registers");
    key("register_unit", machine_.sm.register_alloc_unit, "sm.register_alloc_unit");
    key("warp_granularity", machine_.sm.warp_alloc_granularity, "sm.warp_alloc_granularity");
    key("shared_bytes_per_sm", machine_.sm.shared.bytes, "sm.shared.bytes");
    key("shared_unit", machine_.sm.shared.alloc_unit_bytes, "sm.shared.alloc_unit_bytes");
  }

  void units() {
    key("sms", machine_.sms(), "gpu.tpcs * gpu.sms_per_tpc");
    key("shader_ghz", machine_.clock.shader_mhz * giga_per_mega, "clock.shader_mhz");
    key("issue_cycles", double{warp_size} / machine_.sm.sp_lanes, "32 / sm.sp_lanes");
    key("fu_mul", multiplication_lanes(machine_.sm), "of sm.sp_lanes, sm.sfu_mul_lanes and sm.dual_issue_share");
    key("fu_mad", machine_.sm.sp_lanes, "sm.sp_lanes");
    key("fu_sfu", machine_.sm.sfu_units, "sm.sfu_units");
    key("fu_dp", machine_.sm.dp_units, "sm.dp_units");
    key("memory_gbs", machine_.derived.peak_gbs_dram, "derived.peak_gbs_dram");
    key("shared_latency", machine_.sm.latency.alu + machine_.sm.latency.shared,
        "sm.latency_cycles.alu + sm.latency_cycles.shared");
  }

  void residence() {
    const OccupancyDemand demand{launch_.threads_per_block(), launch_.kernel->registers, launch_.shared_bytes};
    const unsigned fitting = compute_occupancy(machine_, demand).ctas_per_sm;
    const double sms = std::min(real(machine_.sms()), real(launch_.blocks()));
    blocks_per_sm_ = std::ceil(real(launch_.blocks()) / machine_.sms());
    const double resident = std::min(real(fitting), blocks_per_sm_);
    if (resident < 1.0) return;
    shape("active_sms", sms, "min(gpu.tpcs * gpu.sms_per_tpc, blocks)");
    shape("active_blocks_per_sm", resident, "occupancy, at most the blocks of an SM");
    shape("active_warps_per_sm", resident * launch_.warps_per_block(), "active_blocks_per_sm * warps per block");
    shape("group_waves", std::ceil(blocks_per_sm_ / resident), "blocks of an SM / active_blocks_per_sm, rounded up");
  }

  void constants() {
    const ModelConstantsSpec& models = machine_.models;
    const auto published = [this](const char* name, double value, const char* source) {
      inputs_.set(name, value, InputOrigin::literature, source);
    };
    published("mem_ld", models.mem_ld_cycles, "models.mem_ld_cycles");
    published("departure_del_coal", models.departure_coalesced_cycles, "models.departure_coalesced_cycles");
    published("departure_del_uncoal", models.departure_uncoalesced_cycles, "models.departure_uncoalesced_cycles");
    published("pipeline_latency", models.pipeline_latency_cycles, "models.pipeline_latency_cycles");
    published("launch_base_ms", models.launch_base_ms, "models.launch_base_ms");
    published("launch_argument_ms", models.launch_argument_ms, "models.launch_argument_ms");
    published("launch_block_ms", models.launch_block_ms, "models.launch_block_ms");
  }

  void per_warp() {
    const double warps = real(launch_.blocks()) * launch_.warps_per_block();
    const double memory = real(counts_.memory_instructions);
    counted("comp_insts", (real(statistics_.warp_instructions) - memory) / warps,
            "(instructions.warp - memory instructions) / warps");
    counted("coal_mem_insts", (memory - real(counts_.uncoalesced_instructions)) / warps, "coalesced accesses / warps");
    counted("uncoal_mem_insts", real(counts_.uncoalesced_instructions) / warps, "uncoalesced accesses / warps");
    counted("synch_insts", real(statistics_.barriers) / warps, "instructions.barriers / warps");
    if (counts_.uncoalesced_instructions != 0) {
      counted("uncoal_per_mw", real(counts_.uncoalesced_transactions) / real(counts_.uncoalesced_instructions),
              "transactions of uncoalesced accesses / those accesses");
    }
    if (memory <= 0.0) return;
    counted("load_bytes_per_warp", real(used_) / memory,
            "bytes_used of global, local and texture accesses / memory instructions");
    counted("access_bytes", real(bytes_) / memory, "bytes of global, local and texture accesses / memory instructions");
  }

  [[nodiscard]] double peak(unsigned lanes, double operations) const {
    return operations * lanes * machine_.sms() * machine_.clock.shader_mhz * giga_per_mega;
  }

  void roofline() {
    const unsigned lanes = machine_.sm.sp_lanes;
    counted("bytes", real(bytes_), "global.bytes + local.bytes + texture.bytes, no cache");
    if (counts_.fp64 != 0) {
      counted("operations", real(counts_.fp64 + counts_.fma64), "double-precision operations, a multiply-add is two");
      return key("peak_gops", peak(machine_.sm.dp_units, operations_per_mad), "sm.dp_units, multiply-adds");
    }
    if (counts_.fp32 != 0) {
      counted("operations", real(counts_.fp32 + counts_.fma32), "single-precision operations, a multiply-add is two");
      return key("peak_gops", peak(lanes, operations_per_mad), "derived.peak_gflops_mad");
    }
    counted("operations", real(counts_.integer), "integer operations");
    key("peak_gops", peak(lanes, 1.0), "sm.sp_lanes, one operation each");
  }

  void quantitative_roofline() {
    counted("warp_instructions", real(statistics_.warp_instructions), "instructions.warp");
    counted("fp32_instructions", real(counts_.fp32), "threads, by operation");
    counted("fma32_instructions", real(counts_.fma32), "threads, by operation");
    counted("fp64_instructions", real(counts_.fp64), "threads, by operation");
    counted("fma64_instructions", real(counts_.fma64), "threads, by operation");
    counted("int_instructions", real(counts_.integer), "threads, by operation");
    counted("ldst_instructions", real(counts_.load_store), "threads, by operation");
    counted("dram_transactions", real(bytes_) / 32.0, "(global.bytes + local.bytes + texture.bytes) / 32, no cache");
    const unsigned lanes = machine_.sm.sp_lanes;
    key("t_sp", peak(lanes, operations_per_mad), "peak of sm.sp_lanes, not calibrated");
    key("t_dp", peak(machine_.sm.dp_units, operations_per_mad), "peak of sm.dp_units, not calibrated");
    key("t_int", peak(lanes, operations_per_mad), "peak of sm.sp_lanes, not calibrated");
    key("t_add", peak(lanes, 1.0), "peak of sm.sp_lanes, not calibrated");
    key("t_ldst", peak(lanes, 1.0), "peak of sm.shared.banks, not calibrated");
    key("b_mem", machine_.derived.peak_gbs_dram, "derived.peak_gbs_dram, not calibrated");
  }

  void latency_throughput() {
    key("alu_throughput", machine_.sm.sp_lanes / double{warp_size}, "sm.sp_lanes / 32");
    inputs_.set("alu_latency", machine_.models.pipeline_latency_cycles, InputOrigin::literature,
                "models.pipeline_latency_cycles");
    inputs_.set("memory_latency", machine_.models.mem_ld_cycles, InputOrigin::literature, "models.mem_ld_cycles");
    if (counts_.memory_instructions == 0) return;
    const double memory = real(counts_.memory_instructions);
    counted("arithmetic_per_memory", (real(statistics_.warp_instructions) - memory) / memory,
            "other instructions / memory instructions");
    counted("memory_insts_per_sm", memory / real(launch_.blocks()) * blocks_per_sm_,
            "memory instructions of a block * blocks of the busiest SM");
  }

  void stage(std::size_t index, const StageCounts& counts, const char* source) {
    const std::string name = "stage." + std::to_string(index) + ".";
    constexpr std::array types{"mul_insts", "mad_insts", "sfu_insts", "dp_insts"};
    for (std::size_t i = 0; i < types.size(); ++i) counted(name + types.at(i), real(counts.instructions.at(i)), source);
    counted(name + "shared_passes", real(counts.shared_passes), source);
    counted(name + "global_bytes", real(counts.global_bytes), source);
    if (counts.busiest == 0) return;
    const std::uint64_t all = std::accumulate(counts.instructions.begin(), counts.instructions.end(), std::uint64_t{0});
    counted(name + "warps", real(all) / real(counts.busiest),
            "instructions of all warps of a block / those of its busiest warp");
    if (counts.busiest_shared == 0) return;
    counted(name + "shared_warps", real(counts.shared_passes) / real(counts.busiest_shared),
            "passes of all warps of a block / those of the warp with most of them");
  }

  void stages(const KernelProfile* profile) {
    if (profile == nullptr) return stage(0, counts_.whole, "whole launch");
    for (std::size_t i = 0; i < profile->stages.size(); ++i) stage(i, profile->stages[i], "between barriers");
  }

  /// Of the warp that stands for those of the middle block.
  [[nodiscard]] std::vector<WarpInterval> intervals_of_representative(const KernelProfile& profile,
                                                                      double latency) const {
    const double cycles_per_instruction = real(warp_size) / machine_.sm.sp_lanes;
    std::vector<std::vector<WarpInterval>> found;
    std::vector<WarpLoad> loads;
    for (const std::vector<WarpStep>& path : profile.paths) {
      found.push_back(warp_intervals(*launch_.kernel, path, machine_.sm, latency));
      WarpLoad& load = loads.emplace_back();
      for (const WarpInterval& interval : found.back()) {
        load.instructions += real(interval.count * interval.instructions);
        load.cycles +=
            real(interval.count) * (real(interval.instructions) * cycles_per_instruction + real(interval.stall));
      }
    }
    return loads.empty() ? std::vector<WarpInterval>{} : found[representative_warp(loads)];
  }

  void intervals(const KernelProfile& profile, const Calibration* calibration) {
    double latency = machine_.models.mem_ld_cycles;
    if (calibration != nullptr) {
      const auto measured = calibration->constants.find("mem_ld");
      if (measured != calibration->constants.end()) latency = measured->second;
    }
    const auto found = intervals_of_representative(profile, latency);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string name = "interval." + std::to_string(i) + ".";
      const char* source = "path of the representative warp of the middle block, loads of mem_ld";
      counted(name + "instructions", real(found[i].instructions), source);
      counted(name + "stall", real(found[i].stall), source);
      counted(name + "memory", found[i].memory ? 1.0 : 0.0, source);
      counted(name + "count", real(found[i].count), source);
    }
    if (const InputValue* warps = inputs_.find("active_warps_per_sm")) {
      inputs_.set("warps", warps->number, warps->origin, "active_warps_per_sm");
    }
    key("issue_rate", machine_.sm.sp_lanes / double{warp_size}, "sm.sp_lanes / 32");
    inputs_.set_word("scheduler_policy", machine_.sm.scheduler == "gto" ? "gto" : "lrr", InputOrigin::configuration,
                     "sm.scheduler");
  }

  const MachineSpec& machine_;
  const Launch& launch_;
  const LaunchStatistics& statistics_;
  LaunchCounts counts_;
  std::uint64_t bytes_ = 0, used_ = 0;  ///< of all accesses to device memory
  double blocks_per_sm_ = 1.0;
  InputSet inputs_;
};

}  // namespace

InputSet launch_inputs(const MachineSpec& machine, const Launch& launch, const LaunchStatistics& statistics,
                       const KernelProfile* profile, const Calibration* calibration) {
  return Feeder(machine, launch, statistics).feed(profile, calibration);
}

}  // namespace teslasim
