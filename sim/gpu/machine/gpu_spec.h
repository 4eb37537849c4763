// SPDX-License-Identifier: Apache-2.0
// The whole machine: what a `teslasim.machine/1` file describes.
#pragma once

#include <string>

#include "memory/cache/cache_spec.h"
#include "memory/memory_spec.h"
#include "sim/base/config.h"
#include "sim/base/types.h"
#include "sim/gpu/machine/model_constants_spec.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

struct ClockSpec {
  double core_mhz = 602;
  double shader_mhz = 1296;
  double memory_mhz = 1107;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("core_mhz", &ClockSpec::core_mhz, 1.0, 10000.0, "MHz", "texture units, crossbar, block scheduler"),
        field("shader_mhz", &ClockSpec::shader_mhz, 1.0, 10000.0, "MHz", "SP data paths; the SM clock is half of it"),
        field("memory_mhz", &ClockSpec::memory_mhz, 1.0, 10000.0, "MHz",
              "DRAM command clock, two transfers per cycle"));
  }
};

/// The policies that have a row in block_replacements.def.
inline constexpr choice block_replacement_names{
#define REPLACEMENT(name, make, description) #name,
#include "sim/gpu/blocks/block_replacement/block_replacements.def"
#undef REPLACEMENT
};

struct GpuLayoutSpec {
  unsigned tpcs = 10;
  unsigned sms_per_tpc = 3;
  unsigned max_ctas_per_sm = 8;
  unsigned max_warps_per_sm = 32;
  unsigned max_threads_per_cta = 512;
  unsigned max_registers_per_thread = 124;
  unsigned cta_dispatch_interval_cycles = 16;
  unsigned cta_launch_cycles = 16;
  unsigned cta_replacement_cycles = 230;
  double cta_dispatch_ns = 20.0;
  double cta_completion_ns = 20.0;
  std::string cta_scheduler = "breadth_first";
  std::string cta_replacement = "wave";
  bool tpc_clock_gating = true;
  /// A block leaves room for another one when half of its warps have finished.
  [[nodiscard]] bool early_release() const { return cta_replacement == "early"; }
  /// Blocks that may be on an SM at once, including those that have given their place back.
  [[nodiscard]] unsigned block_slots() const { return early_release() ? 2 * max_ctas_per_sm : max_ctas_per_sm; }
  static constexpr auto fields(const auto& visit) {
    return visit(
        field(
            "tpcs", &GpuLayoutSpec::tpcs, 1, 62, "TPCs",
            "texture/processor clusters; page walks and the third-level constant cache take two of 64 crossbar ports"),
        field("sms_per_tpc", &GpuLayoutSpec::sms_per_tpc, 1, 8, "SMs", "streaming multiprocessors per TPC"),
        field("max_ctas_per_sm", &GpuLayoutSpec::max_ctas_per_sm, 1, 32, "blocks", "blocks resident on one SM"),
        field("max_warps_per_sm", &GpuLayoutSpec::max_warps_per_sm, 1, 32, "warps", "warps resident on one SM")
            .also_as("sm.max_warps_per_sm"),
        field("max_threads_per_cta", &GpuLayoutSpec::max_threads_per_cta, 32, 1024, "threads", "threads in one block"),
        field("max_registers_per_thread", &GpuLayoutSpec::max_registers_per_thread, 16, 128, "registers",
              "registers of one thread"),
        field("cta_dispatch_interval_cycles", &GpuLayoutSpec::cta_dispatch_interval_cycles, 0, 10000, "SP cycles",
              "between two blocks that the block scheduler hands out, whatever the SM"),
        field("cta_launch_cycles", &GpuLayoutSpec::cta_launch_cycles, 0, 10000, "SP cycles",
              "on the SM: writing a block's header, parameters and thread ids before its first instruction"),
        field("cta_replacement_cycles", &GpuLayoutSpec::cta_replacement_cycles, 0, 100000, "SP cycles",
              "except with wave: from the news that a block has finished until its slot can be given away again"),
        field("cta_dispatch_ns", &GpuLayoutSpec::cta_dispatch_ns, 0.1, 10000.0, "ns", "block scheduler to SM"),
        field("cta_completion_ns", &GpuLayoutSpec::cta_completion_ns, 0.1, 10000.0, "ns", "SM to block scheduler"),
        field("cta_scheduler", &GpuLayoutSpec::cta_scheduler, choice{"breadth_first", "depth_first"}, "",
              "order in which SMs receive blocks: over TPCs first, or filling one TPC's SMs first"),
        field(
            "cta_replacement", &GpuLayoutSpec::cta_replacement, block_replacement_names, "",
            "when a slot gets its next block: when all running blocks have finished, when it is free and its turn has "
            "come, when it is free, or (no chip) when half of its block's warps have finished"),
        field("tpc_clock_gating", &GpuLayoutSpec::tpc_clock_gating, "",
              "the clock counter (%clock) of a TPC without blocks stands still"));
  }
};

