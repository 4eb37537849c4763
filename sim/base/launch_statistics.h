// SPDX-License-Identifier: Apache-2.0
// Everything that is counted during one launch: plain integers, filled by the timing or the functional model, read by
// reports, the digest and the conservation checks. Ratios are computed where they are printed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/cache_statistics.h"
#include "sim/base/interval_statistics.h"
#include "sim/base/latency_histogram.h"
#include "sim/base/profiler_counters.h"
#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {

/// Conflict degrees 1..16 of one access group (half-warp); index 0 is unused.
using DegreeHistogram = std::array<std::uint64_t, 17>;

/// Accesses to an on-chip memory that serves one access group per pass.
struct OnChipStatistics {
  std::uint64_t accesses = 0;  ///< access groups (half-warps) with at least one active lane
  std::uint64_t replays = 0;   ///< sum over accesses of (degree - 1)
  DegreeHistogram degree{};    ///< number of accesses of each degree
  std::uint64_t retries = 0;   ///< instructions issued once more because a line was missing
  OnChipStatistics& operator+=(const OnChipStatistics& other);
  friend bool operator==(const OnChipStatistics&, const OnChipStatistics&) = default;
};

/// How often each bank of shared memory served a word, all passes together: how evenly they are used.
struct BankAccesses {
  static constexpr unsigned most_banks = 64;
  unsigned banks = 0;                            ///< of the machine; 0: not counted
  std::uint64_t all = 0;                         ///< passes that used every bank
  std::array<std::uint64_t, most_banks> some{};  ///< by bank, in the other passes

  /// A pass in which the banks of the mask served a word each.
  void add(std::uint64_t mask) {
    if (mask == every_bank()) {
      ++all;
      return;
    }
    for (; mask != 0; mask &= mask - 1) ++some[static_cast<std::size_t>(std::countr_zero(mask))];
  }
  [[nodiscard]] std::uint64_t of(unsigned bank) const { return all + some[bank]; }
  BankAccesses& operator+=(const BankAccesses& other);

 private:
  [[nodiscard]] std::uint64_t every_bank() const {
    return banks >= most_banks ? ~std::uint64_t{0} : (std::uint64_t{1} << banks) - 1;
  }
};

/// One block on its SM, from its arrival to the first cycle without it. SM cycles of the launch.
struct BlockTimes {
  static constexpr Cycle unfinished = never;
  std::uint32_t block = 0;
  std::uint32_t slot = 0;
  Cycle begin = 0;
  Cycle end = unfinished;
};

/// Global or local memory traffic after the coalescer.
struct CoalescingStatistics {
  std::uint64_t requests_half_warp = 0;  ///< half-warps that touched memory
  std::uint64_t transactions_16 = 0;     ///< only with rules that have them
  std::uint64_t transactions_32 = 0;
  std::uint64_t transactions_64 = 0;
  std::uint64_t transactions_128 = 0;
  std::uint64_t bytes = 0;       ///< moved: sum of transaction sizes
  std::uint64_t bytes_used = 0;  ///< asked for: active lanes x access size
  CoalescingStatistics& operator+=(const CoalescingStatistics& other);
  friend bool operator==(const CoalescingStatistics&, const CoalescingStatistics&) = default;
};

/// Lines of code and constants read from memory, and the caches on the way. L1 are sums over SMs, L2 over TPCs.
struct CodeAndConstantStatistics {
  CacheStatistics instruction_l1, constant_l1;
  CacheStatistics instruction_l2, constant_l2;
  CacheStatistics instruction_l3, constant_l3;
  std::uint64_t transactions = 0;  ///< sent by the third level
  std::uint64_t answered = 0;
  std::uint64_t bytes = 0;
};

/// Texture units and their caches. L1 are sums over SMs, L2 over partitions.
struct TextureStatistics {
  std::uint64_t requests = 0;       ///< half-warps that the units took
  std::uint64_t replies = 0;        ///< half-warps that went back to their SM
  std::uint64_t line_requests = 0;  ///< lines that the first level asked the second for
  std::uint64_t line_replies = 0;
  std::uint64_t reads = 0;       ///< transactions with which the second level read lines from memory
  std::uint64_t read_bytes = 0;  ///< moved by them
  std::uint64_t address_cycles = 0, filter_cycles = 0;  ///< core cycles of work in the two stages
  std::uint64_t held_back_cycles = 0;  ///< core cycles that half-warps with all texels waited for those before them
  CacheStatistics l1, l2;
  TextureStatistics& operator+=(const TextureStatistics& other);
};

