// SPDX-License-Identifier: Apache-2.0
// Parameters of everything between the SMs and the DRAM. Latencies are in ns, as published; each is turned into whole
// femtoseconds or cycles once.
#pragma once

#include <string>

#include "memory/texture/texture_spec.h"
#include "sim/base/config.h"

namespace teslasim {

struct TpcSpec {
  double request_ns = 10.0;
  double response_ns = 40.0;
  unsigned queue = 16;
  double credit_ns = 20.0;
  double transaction_cycles = 3.0;
  TextureUnitSpec texture;
  TextureCacheSpec texture_cache;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("request_ns", &TpcSpec::request_ns, 0.1, 10000.0, "ns", "SM to the memory port of its TPC"),
        field("response_ns", &TpcSpec::response_ns, 0.1, 10000.0, "ns",
              "memory port to the SM, after the last arbitration"),
        field("queue", &TpcSpec::queue, 1, 1024, "transactions", "request queue of the memory port, per SM"),
        field("credit_ns", &TpcSpec::credit_ns, 0.1, 10000.0, "ns",
              "a freed place of that queue back to the SM; bounds how far the SMs may run ahead"),
        field("transaction_cycles", &TpcSpec::transaction_cycles, 0.0, 64.0, "SM cycles",
              "between two transactions of global or local memory that the TPC generates; 0: as fast as its port"),
        section("texture", &TpcSpec::texture, "texture unit"),
        section("texture_cache", &TpcSpec::texture_cache, "first-level texture cache"));
  }
};

struct NocSpec {
  double request_ns = 30.0;
  double response_ns = 30.0;
  unsigned queue = 16;
  unsigned width_bytes = 32;
  unsigned request_width_bytes = 32;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("request_ns", &NocSpec::request_ns, 0.1, 10000.0, "ns", "TPC to partition, unloaded"),
        field("response_ns", &NocSpec::response_ns, 0.1, 10000.0, "ns", "partition to TPC, unloaded"),
        field("queue", &NocSpec::queue, 1, 1024, "transactions", "crossbar input queue, per TPC and partition"),
        field("width_bytes", &NocSpec::width_bytes, power_of_two{4, 128}, "bytes",
              "data that a port of the crossbar takes per core cycle; requests to read take one cycle"),
        field("request_width_bytes", &NocSpec::request_width_bytes, power_of_two{4, 128}, "bytes",
              "the same of the port of a partition for requests"));
  }
};

/// Address translation: a first-level TLB per TPC at its port of the crossbar, a second level shared by all.
struct TlbSpec {
  bool ideal = false;
  unsigned l1_entries = 16;
  unsigned l1_ways = 16;
  unsigned l2_entries = 64;
  unsigned l2_ways = 8;
  std::string replacement = "lru";
  std::string driver = "195.17";
  unsigned page_kb_177_13 = 16;
  unsigned page_kb_195_17 = 256;
  unsigned page_kb = 64;
  double l2_ns = 24.0;
  unsigned pages_under_way = 8;
  unsigned miss_queue = 32;
  unsigned walks = 8;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("ideal", &TlbSpec::ideal, "", "every page is always known: what if translation cost nothing"),
        field("l1_entries", &TlbSpec::l1_entries, power_of_two{1, 512}, "pages", "first-level TLB of a TPC"),
        field("l1_ways", &TlbSpec::l1_ways, power_of_two{1, 512}, "ways",
              "of the first level; as many as entries or more: fully associative"),
        field("l2_entries", &TlbSpec::l2_entries, power_of_two{1, 4096}, "pages",
              "second-level TLB, shared by all TPCs"),
        field("l2_ways", &TlbSpec::l2_ways, power_of_two{1, 4096}, "ways",
              "of the second level; as many as entries or more: fully associative"),
        field("replacement", &TlbSpec::replacement, choice{"lru", "fifo", "random"}, "",
              "which page leaves a full set"),
        field("driver", &TlbSpec::driver, choice{"177.13", "195.17", "own"}, "",
              "driver version that sets the page size; own: tlb.page_kb"),
        field("page_kb_177_13", &TlbSpec::page_kb_177_13, power_of_two{4, 4096}, "KB", "page size with driver 177.13"),
        field("page_kb_195_17", &TlbSpec::page_kb_195_17, power_of_two{4, 4096}, "KB", "page size with driver 195.17"),
        field("page_kb", &TlbSpec::page_kb, power_of_two{4, 4096}, "KB", "page size with tlb.driver = \"own\""),
        field("l2_ns", &TlbSpec::l2_ns, 0.2, 10000.0, "ns", "first-level miss to the answer of the second level"),
        field("pages_under_way", &TlbSpec::pages_under_way, 1, 64, "pages",
              "misses of different pages that a TPC waits for"),
        field("miss_queue", &TlbSpec::miss_queue, 1, 1024, "transactions",
              "of one TPC that wait for their page; others pass"),
        field("walks", &TlbSpec::walks, 1, 64, "walks", "of the page table under way at a time"));
  }
};