/// Cost of a launch before its first block, in driver and front end; not part of the kernel's time.
struct LaunchOverheadSpec {
  double base_us = 10.5;
  double per_argument_us = 0.5;
  static constexpr auto fields(const auto& visit) {
    return visit(field("base_us", &LaunchOverheadSpec::base_us, 0.0, 1e6, "us", "any launch"),
                 field("per_argument_us", &LaunchOverheadSpec::per_argument_us, 0.0, 1e6, "us",
                       "added for each kernel argument"));
  }
};

struct CoalescingSpec {
  std::string rules = "cc12";
  static constexpr auto fields(const auto& visit) {
    return visit(field("rules", &CoalescingSpec::rules, choice{"cc10", "cc12", "cc12_16"}, "",
                       "strict per half-warp, segments that shrink to 32 bytes, or (no chip) to 16"));
  }
};

/// Peak figures that follow from the others: recomputed on load, a mismatch is an error (a check for the reader).
struct DerivedSpec {
  double peak_gbs_dram = 0;
  double peak_gflops_mad = 0;
  double peak_gflops_mad_mul = 0;
  static constexpr auto fields(const auto& visit) {
    return visit(field("peak_gbs_dram", &DerivedSpec::peak_gbs_dram, 0.0, 1e6, "GB/s", "DRAM bandwidth"),
                 field("peak_gflops_mad", &DerivedSpec::peak_gflops_mad, 0.0, 1e9, "GFLOP/s", "MAD units alone"),
                 field("peak_gflops_mad_mul", &DerivedSpec::peak_gflops_mad_mul, 0.0, 1e9, "GFLOP/s",
                       "MAD units and SFU multipliers"));
  }
};

struct MachineSpec {
  std::string name;    ///< e.g. "GeForce GTX 280"
  std::string preset;  ///< e.g. "gtx280"; empty for files of the user's own
  std::string preset_version;
  std::string arch = "sm_13";
  ClockSpec clock;
  GpuLayoutSpec gpu;
  LaunchOverheadSpec launch;
  SmSpec sm;
  CoalescingSpec coalescing;
  ConstantLevelSpec const_l2;
  ConstantLevelSpec const_l3{32768, 8, 256, 16, 32, 30.0, 70.0};
  TpcSpec tpc;
  TlbSpec tlb;
  NocSpec noc;
  TextureL2Spec texture_l2;
  DramSpec dram;
  RopSpec rop;
  ModelConstantsSpec models;
  DerivedSpec derived;
  static constexpr auto fields(const auto& visit) {
    return visit(
        text_field("name", &MachineSpec::name, "what the machine is called in reports"),
        text_field("preset_version", &MachineSpec::preset_version, "changes whenever a value of the preset changes"),
        field("arch", &MachineSpec::arch, choice{"sm_10", "sm_11", "sm_12", "sm_13"}, "", "instruction set level"),
        section("clock", &MachineSpec::clock, "clock domains"),
        section("gpu", &MachineSpec::gpu, "floor plan and block scheduling"),
        section("launch", &MachineSpec::launch, "cost of a launch outside the kernel"),
        section("sm", &MachineSpec::sm, "one streaming multiprocessor"),
        section("coalescing", &MachineSpec::coalescing, "global memory coalescing"),
        section("const_l2", &MachineSpec::const_l2, "second level for constants and instructions, one per TPC"),
        section("const_l3", &MachineSpec::const_l3, "third level for constants and instructions, near memory"),
        section("tpc", &MachineSpec::tpc, "memory port shared by the SMs of a TPC"),
        section("tlb", &MachineSpec::tlb, "address translation"),
        section("noc", &MachineSpec::noc, "crossbar between TPCs and partitions"),
        section("texture_l2", &MachineSpec::texture_l2, "second level of the texture caches, in each partition"),
        section("dram", &MachineSpec::dram, "memory partitions"),
        section("rop", &MachineSpec::rop, "raster operation unit of a partition: atomics"),
        section("models", &MachineSpec::models,
                "published constants of the analytical models; the simulation reads none"),
        section("derived", &MachineSpec::derived, "peak figures, checked against the rest"));
  }

  [[nodiscard]] unsigned sms() const { return gpu.tpcs * gpu.sms_per_tpc; }
  [[nodiscard]] unsigned sm_level() const {
    return static_cast<unsigned>(arch.at(3) - '0') * 10U + static_cast<unsigned>(arch.at(4) - '0');
  }
};

}  // namespace teslasim