/// One instruction address. Slots that no instruction ended (tail, start) are not here.
struct PcStatistics {
  std::uint64_t warp_issues = 0;
  std::uint64_t thread_issues = 0;  ///< lanes that passed the guard
  std::uint64_t null_issues = 0;    ///< all lanes predicated off
  PerReason<> slots;                ///< view A, causal: charged to the instruction whose issue ended the wait
  std::uint64_t divergent = 0;      ///< executions of a branch that split the warp
  CoalescingStatistics memory;
  OnChipStatistics shared;
  OnChipStatistics constant;
  LatencyHistogram latency;  ///< SM cycles from the first pass to the results written; empty without results
  std::vector<std::pair<std::uint32_t, std::uint64_t>> blamed;  ///< producer pc, slots; most first after finalising
};

struct SmStatistics {
  PerReason<> slots;             ///< view A
  PerReason<> warp_cycles;       ///< view B
  PerReason<> slots_without_pc;  ///< part of `slots` that no instruction ended (no resident warp, end of the kernel)
  std::uint64_t resident_warp_cycles = 0;  ///< counted on its own, for the check of view B
  std::uint64_t issue_events = 0;          ///< first passes + replays, counted on its own
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t blocks = 0;
  BankAccesses banks;
  static constexpr std::size_t most_block_times = 2048;
  std::vector<BlockTimes> block_times;  ///< the first blocks, in the order of arrival; not part of the digest
};

/// What the register file and the units of all SMs did besides issuing.
struct PipelineStatistics {
  std::uint64_t operand_wait_cycles = 0;    ///< SM cycles that instructions waited for the read port of their bank
  std::uint64_t write_wait_cycles = 0;      ///< SM cycles that results waited for the write port of their bank
  std::uint64_t collector_full_cycles = 0;  ///< SM cycles in which all collectors of a unit waited, over units
  std::uint64_t dual_issued_mul = 0;        ///< multiplications that went to the SFU because the MAD unit was taken
  friend bool operator==(const PipelineStatistics&, const PipelineStatistics&) = default;
};

/// What a cycle of a DRAM data bus was used for: data, or why there were none. `turn`: changing between reading and
/// writing; `row`: the row asked for was being closed or opened; `refresh`; `held`: only writes were there, held back
/// in the hope of more; `idle`: nothing was there.
enum class BusUse : std::uint8_t { read, write, turn, row, refresh, held, idle };
inline constexpr unsigned bus_use_count = 7;
inline constexpr std::array<std::string_view, bus_use_count> bus_use_names{"read",    "write", "turn", "row",
                                                                           "refresh", "held",  "idle"};
using BusCycles = std::array<std::uint64_t, bus_use_count>;  ///< memory cycles by BusUse

/// One memory partition. What the DRAM moved: an atomic operation reads and writes.
struct PartitionStatistics {
  std::uint64_t read_transactions = 0, write_transactions = 0;
  std::uint64_t read_bytes = 0, write_bytes = 0;
  std::uint64_t busy_cycles = 0;        ///< memory-clock cycles in which the data bus carried data
  std::uint64_t atomic_operations = 0;  ///< lanes
  std::uint64_t row_hits = 0;           ///< transactions that found their row open
  std::uint64_t row_misses = 0;         ///< transactions for which a row was opened
  std::uint64_t activates = 0;
  std::uint64_t refreshes = 0;      ///< while there was work
  std::uint64_t turns = 0;          ///< changes between reading and writing
  std::uint64_t queue_cycles = 0;   ///< transactions in the controller, summed over memory cycles
  std::uint64_t queue_deepest = 0;  ///< most transactions in the controller at a time
  BusCycles bus{};                  ///< every memory cycle of the launch
};

