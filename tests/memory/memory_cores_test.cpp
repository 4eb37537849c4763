// SPDX-License-Identifier: Apache-2.0
// The boxes of the memory side one by one, without SystemC: neighbours are lists that keep what they get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "memory/crossbar/crossbar_network.h"
#include "memory/dram/dram_controller.h"
#include "memory/image/device_memory.h"
#include "memory/image/memory_access.h"
#include "memory/partition/partition.h"
#include "memory/tpc/tpc_memory_port.h"
#include "sim/base/diagnostic.h"
#include "tests/memory/memory_lists.h"

namespace teslasim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Femtoseconds ns = 1'000'000;

/// 2 TPCs of 2 SMs, 3 partitions; every clock has 1 ns; 16 bytes per memory cycle.
MemoryPath small_path(unsigned crossbar_queue = 2) {
  TpcSpec tpc;
  tpc.request_ns = 3;
  tpc.response_ns = 5;
  tpc.queue = 4;
  NocSpec noc;
  noc.request_ns = 6;
  noc.response_ns = 8;
  noc.queue = crossbar_queue;
  DramSpec dram;
  dram.partitions = 3;
  dram.latency_ns = 100;
  dram.input_queue = 2;
  TlbSpec tlb;
  tlb.ideal = true;
  return MemoryPath({2, 2, ns, ns}, tpc, noc, dram, {}, tlb);
}

MemoryTransaction transaction(Femtoseconds when, Address address, unsigned tag = 0, unsigned sm = 0) {
  MemoryTransaction result;
  result.when = when;
  result.address = address;
  result.bytes = 64;
  result.tag = static_cast<std::uint16_t>(tag);
  result.sm = static_cast<std::uint16_t>(sm);
  return result;
}

TEST(MemoryPath, links_are_whole_femtoseconds_and_the_crossbar_is_halved) {
  const MemoryPath path = small_path();
  EXPECT_EQ(path.latency.sm_to_tpc, 3 * ns);
  EXPECT_EQ(path.latency.tpc_to_sm, 5 * ns);
  EXPECT_EQ(path.latency.tpc_to_crossbar, 3 * ns);
  EXPECT_EQ(path.latency.crossbar_to_partition, 3 * ns);
  EXPECT_EQ(path.latency.partition_to_crossbar + path.latency.crossbar_to_tpc, 8 * ns);
  EXPECT_EQ(path.bytes_per_memory_cycle, 16U) << "64 bits, two transfers per cycle";
  EXPECT_EQ(path.tpc_of(3), 1U);
}

TEST(AddressMap, blocks_of_a_partition_follow_each_other_in_its_memory) {
  const AddressMap map(7, 256);
  EXPECT_EQ(map.local_of(0), 0U);
  EXPECT_EQ(map.local_of(6 * 256 + 5), 5U);
  EXPECT_EQ(map.local_of(7 * 256 + 5), 256U + 5);
  EXPECT_EQ(map.local_of(15 * 256), 512U);
}

TEST(AddressMap, blocks_go_round_robin_over_any_number_of_partitions) {
  const AddressMap map(7, 256);
  for (unsigned i = 0; i < 50; ++i) {
    EXPECT_EQ(map.partition_of(i * 256), i % 7);
    EXPECT_EQ(map.partition_of(i * 256 + 255), i % 7);
  }
}

struct TpcMemoryPortTest : ::testing::Test {
  TpcMemoryPortTest() { unit.connect(crossbar, management, {&sm[0], &sm[1]}, {&credits[0], &credits[1]}); }
  MemoryPath path = small_path();
  TextureUnit textures{path};
  TpcMemoryPort unit{path, 1, textures};  // the second TPC: SMs 2 and 3 of the GPU
  TransactionList crossbar, sm[2];
  TranslationList management;
  CreditList credits[2];
};

TEST_F(TpcMemoryPortTest, nothing_to_do_is_never) {
  EXPECT_EQ(unit.advance(0), never);
}

