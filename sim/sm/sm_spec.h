// SPDX-License-Identifier: Apache-2.0
// Every parameter of one streaming multiprocessor, declared once. Latencies are SP ("shader") clock cycles as
// published; the SM works in SM cycles (two SP cycles), so they are rounded up to even numbers where they are used.
#pragma once

#include <string>

#include "memory/cache/cache_spec.h"
#include "sim/base/config.h"

namespace teslasim {

/// Result-to-dependent-issue latencies, in SP cycles.
struct LatencySpec {
  unsigned alu = 20;
  unsigned sfu = 42;
  unsigned dp = 58;
  unsigned operand_read = 2;
  unsigned sfu_mul = 26;
  unsigned flags = 10;
  unsigned branch = 32;
  unsigned barrier = 20;
  unsigned shared = 16;
  unsigned constant = 20;
  unsigned writeback = 4;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("alu", &LatencySpec::alu, 2, 1000, "SP cycles",
              "MAD unit, one register operand: issue to dependent issue"),
        field("sfu", &LatencySpec::sfu, 2, 1000, "SP cycles", "special function: issue to dependent issue"),
        field("dp", &LatencySpec::dp, 2, 1000, "SP cycles",
              "double precision, one 64-bit operand: issue to dependent issue"),
        field("operand_read", &LatencySpec::operand_read, 0, 32, "SP cycles",
              "added for each further 32-bit register operand, read one after the other from the warp's bank"),
        field("sfu_mul", &LatencySpec::sfu_mul, 2, 1000, "SP cycles",
              "f32 multiplication on the SFU, one register operand: issue to dependent issue"),
        field("flags", &LatencySpec::flags, 0, 1000, "SP cycles",
              "result of an instruction that writes flags to the instruction that tests them"),
        field("branch", &LatencySpec::branch, 2, 1000, "SP cycles",
              "control transfer, taken or not, to the warp's next instruction"),
        field("barrier", &LatencySpec::barrier, 2, 1000, "SP cycles",
              "last arrival at a barrier to the next instruction of the warps that waited"),
        field("shared", &LatencySpec::shared, 0, 1000, "SP cycles", "added for each pass over shared memory"),
        field("constant", &LatencySpec::constant, 0, 1000, "SP cycles", "added for each pass over the constant cache"),
        field("writeback", &LatencySpec::writeback, 0, 1000, "SP cycles",
              "arrival of a memory response to dependent issue"));
  }
};

struct SharedMemorySpec {
  unsigned bytes = 16384;
  unsigned alloc_unit_bytes = 512;
  unsigned banks = 16;
  unsigned bank_width_bytes = 4;
  unsigned access_group = 16;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("bytes", &SharedMemorySpec::bytes, 1024, 65536, "bytes", "shared memory per SM"),
        field("alloc_unit_bytes", &SharedMemorySpec::alloc_unit_bytes, 1, 4096, "bytes", "allocation unit per block"),
        field("banks", &SharedMemorySpec::banks, 1, 64, "banks",
              "independent banks, one port each; word i lies in bank (i modulo banks)"),
        field("bank_width_bytes", &SharedMemorySpec::bank_width_bytes, power_of_two{4, 4}, "bytes", "width of a bank"),
        field("access_group", &SharedMemorySpec::access_group, power_of_two{4, 32}, "lanes",
              "lanes served together: conflicts are counted within such a group (16 = half-warp)"));
  }
};

struct RegisterFileSpec {
  unsigned banks = 16;
  unsigned collectors_per_unit = 4;
  bool one_shared_operand = true;
  unsigned shared_operand_cycles = 0;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("banks", &RegisterFileSpec::banks, power_of_two{1, 64}, "banks",
              "banks with one read and one write port; the registers of a warp lie in bank (warp slot modulo banks)"),
        field("collectors_per_unit", &RegisterFileSpec::collectors_per_unit, 1, 8, "instructions",
              "instructions in front of one unit that may be waiting for their operands"),
        field("one_shared_operand", &RegisterFileSpec::one_shared_operand, "",
              "instructions of the MAD unit with an operand in shared memory collect their operands one instruction at "
              "a time"),
        field(
            "shared_operand_cycles", &RegisterFileSpec::shared_operand_cycles, 0, 32, "SP cycles",
            "added to the time for which an instruction takes the MAD unit when it reads registers and shared memory"));
  }
};

/// The policies that have a row in schedulers.def.
inline constexpr choice warp_scheduler_names{
#define SCHEDULER(name, description) #name,
#include "sim/sm/issue/schedulers.def"
#undef SCHEDULER
};