/// Timing of the memory chips in ns, as in data sheets; each value is rounded up to whole memory cycles.
struct DramTimingSpec {
  unsigned banks = 8;
  unsigned row_bytes = 2048;
  unsigned burst_length = 4;
  double cas_ns = 12.5;
  double write_latency_ns = 8.75;
  double activate_to_read_ns = 15.0;
  double activate_to_write_ns = 10.0;
  double activate_to_precharge_ns = 31.25;
  double activate_to_activate_ns = 43.75;
  double activate_gap_ns = 10.0;
  double four_activates_ns = 40.0;
  double precharge_ns = 12.5;
  double read_to_precharge_ns = 2.5;
  double write_recovery_ns = 13.75;
  double write_to_read_ns = 7.5;
  unsigned bus_turn_cycles = 1;
  unsigned ranks = 1;
  unsigned rank_switch_cycles = 1;
  unsigned rank_switch_write_cycles = 2;
  double refresh_interval_ns = 3900.0;
  double refresh_ns = 54.0;
  static constexpr auto fields(const auto& visit) {
    return visit(field("banks", &DramTimingSpec::banks, power_of_two{1, 16}, "banks",
                       "banks of a partition, those of all its ranks together"),
                 field("ranks", &DramTimingSpec::ranks, power_of_two{1, 4}, "ranks",
                       "sets of chips that share the data bus of a partition; each has the same number of banks"),
                 field("rank_switch_cycles", &DramTimingSpec::rank_switch_cycles, 0, 16, "memory cycles",
                       "gap on the data bus before data read from another rank"),
                 field("rank_switch_write_cycles", &DramTimingSpec::rank_switch_write_cycles, 0, 16, "memory cycles",
                       "gap on the data bus before data written to another rank, whose termination must be enabled"),
                 field("row_bytes", &DramTimingSpec::row_bytes, power_of_two{256, 65536}, "bytes",
                       "bytes of one open row, over all chips of the partition"),
                 field("burst_length", &DramTimingSpec::burst_length, power_of_two{2, 16}, "transfers",
                       "transfers of one column command, two per memory cycle"),
                 field("cas_ns", &DramTimingSpec::cas_ns, 0.1, 1000.0, "ns", "CL: read command to its first data"),
                 field("write_latency_ns", &DramTimingSpec::write_latency_ns, 0.1, 1000.0, "ns",
                       "WL: write command to its first data"),
                 field("activate_to_read_ns", &DramTimingSpec::activate_to_read_ns, 0.1, 1000.0, "ns",
                       "tRCDR: activate to read, same bank"),
                 field("activate_to_write_ns", &DramTimingSpec::activate_to_write_ns, 0.1, 1000.0, "ns",
                       "tRCDW: activate to write, same bank"),
                 field("activate_to_precharge_ns", &DramTimingSpec::activate_to_precharge_ns, 0.1, 1000.0, "ns",
                       "tRAS: activate to precharge, same bank"),
                 field("activate_to_activate_ns", &DramTimingSpec::activate_to_activate_ns, 0.1, 1000.0, "ns",
                       "tRC: activate to activate, same bank"),
                 field("activate_gap_ns", &DramTimingSpec::activate_gap_ns, 0.1, 1000.0, "ns",
                       "tRRD: activate to activate, different banks"),
                 field("four_activates_ns", &DramTimingSpec::four_activates_ns, 0.1, 1000.0, "ns",
                       "tFAW: a window with at most four activates"),
                 field("precharge_ns", &DramTimingSpec::precharge_ns, 0.1, 1000.0, "ns",
                       "tRP: precharge to activate, same bank"),
                 field("read_to_precharge_ns", &DramTimingSpec::read_to_precharge_ns, 0.1, 1000.0, "ns",
                       "tRTP: last read command to precharge, same bank"),
                 field("write_recovery_ns", &DramTimingSpec::write_recovery_ns, 0.1, 1000.0, "ns",
                       "tWR: end of write data to precharge, same bank"),
                 field("write_to_read_ns", &DramTimingSpec::write_to_read_ns, 0.1, 1000.0, "ns",
                       "tCDLR (tWTR): end of write data to read command, all banks"),
                 field("bus_turn_cycles", &DramTimingSpec::bus_turn_cycles, 0, 16, "memory cycles",
                       "idle data bus between read data and write data"),
                 field("refresh_interval_ns", &DramTimingSpec::refresh_interval_ns, 100.0, 1e6, "ns",
                       "tREFI: between refreshes"),
                 field("refresh_ns", &DramTimingSpec::refresh_ns, 0.1, 10000.0, "ns",
                       "tRFC: refresh of all banks, which must be precharged, to the next activate"));
  }
};