TEST_F(TpcMemoryPortTest, one_request_per_cycle_round_robin) {
  for (unsigned i = 0; i < 2; ++i) {
    unit.receive_request(0, transaction(3 * ns, 256 * i, 10 + i, 2));
    unit.receive_request(1, transaction(3 * ns, 256 * i, 20 + i, 3));
  }
  EXPECT_EQ(unit.advance(2 * ns), 3 * ns) << "not before its stamp";
  for (Femtoseconds now = 3 * ns; now < 7 * ns; now += ns) unit.advance(now);
  EXPECT_THAT(crossbar.tags(), ElementsAre(10, 20, 11, 21));
  EXPECT_EQ(crossbar.entries[0].transaction.when, 3 * ns + path.latency.tpc_to_crossbar);
  EXPECT_EQ(crossbar.entries[2].port, CrossbarNetwork::port(1, 1, 3)) << "partition 1, TPC 1 of 2, and the page walks";
  EXPECT_EQ(credits[0].entries.front(), (std::pair{0U, 3 * ns + path.latency.tpc_credit}));
  EXPECT_TRUE(unit.idle());
}

/// 2.5 SM cycles of 1 ns for each transaction, with a core clock of 1 ns.
MemoryPath slow_address_path() {
  TpcSpec tpc;
  tpc.transaction_cycles = 2.5;
  TlbSpec tlb;
  tlb.ideal = true;
  return MemoryPath({2, 2, ns, ns, 0, ns}, tpc, {}, {}, {}, tlb);
}

TEST(TpcMemoryPort, generates_one_transaction_in_transaction_cycles_for_all_its_sms) {
  const MemoryPath path = slow_address_path();
  TextureUnit textures{path};
  TpcMemoryPort unit{path, 0, textures};
  TransactionList crossbar, sm[2];
  TranslationList management;
  CreditList credits[2];
  unit.connect(crossbar, management, {&sm[0], &sm[1]}, {&credits[0], &credits[1]});
  const auto departures = [&](Femtoseconds from, Femtoseconds to) {
    std::vector<Femtoseconds> times;
    for (Femtoseconds now = from; now < to; now += ns) {
      const std::size_t before = crossbar.entries.size();
      unit.advance(now);
      if (crossbar.entries.size() != before) times.push_back(now / ns);
    }
    return times;
  };
  for (unsigned i = 0; i < 6; ++i) unit.receive_request(i % 2, transaction(0, 256 * i, i, i % 2));
  EXPECT_THAT(departures(0, 20 * ns), ElementsAre(0, 3, 5, 8, 10, 13)) << "the half cycle to an edge is not lost";
  for (unsigned i = 0; i < 3; ++i) unit.receive_request(0, transaction(50 * ns, 256 * i, i, 0));
  EXPECT_THAT(departures(40 * ns, 70 * ns), ElementsAre(50, 53, 55)) << "a rest saves nothing up";
  EXPECT_TRUE(unit.idle());
}

TEST_F(TpcMemoryPortTest, a_full_queue_holds_up_only_the_sm_that_wants_it) {
  for (unsigned i = 0; i < 3; ++i) unit.receive_request(0, transaction(0, 0, 10 + i, 2));  // crossbar queue: 2 places
  unit.receive_request(1, transaction(4 * ns, 256, 20, 3));
  unit.advance(0);
  unit.advance(ns);
  EXPECT_EQ(unit.advance(2 * ns), 4 * ns) << "partition 0 is full, nothing else until 4 ns";
  EXPECT_EQ(unit.advance(4 * ns), never);
  EXPECT_EQ(unit.credit(1, 9 * ns), never) << "nobody waits for partition 1";
  EXPECT_EQ(unit.credit(0, 12 * ns), 12 * ns);
  EXPECT_EQ(unit.advance(5 * ns), 12 * ns);
  unit.advance(12 * ns);
  EXPECT_THAT(crossbar.tags(), ElementsAre(10, 11, 20, 12));
}

