// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_path.h"

#include <bit>
#include <cmath>

#include "sim/base/clock_time.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr unsigned smallest_transaction = 32;

LinkLatencies make_latencies(const TpcSpec& tpc, const NocSpec& noc, const DramSpec& dram, const TlbSpec& tlb) {
  LinkLatencies latency;
  latency.sm_to_tpc = femtoseconds_of_ns(tpc.request_ns);
  latency.tpc_to_sm = femtoseconds_of_ns(tpc.response_ns);
  latency.tpc_credit = femtoseconds_of_ns(tpc.credit_ns);
  const Femtoseconds request = femtoseconds_of_ns(noc.request_ns);
  latency.tpc_to_crossbar = request / 2;
  latency.crossbar_to_partition = request - latency.tpc_to_crossbar;
  const Femtoseconds response = femtoseconds_of_ns(noc.response_ns);
  latency.partition_to_crossbar = response / 2;
  latency.crossbar_to_tpc = response - latency.partition_to_crossbar;
  const Femtoseconds second_level = femtoseconds_of_ns(tlb.l2_ns);
  latency.translation = second_level / 2;
  latency.translation_back = second_level - latency.translation;
  latency.dram = femtoseconds_of_ns(dram.latency_ns);
  return latency;
}

unsigned cycles_in(Femtoseconds time, Femtoseconds period) {
  return static_cast<unsigned>(time / period) + 1;
}

QueuePlaces make_places(const FloorPlan& plan, const LinkLatencies& latency, const TpcSpec& tpc, const NocSpec& noc,
                        const DramSpec& dram, unsigned bytes_per_cycle) {
  QueuePlaces places;
  places.tpc_requests = tpc.queue;
  places.crossbar_requests = noc.queue;
  // Places where requests queue, and those for requests on the link and credits on their way back.
  places.partition_requests =
      dram.input_queue + cycles_in(latency.crossbar_to_partition + latency.partition_to_crossbar, plan.core_period);
  // A place is taken when the access starts and given back when the crossbar has passed the response on: to stream to
  // one TPC at full bandwidth, everything under way in that time needs a place besides those where responses queue.
  const Femtoseconds transfer = plan.memory_period * ((smallest_transaction + bytes_per_cycle - 1) / bytes_per_cycle);
  const Femtoseconds round_trip = latency.dram + latency.partition_to_crossbar + latency.tpc_to_crossbar;
  places.crossbar_responses = noc.queue + cycles_in(round_trip, transfer);
  places.tpc_responses = cycles_in(latency.crossbar_to_tpc, plan.core_period) + 1;
  return places;
}

std::vector<std::uint16_t> make_tpc_of_sm(const FloorPlan& plan) {
  std::vector<std::uint16_t> tpc_of_sm;
  for (unsigned tpc = 0; tpc < plan.tpcs; ++tpc) {
    tpc_of_sm.insert(tpc_of_sm.end(), plan.sms_per_tpc, static_cast<std::uint16_t>(tpc));
  }
  for (unsigned i = 0; i < plan.other_clients; ++i) tpc_of_sm.push_back(static_cast<std::uint16_t>(plan.tpcs + i));
  tpc_of_sm.push_back(static_cast<std::uint16_t>(plan.tpcs + plan.other_clients));
  return tpc_of_sm;
}

constexpr unsigned bits_per_byte = 8;
constexpr unsigned transfers_per_cycle = 2;  ///< double data rate

}  // namespace

AddressMap::AddressMap(unsigned partitions, unsigned interleave_bytes)
    : partitions_(partitions), shift_(static_cast<unsigned>(std::countr_zero(interleave_bytes))) {
  SIM_CHECK(partitions > 0 && std::has_single_bit(interleave_bytes), "the address map was not checked");
}

MemoryPath::MemoryPath(const FloorPlan& floor_plan, const TpcSpec& tpc_spec, const NocSpec& noc,
                       const DramSpec& dram_spec, const RopSpec& rop_spec, const TlbSpec& tlb_spec,
                       const TextureL2Spec& texture_l2_spec)
    : plan(floor_plan),
      map(dram_spec.partitions, dram_spec.interleave_bytes),
      latency(make_latencies(tpc_spec, noc, dram_spec, tlb_spec)),
      tpc(tpc_spec),
      dram(dram_spec),
      rop(rop_spec),
      tlb(tlb_spec),
      texture_l2(texture_l2_spec),
      transaction_period(static_cast<Femtoseconds>(
          std::llround(tpc_spec.transaction_cycles * static_cast<double>(floor_plan.sm_period)))),
      width_bytes(noc.width_bytes),
      request_width_bytes(noc.request_width_bytes),
      bytes_per_memory_cycle(dram_spec.bus_width_bits_per_partition / bits_per_byte * transfers_per_cycle),
      tpc_of_sm(make_tpc_of_sm(floor_plan)) {
  places = make_places(plan, latency, tpc_spec, noc, dram_spec, bytes_per_memory_cycle);
}

}  // namespace teslasim
