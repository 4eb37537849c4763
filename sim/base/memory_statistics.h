// SPDX-License-Identifier: Apache-2.0
// What is counted on the way to memory and back: transactions, caches, textures, translation, DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/cache_statistics.h"
#include "sim/base/statistic_field.h"
#include "sim/base/types.h"

namespace teslasim {

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

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("requests_half_warp", &CoalescingStatistics::requests_half_warp, "half-warps", "launch",
                  "half-warps that accessed this memory"),
        statistic("transactions/16", &CoalescingStatistics::transactions_16, "transactions", "launch",
                  "transactions of 16 bytes after coalescing"),
        statistic("transactions/32", &CoalescingStatistics::transactions_32, "transactions", "launch",
                  "transactions of 32 bytes after coalescing"),
        statistic("transactions/64", &CoalescingStatistics::transactions_64, "transactions", "launch",
                  "transactions of 64 bytes after coalescing"),
        statistic("transactions/128", &CoalescingStatistics::transactions_128, "transactions", "launch",
                  "transactions of 128 bytes after coalescing"),
        statistic("bytes", &CoalescingStatistics::bytes, "bytes", "launch", "bytes moved for these accesses")
            .with_formula("sum of transaction sizes"),
        statistic("bytes_used", &CoalescingStatistics::bytes_used, "bytes", "launch",
                  "bytes that the lanes asked for; of textures, those of all texels that they read")
            .with_formula("active lanes * access size"),
        statistic_ratio("efficiency", &CoalescingStatistics::bytes_used, &CoalescingStatistics::bytes, "no access",
                        "launch", "share of the moved bytes that was asked for; above 1 when lanes share words",
                        "bytes_used / bytes"));
  }
};

/// Lines of code and constants read from memory, and the caches on the way. L1 are sums over SMs, L2 over TPCs.
struct CodeAndConstantStatistics {
  CacheStatistics instruction_l1, constant_l1;
  CacheStatistics instruction_l2, constant_l2;
  CacheStatistics instruction_l3, constant_l3;
  std::uint64_t transactions = 0;  ///< sent by the third level
  std::uint64_t answered = 0;
  std::uint64_t bytes = 0;

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic_part("instruction_l1", &CodeAndConstantStatistics::instruction_l1),
        statistic_part("instruction_l2", &CodeAndConstantStatistics::instruction_l2),
        statistic_part("instruction_l3", &CodeAndConstantStatistics::instruction_l3),
        statistic_part("constant_l1", &CodeAndConstantStatistics::constant_l1),
        statistic_part("constant_l2", &CodeAndConstantStatistics::constant_l2),
        statistic_part("constant_l3", &CodeAndConstantStatistics::constant_l3),
        statistic("memory/transactions", &CodeAndConstantStatistics::transactions, "transactions", "GPU",
                  "transactions with which the third level read lines from memory"),
        statistic("memory/answered", &CodeAndConstantStatistics::answered, "transactions", "GPU", "responses to them"),
        statistic("memory/bytes", &CodeAndConstantStatistics::bytes, "bytes", "GPU",
                  "bytes of code and constants read from memory"));
  }
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

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("texture_units/requests", &TextureStatistics::requests, "half-warps", "GPU",
                  "half-warps that the texture units took"),
        statistic("texture_units/replies", &TextureStatistics::replies, "half-warps", "GPU",
                  "half-warps that they answered"),
        statistic("texture_units/line_requests", &TextureStatistics::line_requests, "lines", "GPU",
                  "lines that first-level texture caches asked the second level for"),
        statistic("texture_units/line_replies", &TextureStatistics::line_replies, "lines", "GPU",
                  "lines that came from there"),
        statistic("texture_units/memory_transactions", &TextureStatistics::reads, "transactions", "GPU",
                  "transactions with which the second level read lines from memory"),
        statistic("texture_units/memory_bytes", &TextureStatistics::read_bytes, "bytes", "GPU",
                  "bytes that they moved"),
        statistic("texture_units/address_cycles", &TextureStatistics::address_cycles, "core cycles", "GPU",
                  "core cycles of work of the address generators, summed over texture units"),
        statistic("texture_units/filter_cycles", &TextureStatistics::filter_cycles, "core cycles", "GPU",
                  "core cycles of work of the filters, summed over texture units"),
        statistic(
            "texture_units/held_back_cycles", &TextureStatistics::held_back_cycles, "core cycles", "GPU",
            "core cycles that half-warps with all of their texels waited for those before them or for the filter, "
            "summed over half-warps"),
        statistic_part("caches/texture_l1", &TextureStatistics::l1).timed("counted in timing mode only"),
        statistic_part("caches/texture_l2", &TextureStatistics::l2).timed("counted in timing mode only"));
  }
};

/// What a cycle of a DRAM data bus was used for: data, or why there were none. `turn`: changing between reading and
/// writing; `row`: the row asked for was being closed or opened; `refresh`; `held`: only writes were there, held back
/// in the hope of more; `idle`: nothing was there.
enum class BusUse : std::uint8_t { read, write, turn, row, refresh, held, idle };
inline constexpr unsigned bus_use_count = 7;
inline constexpr std::array<std::string_view, bus_use_count> bus_use_names{"read",    "write", "turn", "row",
                                                                           "refresh", "held",  "idle"};
[[nodiscard]] std::string name_of_bus_use(std::size_t use);
using BusCycles = std::array<std::uint64_t, bus_use_count>;  ///< memory cycles by BusUse