/// The default memory behind a TLM-2.0 socket.
struct TlmMemorySpec {
  double latency_ns = 60.0;
  unsigned queue = 16;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("latency_ns", &TlmMemorySpec::latency_ns, 0.1, 10000.0, "ns",
              "acceptance to the first data, whatever the row"),
        field("queue", &TlmMemorySpec::queue, 1, 128, "transactions", "that it has accepted and not answered"));
  }
};

/// The memory controller of a partition, and the geometry of its chips.
struct DramSpec {
  std::string model = "built_in";
  unsigned partitions = 8;
  unsigned bus_width_bits_per_partition = 64;
  unsigned interleave_bytes = 256;
  double latency_ns = 120.0;
  unsigned input_queue = 8;
  unsigned queue = 32;
  unsigned write_queue = 32;
  unsigned write_drain_start = 16;
  unsigned write_drain_stop = 4;
  unsigned write_piece_bytes = 128;
  std::string scheduler = "fr_fcfs";
  unsigned row_hit_cap = 0;
  std::string bank_mapping = "xor";
  std::string reply_order = "arrival";
  double row_hold_ns = 10.0;
  double turn_hold_ns = 40.0;
  double starvation_ns = 1000.0;
  DramTimingSpec timing;
  TlmMemorySpec tlm;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("model", &DramSpec::model, choice{"built_in", "tlm"}, "",
              "memory behind a partition: controller and chips, or what a TLM-2.0 socket leads to"),
        field("partitions", &DramSpec::partitions, 1, 16, "partitions",
              "memory partitions; need not be a power of two"),
        field("bus_width_bits_per_partition", &DramSpec::bus_width_bits_per_partition, power_of_two{16, 256}, "bits",
              "data bus of one partition"),
        field("interleave_bytes", &DramSpec::interleave_bytes, power_of_two{128, 65536}, "bytes",
              "consecutive bytes in one partition; at least the largest transaction"),
        field("latency_ns", &DramSpec::latency_ns, 0.1, 10000.0, "ns",
              "a reply leaves no earlier than this after its request came: early ones are held back to look uniform"),
        field("input_queue", &DramSpec::input_queue, 1, 1024, "transactions", "between crossbar and controller"),
        field("queue", &DramSpec::queue, 1, 128, "transactions", "reads among which the controller chooses"),
        field("write_queue", &DramSpec::write_queue, 1, 128, "transactions", "writes that the controller can put off"),
        field("write_drain_start", &DramSpec::write_drain_start, 1, 128, "pieces",
              "so many pieces of waiting writes turn the bus around"),
        field("write_drain_stop", &DramSpec::write_drain_stop, 0, 128, "pieces",
              "so few pieces of waiting writes turn it back when reads wait"),
        field("write_piece_bytes", &DramSpec::write_piece_bytes, power_of_two{32, 128}, "bytes",
              "a waiting write counts as one piece for each so many bytes, at least one"),
        field("scheduler", &DramSpec::scheduler, choice{"fr_fcfs", "fcfs"}, "",
              "open rows first, then the oldest; or strictly the oldest of each bank"),
        field("row_hit_cap", &DramSpec::row_hit_cap, 0, 1024, "transactions",
              "that one activate serves while an older one of the bank waits for another row; 0: no bound"),
        field("bank_mapping", &DramSpec::bank_mapping, choice{"xor", "plain"}, "",
              "bank number: address bits above the row's columns, plain or xor the lowest bits of the row number"),
        field("reply_order", &DramSpec::reply_order, choice{"arrival", "service"}, "",
              "order in which replies leave a partition: as the requests came, or as the memory served them"),
        field("row_hold_ns", &DramSpec::row_hold_ns, 0.0, 10000.0, "ns",
              "an open row without requests is kept for so long after its last use, in the hope of another"),
        field("turn_hold_ns", &DramSpec::turn_hold_ns, 0.0, 10000.0, "ns",
              "writes are held back for so long after the last read as long as they do not fill their queue"),
        field("starvation_ns", &DramSpec::starvation_ns, 1.0, 1e6, "ns",
              "a request that has waited longer is not passed by younger ones to the open row of its bank"),
        section("timing", &DramSpec::timing, "memory chips"),
        section("tlm", &DramSpec::tlm, "with dram.model = \"tlm\": the memory when a program attaches no other"));
  }
};

/// Raster operation units: atomics.
struct RopSpec {
  unsigned atomics_per_cycle = 4;
  unsigned same_address_cycles = 4;
  static constexpr auto fields(const auto& visit) {
    return visit(field("atomics_per_cycle", &RopSpec::atomics_per_cycle, 1, 32, "operations",
                       "atomic operations on different addresses per memory cycle and partition"),
                 field("same_address_cycles", &RopSpec::same_address_cycles, 1, 1000, "memory cycles",
                       "between two atomic operations on the same address"));
  }
};

}  // namespace teslasim