/// Where a load or atomic spends its time between issue and its arrival at the registers, in order.
enum class MemoryStage : std::uint8_t { addr_coal, noc_req, tlb, l2_tex, dram_q, dram_svc, noc_rsp };
inline constexpr unsigned memory_stage_count = 7;
inline constexpr std::array<std::string_view, memory_stage_count> memory_stage_names{
    "addr_coal", "noc_req", "tlb", "l2_tex", "dram_q", "dram_svc", "noc_rsp"};

/// Time of answered transactions: from the issue of the instruction to the arrival of the answer at the SM, as a whole
/// and by stage. The stages are counted where they happen, the whole at the end, and must sum to it.
struct RequestLatency {
  static constexpr Femtoseconds bin = 50'000'000;  ///< 50 ns
  static constexpr std::size_t bins = 32;          ///< the last one holds everything above
  std::array<Femtoseconds, memory_stage_count> stage{};
  Femtoseconds total = 0;
  std::uint64_t answers = 0;
  std::array<std::uint64_t, bins> histogram{};

  void add(MemoryStage where, Femtoseconds time) { stage[static_cast<std::size_t>(where)] += time; }
  void add_answer(Femtoseconds time) {
    total += time;
    ++answers;
    const Femtoseconds place = time / bin;
    ++histogram[place < bins ? place : bins - 1];
  }
  RequestLatency& operator+=(const RequestLatency& other);
};

/// Address translation. Each first-level miss is one look-up in the second level, unless it waits for a page under way.
struct TlbStatistics {
  std::uint64_t l1_look_ups = 0;
  std::uint64_t l1_misses = 0;
  std::uint64_t l2_look_ups = 0;
  std::uint64_t walks = 0;       ///< reads of the page table
  std::uint64_t walk_bytes = 0;  ///< moved by them
};

struct Occupancy {
  unsigned ctas_per_sm = 0;
  unsigned warps = 0;  ///< resident when full
  unsigned max_warps = 0;
  std::string limiter;  ///< "threads", "warps", "ctas", "registers", "shared"
};

enum class RunStatus : std::uint8_t { ok, interrupted, stuck, kernel_error, limit };

struct LaunchStatistics {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  RunStatus status = RunStatus::ok;
  bool timed = true;        ///< false in functional mode: no cycles, no slots
  Cycle shader_cycles = 0;  ///< SP clock cycles from launch to the end of the last memory access
  Femtoseconds duration = 0;
  Femtoseconds overhead = 0;  ///< driver and front end, before the first block; not part of the duration
  Occupancy occupancy;
  std::uint64_t ctas_total = 0, ctas_done = 0;

  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< lanes that passed the guard
  std::uint64_t null_instructions = 0;
  std::array<std::uint64_t, 12> issued_by_class{};  ///< indexed by IssueClass
  std::uint64_t branches = 0, divergent_branches = 0;
  std::uint64_t active_lane_sum = 0;  ///< lanes active before the guard, over all warp instructions
  std::uint64_t barriers = 0;         ///< barrier instructions, per warp

  PerReason<> slots;                                ///< view A, all SMs; sum = sm cycles x SMs
  PerReason<> warp_cycles;                          ///< view B, all SMs
  std::array<std::uint64_t, 4> unit_busy_cycles{};  ///< SM cycles in which mad, sfu, dp, memory were starting a warp
  PipelineStatistics pipeline;

  OnChipStatistics shared;
  BankAccesses banks;  ///< of shared memory; not part of the digest, which has the degrees of the same passes
  OnChipStatistics constant;
  CoalescingStatistics global;
  CoalescingStatistics local;
  CoalescingStatistics texture;
  CodeAndConstantStatistics code;
  TextureStatistics textures;
  ProfilerCounters profiler;
  std::uint64_t load_requests = 0, load_responses = 0;  ///< transactions sent to / answered by the memory side
  std::uint64_t store_requests = 0, stores_performed = 0;
  std::uint64_t atomic_requests = 0, atomic_bytes = 0;  ///< atomics and reductions, part of the above
  std::vector<PartitionStatistics> partitions;
  RequestLatency request_latency;
  TlbStatistics tlb;

  std::vector<SmStatistics> sms;
  std::vector<PcStatistics> pcs;  ///< indexed by Instruction::index
  IntervalStatistics intervals;   ///< not part of the digest: the same counts as above, over time
};

}  // namespace teslasim