/// One memory partition. What the DRAM moved: an atomic operation reads and writes.
struct PartitionStatistics {
  std::uint64_t read_transactions = 0, write_transactions = 0;
  std::uint64_t read_bytes = 0, write_bytes = 0;
  std::uint64_t busy_cycles = 0;        ///< memory-clock cycles in which the data bus carried data
  std::uint64_t atomic_operations = 0;  ///< lanes
  std::uint64_t atomic_cycles = 0;      ///< memory cycles in which the ROP unit was busy with them
  std::uint64_t row_hits = 0;           ///< transactions that found their row open
  std::uint64_t row_misses = 0;         ///< transactions for which a row was opened
  std::uint64_t activates = 0;
  std::uint64_t refreshes = 0;      ///< while there was work
  std::uint64_t turns = 0;          ///< changes between reading and writing
  std::uint64_t queue_cycles = 0;   ///< transactions in the controller, summed over memory cycles
  std::uint64_t queue_deepest = 0;  ///< most transactions in the controller at a time
  BusCycles bus{};                  ///< every memory cycle of the launch

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("read_transactions", &PartitionStatistics::read_transactions, "transactions", "partition",
                  "reads served by the partition"),
        statistic("write_transactions", &PartitionStatistics::write_transactions, "transactions", "partition",
                  "writes served by the partition"),
        statistic("read_bytes", &PartitionStatistics::read_bytes, "bytes", "partition", "bytes read in the partition"),
        statistic("write_bytes", &PartitionStatistics::write_bytes, "bytes", "partition",
                  "bytes written in the partition"),
        statistic("busy_cycles", &PartitionStatistics::busy_cycles, "memory cycles", "partition",
                  "memory clock cycles in which the data bus carried data"),
        statistic("atomic_operations", &PartitionStatistics::atomic_operations, "operations", "partition",
                  "atomic operations of single lanes in the ROP unit of the partition"),
        statistic("atomic_cycles", &PartitionStatistics::atomic_cycles, "memory cycles", "partition",
                  "memory cycles in which the ROP unit was busy with atomic operations")
            .outside_digest(),  // follows from the operations and their addresses
        statistic("row_hits", &PartitionStatistics::row_hits, "transactions", "partition",
                  "accesses that found their row open"),
        statistic("row_misses", &PartitionStatistics::row_misses, "transactions", "partition",
                  "accesses for which a row was opened"),
        statistic("activates", &PartitionStatistics::activates, "commands", "partition", "rows opened"),
        statistic("refreshes", &PartitionStatistics::refreshes, "commands", "partition",
                  "refreshes while the controller had work"),
        statistic("turns", &PartitionStatistics::turns, "turns", "partition",
                  "changes of the data bus between reading and writing"),
        statistic("queue_cycles", &PartitionStatistics::queue_cycles, "transactions * memory cycles", "partition",
                  "transactions in the memory controller, summed over memory cycles"),
        statistic("queue_deepest", &PartitionStatistics::queue_deepest, "transactions", "partition",
                  "most transactions in the memory controller at a time")
            .with(StatisticSum::greatest),
        statistic("bus_cycles/*", &PartitionStatistics::bus, name_of_bus_use, "memory cycles", "partition",
                  "cycles of the data bus by use, see dram.bus_pct; they sum to the memory cycles of the launch"));
  }
};

/// Where a load or atomic spends its time between issue and its arrival at the registers, in order.
enum class MemoryStage : std::uint8_t { addr_coal, noc_req, tlb, l2_tex, dram_q, dram_svc, noc_rsp };
inline constexpr unsigned memory_stage_count = 7;
inline constexpr std::array<std::string_view, memory_stage_count> memory_stage_names{
    "addr_coal", "noc_req", "tlb", "l2_tex", "dram_q", "dram_svc", "noc_rsp"};

/// The begin of a bin of RequestLatency in nanoseconds: "0", "50", ...
[[nodiscard]] std::string name_of_latency(std::size_t bin);

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
    const std::uint64_t place = time / bin;
    ++histogram[place < bins ? place : bins - 1];
  }
  RequestLatency& operator+=(const RequestLatency& other);

  static constexpr auto fields(const auto& visit) {
    return visit(
        unprinted(&RequestLatency::stage), unprinted(&RequestLatency::total),
        statistic("answers", &RequestLatency::answers, "transactions", "GPU",
                  "answered transactions whose latency was measured"),
        statistic(
            "histogram/*", &RequestLatency::histogram, name_of_latency, "transactions", "GPU",
            "answered transactions whose latency lies in the 50 ns from this value on; the last row holds all above"));
  }
};

/// Address translation. Each first-level miss is one look-up in the second level, unless it waits for a page under way.
struct TlbStatistics {
  std::uint64_t l1_look_ups = 0;
  std::uint64_t l1_misses = 0;
  std::uint64_t l2_look_ups = 0;
  std::uint64_t walks = 0;       ///< reads of the page table
  std::uint64_t walk_bytes = 0;  ///< moved by them

  static constexpr auto fields(const auto& visit) {
    return visit(statistic("l1_look_ups", &TlbStatistics::l1_look_ups, "look-ups", "GPU",
                           "translations in the first-level TLBs of the TPCs"),
                 statistic("l1_misses", &TlbStatistics::l1_misses, "look-ups", "GPU",
                           "translations whose page was not in the first level"),
                 statistic("l2_look_ups", &TlbStatistics::l2_look_ups, "look-ups", "GPU",
                           "look-ups in the shared second-level TLB"),
                 statistic("walks", &TlbStatistics::walks, "walks", "GPU",
                           "reads of the page table, for pages not in the second level"),
                 unprinted(&TlbStatistics::walk_bytes));
  }
};

}  // namespace teslasim