TEST_F(TpcMemoryPortTest, one_response_per_cycle_to_the_sm_that_asked) {
  unit.receive_response(0, transaction(0, 0, 1, 3));
  unit.receive_response(0, transaction(0, 0, 2, 2));
  EXPECT_LE(unit.advance(0), ns);
  EXPECT_TRUE(sm[0].entries.empty());
  unit.advance(ns);
  EXPECT_THAT(sm[1].tags(), ElementsAre(1));
  EXPECT_THAT(sm[0].tags(), ElementsAre(2));
  EXPECT_EQ(sm[1].entries[0].transaction.when, path.latency.tpc_to_sm);
}

TEST_F(TpcMemoryPortTest, more_requests_than_credits_are_an_error_of_the_sender) {
  for (unsigned i = 0; i < 4; ++i) unit.receive_request(0, transaction(0, 0));
  EXPECT_THROW(unit.receive_request(0, transaction(0, 0)), InternalError);
}

TEST_F(TpcMemoryPortTest, says_what_it_holds) {
  unit.receive_request(1, transaction(0, 512));
  std::vector<std::string> lines;
  unit.describe_pending(lines);
  EXPECT_THAT(lines, ElementsAre("1 requests of sm1, the first for partition 2"));
}

struct CrossbarTest : ::testing::Test {
  CrossbarTest() { network.connect({&output[0], &output[1]}, 7, {&input[0], &input[1], &input[2]}); }
  static CrossbarNetwork::Shape shape() {
    CrossbarNetwork::Shape result;
    result.inputs = 3;
    result.outputs = 2;
    result.places = 4;
    result.receiver_places = 2;
    result.output_latency = 3 * ns;
    result.credit_latency = 4 * ns;
    return result;
  }
  Femtoseconds send(unsigned from, unsigned to, Femtoseconds when, unsigned tag) {
    return network.receive(CrossbarNetwork::port(to, from, 3), transaction(when, 0, tag));
  }
  CrossbarNetwork network{shape()};
  TransactionList output[2];
  CreditList input[3];
};

TEST_F(CrossbarTest, outputs_work_at_the_same_time_and_each_passes_one_per_cycle) {
  send(0, 0, 0, 1);
  send(0, 1, 0, 2);
  send(1, 0, 0, 3);
  EXPECT_LE(network.advance(0), ns);
  EXPECT_THAT(output[0].tags(), ElementsAre(1));
  EXPECT_THAT(output[1].tags(), ElementsAre(2));
  EXPECT_EQ(network.advance(ns), never);
  EXPECT_THAT(output[0].tags(), ElementsAre(1, 3));
  EXPECT_EQ(output[0].entries[1].transaction.when, 4 * ns);
  EXPECT_EQ(output[0].entries[1].port, 7U);
  EXPECT_THAT(input[0].entries, ElementsAre(std::pair{0U, 4 * ns}, std::pair{1U, 4 * ns}));
}

TEST(CrossbarWidth, data_keep_an_output_for_as_many_cycles_as_they_need) {
  CrossbarNetwork::Shape shape;
  shape.inputs = 2;
  shape.places = 4;
  shape.period = ns;
  shape.width_bytes = 32;
  for (const bool requests : {false, true}) {
    shape.only_writes_carry_data = requests;
    CrossbarNetwork network(shape);
    TransactionList output;
    CreditList inputs[2];
    network.connect({&output}, 0, {&inputs[0], &inputs[1]});
    for (unsigned i = 0; i < 3; ++i) network.receive(i % 2, transaction(0, 0, i));  // 64 bytes each
    Femtoseconds last = 0;
    for (Femtoseconds now = 0; now < 20 * ns && !network.idle(); now += ns, last = now) network.advance(now);
    EXPECT_EQ(last, requests ? 3 * ns : 5 * ns) << "reads carry data only on their way back: at 0, 2 and 4";
  }
}

