// SPDX-License-Identifier: Apache-2.0
// The plan of the memory side of one machine: how many boxes, how long their links, how wide their queues. Made once
// from the configuration; the boxes keep what they need of it.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/memory_spec.h"
#include "sim/base/types.h"

namespace teslasim {

/// What the memory side needs to know of the machine's floor plan and clocks.
struct FloorPlan {
  unsigned tpcs = 1;
  unsigned sms_per_tpc = 1;
  Femtoseconds core_period = 1;
  Femtoseconds memory_period = 1;
  unsigned other_clients = 0;  ///< of the crossbar, besides the TPCs: 1 with a third-level constant cache
  Femtoseconds sm_period = 1;
};

/// Link latencies in femtoseconds, each > 0. A trip through the crossbar is halved: to its queue and from it.
struct LinkLatencies {
  Femtoseconds sm_to_tpc = 1;
  Femtoseconds tpc_to_sm = 1;
  Femtoseconds tpc_credit = 1;  ///< a freed place back to the SM
  Femtoseconds tpc_to_crossbar = 1;
  Femtoseconds crossbar_to_partition = 1;
  Femtoseconds partition_to_crossbar = 1;
  Femtoseconds crossbar_to_tpc = 1;
  Femtoseconds translation = 1;       ///< first-level TLB to the second level
  Femtoseconds translation_back = 1;  ///< and back
  Femtoseconds dram = 1;              ///< least time from a request at the partition to its reply
};

/// The shortest link from the memory side into an SM: bounds the look-ahead.
[[nodiscard]] inline Femtoseconds shortest_into_sm(const LinkLatencies& latency) {
  return latency.tpc_to_sm < latency.tpc_credit ? latency.tpc_to_sm : latency.tpc_credit;
}

/// From the departure of a request that memory serves until its response reaches the SM, at the least.
[[nodiscard]] inline Femtoseconds shortest_answer(const LinkLatencies& latency) {
  return latency.sm_to_tpc + latency.tpc_to_crossbar + latency.crossbar_to_partition + latency.dram +
         latency.partition_to_crossbar + latency.crossbar_to_tpc + latency.tpc_to_sm;
}

/// Places in each kind of queue; its sender starts with as many credits.
struct QueuePlaces {
  unsigned tpc_requests = 1;        ///< per SM
  unsigned crossbar_requests = 1;   ///< per TPC and partition
  unsigned partition_requests = 1;  ///< per partition
  unsigned crossbar_responses =
      1;                       ///< per partition and TPC; reserved when an access starts, so it covers the DRAM too
  unsigned tpc_responses = 1;  ///< what can be on the link: the memory port takes one in each cycle
};

/// Addresses go round robin over the partitions in blocks; any number of partitions (Collange 2010, section 10.4).
class AddressMap {
 public:
  AddressMap(unsigned partitions, unsigned interleave_bytes);
  [[nodiscard]] unsigned partition_of(Address address) const { return (address >> shift_) % partitions_; }
  /// Where the byte lies in the memory of its partition: the blocks of one partition follow each other.
  [[nodiscard]] Address local_of(Address address) const {
    return (address >> shift_) / partitions_ << shift_ | (address & ((Address{1} << shift_) - 1));
  }
  [[nodiscard]] unsigned partitions() const { return partitions_; }

 private:
  unsigned partitions_;
  unsigned shift_;
};

struct MemoryPath {
  MemoryPath(const FloorPlan& floor_plan, const TpcSpec& tpc, const NocSpec& noc, const DramSpec& dram,
             const RopSpec& rop = {}, const TlbSpec& tlb = {}, const TextureL2Spec& texture_l2 = {});

  /// The number that page walks carry instead of an SM's.
  [[nodiscard]] std::uint16_t walker() const { return static_cast<std::uint16_t>(tpc_of_sm.size() - 1); }
  /// Core cycles for which a port of the crossbar is taken by `bytes` of data.
  [[nodiscard]] CoreCycle port_cycles(unsigned bytes) const {
    return bytes <= width_bytes ? 1 : (bytes + width_bytes - 1) / width_bytes;
  }
  [[nodiscard]] unsigned tpc_of(SmIndex sm) const { return tpc_of_sm[sm]; }
  [[nodiscard]] unsigned partitions() const { return map.partitions(); }
  /// Senders of requests through the crossbar: the TPCs, then the other clients, page walks last.
  [[nodiscard]] unsigned clients() const { return plan.tpcs + plan.other_clients + 1; }
  [[nodiscard]] unsigned walk_client() const { return plan.tpcs + plan.other_clients; }
  /// The number that the first client other than a TPC puts into its transactions instead of an SM's.
  [[nodiscard]] std::uint16_t other_client() const { return static_cast<std::uint16_t>(plan.tpcs * plan.sms_per_tpc); }

  FloorPlan plan;
  AddressMap map;
  LinkLatencies latency;
  QueuePlaces places;
  TpcSpec tpc;
  DramSpec dram;
  RopSpec rop;
  TlbSpec tlb;
  TextureL2Spec texture_l2;
  Femtoseconds transaction_period;       ///< between two transactions that a TPC generates for its SMs
  unsigned width_bytes;                  ///< of the crossbar's ports
  unsigned request_width_bytes;          ///< of those at which partitions take requests
  unsigned bytes_per_memory_cycle;       ///< of one partition: two transfers per cycle
  std::vector<std::uint16_t> tpc_of_sm;  ///< client of the crossbar, by the number in a transaction; last: page walks
};

}  // namespace teslasim