struct SmSpec {
  unsigned warp_size = 32;
  unsigned sp_lanes = 8;
  unsigned sfu_units = 2;
  unsigned sfu_mul_lanes = 8;
  bool dual_issue_mul = true;
  double dual_issue_share = 0.5;
  bool control_on_mad = false;
  bool drop_shared_operands = true;
  unsigned dp_units = 1;
  unsigned barrier_threads_per_cycle = 8;
  bool finished_warps_hold_barriers = false;
  unsigned registers = 16384;
  unsigned register_alloc_unit = 512;
  unsigned warp_alloc_granularity = 2;
  unsigned issue_period_cycles = 2;
  unsigned warp_issue_gap_cycles = 8;
  unsigned max_memory_transactions_per_thread = 5;
  unsigned divergence_stack = 64;
  unsigned limited_calls = 32768;
  std::string scheduler = "age_and_type";
  unsigned scheduler_group_warps = 8;
  LatencySpec latency;
  RegisterFileSpec register_file;
  SharedMemorySpec shared;
  InstructionCacheSpec icache;
  ConstantCacheSpec const_cache;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("warp_size", &SmSpec::warp_size, 32, 32, "threads", "threads per warp; fixed by the instruction set"),
        field("sp_lanes", &SmSpec::sp_lanes, power_of_two{1, 32}, "lanes",
              "MAD lanes: a warp occupies the unit for 32/lanes SP cycles"),
        field("sfu_units", &SmSpec::sfu_units, power_of_two{1, 32}, "lanes", "special-function lanes"),
        field("sfu_mul_lanes", &SmSpec::sfu_mul_lanes, power_of_two{1, 32}, "lanes",
              "f32 multipliers of the special-function unit"),
        field("dual_issue_mul", &SmSpec::dual_issue_mul, "",
              "a share of the f32 multiplications goes to the special-function unit"),
        field("dual_issue_share", &SmSpec::dual_issue_share, 0.0, 1.0, "",
              "of f32 multiplications while others wait for either unit, the share of the special-function unit"),
        field("control_on_mad", &SmSpec::control_on_mad, "",
              "branches, calls, joins and barriers take the MAD unit's turn to issue"),
        field("drop_shared_operands", &SmSpec::drop_shared_operands, "",
              "instructions with an operand in shared memory, too, take no unit when their guard fails in every lane"),
        field("dp_units", &SmSpec::dp_units, 0, 32, "lanes", "double-precision lanes; 0 = none"),
        field("barrier_threads_per_cycle", &SmSpec::barrier_threads_per_cycle, power_of_two{1, 32}, "threads",
              "threads that arrive at a barrier in one SP cycle"),
        field("finished_warps_hold_barriers", &SmSpec::finished_warps_hold_barriers, "",
              "barriers wait for warps that have ended, too, and so for ever"),
        field("registers", &SmSpec::registers, 1024, 131072, "registers", "32-bit registers per SM"),
        field("register_alloc_unit", &SmSpec::register_alloc_unit, 1, 4096, "registers",
              "registers are allocated to a block in such units"),
        field("warp_alloc_granularity", &SmSpec::warp_alloc_granularity, 1, 8, "warps",
              "warps of a block are rounded up to this for registers"),
        field("issue_period_cycles", &SmSpec::issue_period_cycles, 2, 2, "SP cycles",
              "one issue slot per SM cycle; an SM cycle is two SP cycles"),
        field("warp_issue_gap_cycles", &SmSpec::warp_issue_gap_cycles, 2, 64, "SP cycles",
              "minimum distance between two instructions of one warp"),
        field("max_memory_transactions_per_thread", &SmSpec::max_memory_transactions_per_thread, 1, 64, "accesses",
              "global, local and texture loads that one warp may have in flight"),
        field("divergence_stack", &SmSpec::divergence_stack, 4, 1024, "entries",
              "entries of the divergence stack of one warp"),
        field("limited_calls", &SmSpec::limited_calls, 1, 32768, "calls",
              "calls by call.lim that one warp may have active; further ones do nothing"),
        field("scheduler", &SmSpec::scheduler, warp_scheduler_names, "", "which ready warp issues"),
        field("scheduler_group_warps", &SmSpec::scheduler_group_warps, power_of_two{1, 32}, "warps",
              "two_level: warps of one group"),
        section("latency_cycles", &SmSpec::latency, "result-to-dependent-issue latencies"),
        section("register_file", &SmSpec::register_file, "banks of vector registers and operand collectors"),
        section("shared", &SmSpec::shared, "shared memory"),
        section("icache", &SmSpec::icache, "first-level instruction cache"),
        section("const_cache", &SmSpec::const_cache, "first-level constant cache"));
  }
};

/// Lanes that f32 multiplications alone reach per SP cycle: the unit that is busy longest with its share bounds them.
[[nodiscard]] constexpr double multiplication_lanes(const SmSpec& sm) {
  if (!sm.dual_issue_mul) return sm.sp_lanes;
  const double on_mad = (1.0 - sm.dual_issue_share) / sm.sp_lanes, on_sfu = sm.dual_issue_share / sm.sfu_mul_lanes;
  return 1.0 / (on_mad > on_sfu ? on_mad : on_sfu);
}

}  // namespace teslasim