TEST_F(CrossbarTest, inputs_take_turns) {
  for (unsigned i = 0; i < 2; ++i) {
    for (unsigned from = 0; from < 3; ++from) send(from, 0, 0, from * 10 + i);
  }
  for (Femtoseconds now = 0; now < 6 * ns; now += ns) {
    network.advance(now);
    network.credit(0, now + 1);  // of the one that has just gone
  }
  EXPECT_THAT(output[0].tags(), ElementsAre(0, 10, 20, 1, 11, 21));
}

TEST_F(CrossbarTest, waits_for_room_behind_the_output) {
  for (unsigned i = 0; i < 3; ++i) send(0, 0, 0, i);
  for (Femtoseconds now = 0; now < 3 * ns; now += ns) network.advance(now);
  EXPECT_THAT(output[0].tags(), ElementsAre(0, 1)) << "two places behind";
  std::vector<std::string> lines;
  network.describe_pending(lines);
  EXPECT_THAT(lines, Contains(HasSubstr("1 transactions from input0 for output0, which has no room")));
  EXPECT_EQ(network.credit(0, 20 * ns), 20 * ns);
  EXPECT_EQ(network.advance(19 * ns), 20 * ns);
  EXPECT_EQ(network.advance(20 * ns), never);
  EXPECT_THAT(output[0].tags(), ElementsAre(0, 1, 2));
  EXPECT_TRUE(network.idle());
}

TEST_F(CrossbarTest, does_not_look_before_the_stamp) {
  EXPECT_EQ(send(0, 0, 10 * ns, 1), 10 * ns);
  EXPECT_EQ(send(1, 0, 11 * ns, 2), never) << "later than what is wanted already";
  EXPECT_EQ(send(2, 0, 9 * ns, 3), 9 * ns);
  EXPECT_EQ(network.advance(8 * ns), 9 * ns);
  EXPECT_EQ(network.advance(9 * ns), 10 * ns);
  EXPECT_THAT(output[0].tags(), ElementsAre(3));
}

struct PartitionTest : ::testing::Test {
  PartitionTest() {
    partition.connect(credits, responses);
    address = memory.allocate("buffer", "u32", 4096);
    partition.begin_launch(memory, nullptr);
    access.lanes = 1;
    access.address[0] = address;
  }
  MemoryTransaction load(Femtoseconds when, unsigned sm = 0) {
    MemoryTransaction result = transaction(when, address, 0, sm);
    result.access = &access;
    result.lanes = 1;
    return result;
  }
  MemoryTransaction store(Femtoseconds when) {
    MemoryTransaction result = load(when);
    result.write = true;
    result.response = false;
    return result;
  }
  /// On and on until nothing is wanted.
  void run(Femtoseconds now) {
    for (Femtoseconds wanted = partition.advance(now); wanted != never; wanted = partition.advance(now)) {
      now = std::max(now + ns, wanted);
    }
  }
  MemoryPath path = small_path();
  DramChannel dram{path};
  TextureL2 texture_l2{path};
  DramController controller{path, dram};
  Partition partition{path, 1, controller, texture_l2};
  DeviceMemory memory;
  MemoryAccess access;
  Address address = 0;
  CreditList credits;
  TransactionList responses;
};

TEST_F(PartitionTest, takes_one_request_per_cycle_and_replies_after_the_uniform_latency) {
  EXPECT_EQ(partition.receive(0, load(2 * ns)), 2 * ns);
  EXPECT_EQ(partition.receive(0, load(2 * ns, 3)), never) << "behind the first";
  EXPECT_EQ(partition.advance(2 * ns), 2 * ns + 1) << "at its next edge";
  run(3 * ns);
  ASSERT_EQ(responses.entries.size(), 2U);
  EXPECT_EQ(responses.entries[0].transaction.when, (2 + 100) * ns + path.latency.partition_to_crossbar);
  EXPECT_EQ(responses.entries[1].transaction.when, (2 + 100 + 2) * ns + path.latency.partition_to_crossbar)
      << "64 bytes keep the port for two cycles";
  EXPECT_EQ(responses.entries[1].port, CrossbarNetwork::port(1, 1, 3)) << "SM 3 is in TPC 1; partition 1 of 3";
  EXPECT_EQ(credits.entries[0], (std::pair{1U, 2 * ns + path.latency.partition_to_crossbar}));
}

