// SPDX-License-Identifier: Apache-2.0
// Every parameter of one streaming multiprocessor, declared once. Latencies are SP ("shader") clock cycles as
// published; the SM works in SM cycles (two SP cycles), so they are rounded up to even numbers where they are used.
#pragma once

#include <string>
#include <tuple>

#include "sim/base/config.h"

namespace teslasim {

/// Result-to-dependent-issue latencies, in SP cycles.
struct LatencySpec {
  unsigned alu = 20;
  unsigned sfu = 42;
  unsigned dp = 58;
  unsigned operand_read = 2;
  unsigned flags = 30;
  unsigned branch = 32;
  unsigned shared = 16;
  unsigned constant = 20;
  unsigned writeback = 4;
  static constexpr auto fields = std::tuple{
      field("alu", &LatencySpec::alu, 2, 1000, "shader cycles",
            "MAD unit, one register operand: issue to dependent issue"),
      field("sfu", &LatencySpec::sfu, 2, 1000, "shader cycles", "special function: issue to dependent issue"),
      field("dp", &LatencySpec::dp, 2, 1000, "shader cycles",
            "double precision, one 64-bit operand: issue to dependent issue"),
      field("operand_read", &LatencySpec::operand_read, 0, 32, "shader cycles",
            "added for each further 32-bit register operand, read one after the other from the warp's bank"),
      field("flags", &LatencySpec::flags, 2, 1000, "shader cycles",
            "instruction that writes flags to the instruction that tests them"),
      field("branch", &LatencySpec::branch, 2, 1000, "shader cycles",
            "control transfer, taken or not, to the warp's next instruction"),
      field("shared", &LatencySpec::shared, 0, 1000, "shader cycles", "added for each pass over shared memory"),
      field("constant", &LatencySpec::constant, 0, 1000, "shader cycles",
            "added for each pass over the constant cache"),
      field("writeback", &LatencySpec::writeback, 0, 1000, "shader cycles",
            "arrival of a memory response to dependent issue"),
  };
};

struct SharedMemorySpec {
  unsigned bytes = 16384;
  unsigned alloc_unit_bytes = 512;
  unsigned banks = 16;
  unsigned bank_width_bytes = 4;
  unsigned access_group = 16;
  static constexpr auto fields = std::tuple{
      field("bytes", &SharedMemorySpec::bytes, 1024, 65536, "bytes", "shared memory per SM"),
      field("alloc_unit_bytes", &SharedMemorySpec::alloc_unit_bytes, 1, 4096, "bytes", "allocation unit per block"),
      field("banks", &SharedMemorySpec::banks, power_of_two{1, 64}, "banks", "independent banks, one port each"),
      field("bank_width_bytes", &SharedMemorySpec::bank_width_bytes, power_of_two{4, 4}, "bytes", "width of a bank"),
      field("access_group", &SharedMemorySpec::access_group, power_of_two{4, 32}, "lanes",
            "lanes served together: conflicts are counted within such a group (16 = half-warp)"),
  };
};

struct SmSpec {
  unsigned warp_size = 32;
  unsigned sp_lanes = 8;
  unsigned sfu_units = 2;
  unsigned dp_units = 1;
  unsigned registers = 16384;
  unsigned register_alloc_unit = 512;
  unsigned warp_alloc_granularity = 2;
  unsigned issue_period_cycles = 2;
  unsigned warp_issue_gap_cycles = 8;
  unsigned max_memory_transactions_per_thread = 5;
  unsigned memory_queue = 32;
  unsigned divergence_stack = 64;
  std::string scheduler = "loose_round_robin";
  LatencySpec latency;
  SharedMemorySpec shared;
  static constexpr auto fields = std::tuple{
      field("warp_size", &SmSpec::warp_size, 32, 32, "threads", "threads per warp; fixed by the instruction set"),
      field("sp_lanes", &SmSpec::sp_lanes, power_of_two{1, 32}, "lanes",
            "MAD lanes: a warp occupies the unit for 32/lanes SP cycles"),
      field("sfu_units", &SmSpec::sfu_units, power_of_two{1, 32}, "lanes", "special-function lanes"),
      field("dp_units", &SmSpec::dp_units, 0, 32, "lanes", "double-precision lanes; 0 = none"),
      field("registers", &SmSpec::registers, 1024, 131072, "registers", "32-bit registers per SM"),
      field("register_alloc_unit", &SmSpec::register_alloc_unit, 1, 4096, "registers",
            "registers are allocated to a block in such units"),
      field("warp_alloc_granularity", &SmSpec::warp_alloc_granularity, 1, 8, "warps",
            "warps of a block are rounded up to this for registers"),
      field("issue_period_cycles", &SmSpec::issue_period_cycles, 2, 2, "shader cycles",
            "one issue slot per SM cycle; an SM cycle is two SP cycles"),
      field("warp_issue_gap_cycles", &SmSpec::warp_issue_gap_cycles, 2, 64, "shader cycles",
            "minimum distance between two instructions of one warp"),
      field("max_memory_transactions_per_thread", &SmSpec::max_memory_transactions_per_thread, 1, 64, "accesses",
            "global, local and texture loads that one warp may have in flight"),
      field("memory_queue", &SmSpec::memory_queue, 1, 1024, "transactions",
            "transactions that the SM may have waiting for the TPC"),
      field("divergence_stack", &SmSpec::divergence_stack, 4, 1024, "entries",
            "entries of the divergence stack of one warp"),
      field("scheduler", &SmSpec::scheduler, choice{"loose_round_robin", "oldest"}, "", "which ready warp issues"),
      section("latency_cycles", &SmSpec::latency, "result-to-dependent-issue latencies"),
      section("shared", &SmSpec::shared, "shared memory"),
  };
};

}  // namespace teslasim
