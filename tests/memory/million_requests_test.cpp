// SPDX-License-Identifier: Apache-2.0
// A million random requests through one box: nothing lost, nothing twice, no order broken, and sleeping changes
// nothing. The DRAM controller has its own in dram_controller_test.cpp. TESLASIM_REQUESTS sets another number.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "memory/crossbar/crossbar_network.h"
#include "memory/dram/dram_controller.h"
#include "memory/image/device_memory.h"
#include "memory/image/memory_access.h"
#include "memory/partition/partition.h"
#include "memory/partition/rop_unit.h"
#include "memory/translation/memory_management_unit.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

constexpr Femtoseconds ns = 1'000'000;
using Random = std::mt19937;

unsigned pick(Random& random, unsigned low, unsigned high) {
  return low + static_cast<unsigned>(random() % (high - low + 1));
}

/// How many requests a test sends in all.
unsigned requests_in_all(unsigned usual) {
  const char* wanted = std::getenv("TESLASIM_REQUESTS");
  return wanted == nullptr ? test::volume(usual, usual / 10) : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

/// What came out of a box, in order.
struct Delivery {
  unsigned port = 0;
  std::uint32_t number = 0;
  Femtoseconds when = 0;
  friend bool operator==(const Delivery&, const Delivery&) = default;
};

struct Outlet final : TransactionReceiver {
  void receive(unsigned, const MemoryTransaction& transaction) override {
    deliveries.push_back({number, transaction.lanes, transaction.when});
  }
  unsigned number = 0;
  std::vector<Delivery> deliveries;
};

struct Inlet final : CreditReceiver {
  void credit(unsigned port, Femtoseconds when) override { rooms.at(port).give_back(when); }
  std::vector<Credits> rooms;  ///< by output
};

/// A crossbar between senders that keep their credits and receivers that stall at random.
struct Switch {
  explicit Switch(const CrossbarNetwork::Shape& shape) : network(shape), inlets(shape.inputs), outlets(shape.outputs) {
    std::vector<TransactionReceiver*> to;
    std::vector<CreditReceiver*> from;
    for (unsigned i = 0; i < shape.outputs; ++i) {
      outlets[i].number = i;
      to.push_back(&outlets[i]);
    }
    for (Inlet& inlet : inlets) {
      inlet.rooms.assign(shape.outputs, Credits(shape.places));
      from.push_back(&inlet);
    }
    network.connect(to, 0, from);
  }
  CrossbarNetwork network;
  std::vector<Inlet> inlets;
  std::vector<Outlet> outlets;
  Femtoseconds wanted = never;
};

void check_order(const std::vector<Outlet>& outlets, const std::vector<std::array<unsigned, 2>>& ways) {
  std::set<std::uint32_t> seen;
  for (const Outlet& outlet : outlets) {
    std::map<unsigned, std::uint32_t> newest;  // by input
    Femtoseconds before = 0;
    for (const Delivery& one : outlet.deliveries) {
      ASSERT_TRUE(seen.insert(one.number).second) << "passed on twice";
      ASSERT_EQ(ways[one.number][1], outlet.number) << "came out somewhere else";
      ASSERT_GT(one.when, before) << "two in one cycle";
      before = one.when;
      const auto last = newest.find(ways[one.number][0]);
      ASSERT_TRUE(last == newest.end() || last->second < one.number) << "passed by a younger one of the same input";
      newest[ways[one.number][0]] = one.number;
    }
  }
  ASSERT_EQ(seen.size(), ways.size()) << "lost";
}

void one_crossbar(Random& random, unsigned requests) {
  CrossbarNetwork::Shape shape;
  shape.inputs = pick(random, 1, 12);
  shape.outputs = pick(random, 1, 12);
  shape.places = pick(random, 1, 6);
  shape.receiver_places = pick(random, 0, 4);
  shape.output_latency = pick(random, 1, 5) * ns;
  shape.credit_latency = pick(random, 1, 5) * ns;
  shape.period = ns;
  shape.width_bytes = 16U << pick(random, 0, 3);
  Switch awake(shape), sleeper(shape);
  std::vector<std::array<unsigned, 2>> ways;     // input and output of each transaction
  std::vector<std::size_t> held(shape.outputs);  // deliveries whose place the receiver has given back
  const unsigned calm = pick(random, 0, 2);
  std::size_t out = 0;
  for (Femtoseconds now = 0; out < requests; now += ns) {
    ASSERT_LT(now, requests * 200 * ns) << "no progress";
    for (unsigned i = 0; i < shape.inputs && ways.size() < requests; ++i) {
      const unsigned output = pick(random, 0, shape.outputs - 1);
      if (pick(random, 0, calm) != 0 || !awake.inlets[i].rooms[output].available(now)) continue;
      ASSERT_TRUE(sleeper.inlets[i].rooms[output].available(now)) << "a credit came later to the one that sleeps";
      MemoryTransaction transaction;
      transaction.when = now + ns;
      transaction.lanes = static_cast<std::uint32_t>(ways.size());
      transaction.bytes = static_cast<std::uint16_t>(32U << pick(random, 0, 2));
      ways.push_back({i, output});
      for (Switch* one : {&awake, &sleeper}) {
        one->inlets[i].rooms[output].take();
        one->wanted =
            std::min(one->wanted, one->network.receive(CrossbarNetwork::port(output, i, shape.inputs), transaction));
      }
    }
    for (unsigned output = 0; output < shape.outputs && shape.receiver_places != 0; ++output) {
      if (held[output] == awake.outlets[output].deliveries.size() || pick(random, 0, 1) != 0) continue;
      ++held[output];
      for (Switch* one : {&awake, &sleeper}) one->wanted = std::min(one->wanted, one->network.credit(output, now + ns));
    }
    awake.wanted = awake.network.advance(now);
    if (sleeper.wanted <= now) sleeper.wanted = sleeper.network.advance(now);
    out = 0;
    for (unsigned output = 0; output < shape.outputs; ++output) {
      out += awake.outlets[output].deliveries.size();
      ASSERT_EQ(awake.outlets[output].deliveries.size(), sleeper.outlets[output].deliveries.size());
    }
  }
  for (unsigned output = 0; output < shape.outputs; ++output)
    ASSERT_EQ(awake.outlets[output].deliveries, sleeper.outlets[output].deliveries);
  ASSERT_TRUE(awake.network.idle() && sleeper.network.idle());
  check_order(awake.outlets, ways);
}

TEST(MillionRequests, through_the_crossbar) {
  Random random(1);
  constexpr unsigned rounds = 50;
  const unsigned all = requests_in_all(100'000);
  for (unsigned round = 0; round < rounds && !HasFatalFailure(); ++round) one_crossbar(random, all / rounds);
}

TEST(MillionRequests, through_the_rop_unit) {
  Random random(2);
  const unsigned all = requests_in_all(100'000);
  RopSpec spec;
  RopUnit unit(spec);
  MemoryCycle free = 0, ready = 0;
  std::uint64_t lanes_in_all = 0;
  MemoryAccess access;
  for (unsigned i = 0; i < all; ++i) {
    const unsigned addresses = pick(random, 1, 32);
    std::map<Address, unsigned> count;
    const LaneMask lanes = static_cast<LaneMask>(random()) | 1U;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      access.address[lane] = 4 * pick(random, 0, addresses - 1);
      if ((lanes >> lane & 1U) != 0) ++count[access.address[lane]];
    }
    unsigned most = 0, active = 0;
    for (const auto& [address, times] : count) {
      most = std::max(most, times);
      active += times;
    }
    ready += pick(random, 0, 40);
    const MemoryCycle start = std::max(free, ready);
    free = start +
           std::max((active + spec.atomics_per_cycle - 1) / spec.atomics_per_cycle, most * spec.same_address_cycles);
    ASSERT_EQ(unit.operate(access, lanes, ready), free);
    lanes_in_all += active;
  }
  EXPECT_EQ(unit.operations(), lanes_in_all);
}

/// TPCs that ask for pages, and a memory that answers walks in any order, late.
struct Walkers final : TransactionReceiver, TranslationReceiver {
  void receive(unsigned, const MemoryTransaction& transaction) override { reads.push_back(transaction); }
  void translate(unsigned, const Translation& translation) override { answers.push_back(translation); }
  std::vector<MemoryTransaction> reads;
  std::vector<Translation> answers;
};

TEST(MillionRequests, through_the_memory_management_unit) {
  Random random(3);
  const unsigned all = requests_in_all(100'000);
  TlbSpec tlb;
  tlb.driver = "own";
  tlb.page_kb = 4;
  tlb.l2_entries = 16;
  tlb.l2_ways = 4;
  tlb.walks = 4;
  tlb.pages_under_way = 4;
  constexpr unsigned tpcs = 5, page = 4096, pages = 60;
  const MemoryPath path({tpcs, 1, ns, ns}, {}, {}, {}, {}, tlb);
  MemoryManagementUnit unit(path);
  Walkers memory;
  std::array<Walkers, tpcs> tpc;
  std::vector<TranslationReceiver*> receivers;
  for (Walkers& one : tpc) receivers.push_back(&one);
  unit.connect(memory, receivers);
  std::array<std::set<Address>, tpcs> asked;
  std::array<std::size_t, tpcs> taken{};
  std::vector<MemoryTransaction> under_way;
  std::set<Address> walked;
  std::size_t read = 0, sent = 0, answered = 0;
  Femtoseconds now = ns;
  for (; answered < all; now += ns) {
    ASSERT_LT(now, all * 100 * ns) << "no progress";
    for (unsigned i = 0; i < tpcs; ++i) {
      const Address first = page * pick(random, 1, pages);
      if (sent < all && asked[i].size() < tlb.pages_under_way && pick(random, 0, 3) == 0 &&
          asked[i].insert(first).second) {
        unit.receive_request(i, {now + ns, first});
        ++sent;
      }
    }
    if (!under_way.empty() && pick(random, 0, 9) == 0) {
      const std::size_t which = pick(random, 0, static_cast<unsigned>(under_way.size()) - 1);
      MemoryTransaction entry = under_way[which];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
      walked.erase(entry.address);
      entry.when = now + ns;
      unit.receive_response(0, entry);
      unit.credit(path.map.partition_of(entry.address), now + ns);
    }
    unit.advance(now);
    for (; read < memory.reads.size(); ++read) {
      under_way.push_back(memory.reads[read]);
      ASSERT_LE(under_way.size(), tlb.walks) << "more walks than allowed";
    }
    for (unsigned i = 0; i < tpcs; ++i) {
      for (; taken[i] < tpc[i].answers.size(); ++taken[i], ++answered) {
        ASSERT_EQ(asked[i].erase(tpc[i].answers[taken[i]].page), 1U) << "an answer that nobody waits for";
      }
    }
  }
  EXPECT_TRUE(unit.idle());
  EXPECT_EQ(unit.look_ups(), all);
  EXPECT_EQ(unit.walks(), memory.reads.size());
}

struct Replies final : TransactionReceiver, CreditReceiver {
  void receive(unsigned, const MemoryTransaction& transaction) override { entries.push_back(transaction); }
  void credit(unsigned, Femtoseconds) override { ++places; }
  std::vector<MemoryTransaction> entries;
  unsigned places = 0;
};

/// Loads, stores and atomic additions of single words, as a partition gets them and as a plain array sees them when all
/// happens in the order of arrival.
class Words {
 public:
  static constexpr unsigned count = 4096;
  explicit Words(DeviceMemory& memory) : memory_(memory), base_(memory.allocate("words", "u32", 4 * count)) {}

  MemoryTransaction next(Random& random, Femtoseconds now) {
    const unsigned word = pick(random, 0, pick(random, 0, 3) == 0 ? 3 : count - 1), kind = pick(random, 0, 3);
    MemoryAccess& access = pool_[sent % pool_.size()];
    access = {};
    access.lanes = 1;
    access.address[0] = base_ + 4 * word;
    access.kind = std::array{MemoryAccess::Kind::load, MemoryAccess::Kind::store, MemoryAccess::Kind::atomic,
                             MemoryAccess::Kind::reduction}[kind];  // operation 0: add
    const auto value = static_cast<std::uint32_t>(random());
    access.data[0][0] = value;
    MemoryTransaction transaction;
    transaction.when = now + ns;
    transaction.born = transaction.mark = now;
    transaction.access = &access;
    transaction.lanes = 1;
    transaction.address = access.address[0] & ~Address{31};
    transaction.sm = static_cast<std::uint16_t>(pick(random, 0, 3));
    transaction.write = kind == 1 || kind == 3;
    transaction.atomic = kind >= 2;
    transaction.response = kind == 0 || kind == 2;
    if (transaction.response) expected_.push_back({&access, plain_[word]});
    plain_[word] = kind == 1 ? value : kind >= 2 ? plain_[word] + value : plain_[word];
    ++sent;
    return transaction;
  }
  /// The replies come in the order of the requests, with the values of that order.
  void check_reply(const MemoryTransaction& reply) {
    ASSERT_LT(answered, expected_.size()) << "a reply that nobody asked for";
    ASSERT_EQ(reply.access, expected_[answered].access) << "not in the order of arrival";
    ASSERT_EQ(reply.access->data[0][0], expected_[answered].value) << "another value than in order";
    ++answered;
  }
  void check_memory() const {
    for (unsigned word = 0; word < count; ++word) {
      std::uint32_t value = 0;
      std::memcpy(&value, memory_.at(base_ + 4 * word), 4);
      ASSERT_EQ(value, plain_[word]);
    }
  }
  [[nodiscard]] bool all_answered() const { return answered == expected_.size(); }
  [[nodiscard]] bool has_record() const { return sent - answered < pool_.size() / 2; }
  unsigned sent = 0;
  std::size_t answered = 0;

 private:
  struct Expected {
    const MemoryAccess* access;
    std::uint32_t value;
  };
  DeviceMemory& memory_;
  Address base_;
  std::vector<std::uint32_t> plain_ = std::vector<std::uint32_t>(count);
  std::vector<MemoryAccess> pool_ = std::vector<MemoryAccess>(4096);
  std::vector<Expected> expected_;
};

TEST(MillionRequests, through_a_partition) {
  Random random(4);
  const unsigned all = requests_in_all(100'000);
  DramSpec dram;
  dram.partitions = 1;
  dram.latency_ns = 40;
  const MemoryPath path({2, 2, ns, ns}, {}, {}, dram);
  DramChannel channel(path);
  TextureL2 textures(path);
  DramController controller(path, channel);
  Partition partition(path, 0, controller, textures);
  Replies replies, credits;
  partition.connect(credits, replies);
  DeviceMemory memory;
  Words words(memory);
  partition.begin_launch(memory, nullptr);
  Femtoseconds now = ns;
  for (; words.sent < all || !words.all_answered() || !partition.idle(); now += ns) {
    ASSERT_LT(now, all * 400 * ns) << "no progress";
    const bool room = words.sent - credits.places < path.places.partition_requests;
    if (words.sent < all && room && pick(random, 0, 2) != 0) partition.receive(0, words.next(random, now));
    partition.advance(now);
    while (words.answered < replies.entries.size()) {
      const MemoryTransaction& reply = replies.entries[words.answered];
      words.check_reply(reply);
      if (HasFatalFailure()) return;
      partition.credit(path.tpc_of(reply.sm), now + ns);
    }
  }
  words.check_memory();
  const PartitionStatistics counted = partition.statistics(now);
  EXPECT_EQ(counted.row_hits + counted.row_misses, counted.read_transactions + counted.write_transactions);
}

}  // namespace
}  // namespace teslasim