TEST_F(PartitionTest, effects_happen_when_the_request_is_taken) {
  access.kind = MemoryAccess::Kind::store;
  access.data[0][0] = 42;
  partition.receive(0, store(5 * ns));
  partition.advance(4 * ns);
  EXPECT_EQ(std::to_integer<int>(*memory.at(address)), 0);
  partition.advance(5 * ns);
  EXPECT_EQ(std::to_integer<int>(*memory.at(address)), 42);
  EXPECT_EQ(partition.stores_performed(), 1U);
  EXPECT_FALSE(partition.idle()) << "the chips have not got it yet";
  run(6 * ns);
  EXPECT_TRUE(partition.idle());
  EXPECT_EQ(partition.statistics().write_bytes, 64U);
  EXPECT_TRUE(responses.entries.empty());
}

TEST_F(PartitionTest, a_load_waits_for_room_in_the_response_queue) {
  partition.receive(0, load(0, 3));  // of the other TPC
  run(0);
  Femtoseconds now = 100 * ns;
  for (unsigned i = 0; i < path.places.crossbar_responses; ++i, now += 100 * ns) {
    partition.receive(0, load(now));
    run(now);
  }
  partition.receive(0, load(now));
  EXPECT_EQ(partition.advance(now), never) << "no credit is on its way";
  EXPECT_EQ(responses.entries.size(), path.places.crossbar_responses + 1);
  EXPECT_EQ(partition.credit(1, now), never) << "that is the other TPC";
  EXPECT_EQ(partition.credit(0, now + 10 * ns), now + 10 * ns);
  EXPECT_EQ(partition.advance(now + 5 * ns), now + 10 * ns);
  run(now + 10 * ns);
  EXPECT_TRUE(partition.idle());
  EXPECT_EQ(responses.entries.size(), path.places.crossbar_responses + 2);
}

TEST_F(PartitionTest, an_atomic_reads_answers_and_writes) {
  access.kind = MemoryAccess::Kind::atomic;
  access.data[0][0] = 5;
  MemoryTransaction atomic = load(0);
  atomic.atomic = true;
  partition.receive(0, atomic);
  run(0);
  EXPECT_EQ(responses.entries.size(), 1U);
  EXPECT_EQ(std::to_integer<int>(*memory.at(address)), 5) << "added to 0";
  EXPECT_EQ(access.data[0][0], 0U) << "the old value";
  const PartitionStatistics statistics = partition.statistics();
  EXPECT_EQ(statistics.read_bytes, 64U);
  EXPECT_EQ(statistics.write_bytes, 64U);
  EXPECT_EQ(statistics.atomic_operations, 1U);
}

TEST_F(PartitionTest, tells_of_completed_stores_and_reductions) {
  struct Completions final : CompletionReceiver {
    void completed(const MemoryTransaction& t) override { lanes |= t.lanes; }
    LaneMask lanes = 0;
  } completions;
  partition.begin_launch(memory, &completions);
  partition.receive(0, store(0));
  partition.advance(0);
  EXPECT_EQ(completions.lanes, 1U);
  completions.lanes = 0;
  access.kind = MemoryAccess::Kind::reduction;
  MemoryTransaction reduction = store(ns);
  reduction.atomic = true;
  partition.receive(0, reduction);
  partition.advance(ns);
  EXPECT_EQ(completions.lanes, 0U) << "the ROP unit still needs its addresses";
  run(2 * ns);
  EXPECT_EQ(completions.lanes, 1U);
  EXPECT_EQ(partition.stores_performed(), 2U);
}

}  // namespace
}  // namespace teslasim
