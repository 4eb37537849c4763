// SPDX-License-Identifier: Apache-2.0
// The second-level texture cache: the tags of one partition, and the partition that answers from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "memory/dram/dram_controller.h"
#include "memory/image/device_memory.h"
#include "memory/partition/partition.h"
#include "memory/texture/texture_l2.h"
#include "tests/memory/memory_lists.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;

constexpr Femtoseconds ns = 1'000'000;

/// 7 partitions of 2 KB: 4 sets of 2 ways of 256 bytes. Core and memory clock of 1 ns.
MemoryPath path_of(unsigned partitions = 7) {
  DramSpec dram;
  dram.partitions = partitions;
  dram.latency_ns = 100;
  dram.queue = 8;
  NocSpec noc;
  noc.request_ns = noc.response_ns = 6;
  TextureL2Spec l2;
  l2.bytes = 2048;
  l2.ways = 2;
  l2.misses = 4;
  l2.waiting = 6;
  l2.hit_ns = 10;
  TlbSpec tlb;
  tlb.ideal = true;
  return {{2, 2, ns, ns}, {}, noc, dram, {}, tlb, l2};
}

MemoryTransaction line_request(Address address, unsigned tag = 0) {
  MemoryTransaction request;
  request.address = address;
  request.bytes = 32;
  request.tag = static_cast<std::uint16_t>(tag);
  request.texture = true;
  request.measured = false;
  return request;
}

/// All reads of the line of `address` are served; returns the tags of those that waited.
std::vector<unsigned> fill(TextureL2& cache, Address address) {
  std::vector<unsigned> tags;
  for (unsigned i = 0; i < cache.reads(); ++i) {
    EXPECT_TRUE(tags.empty()) << "not before the last read";
    cache.served(cache.read(address, i),
                 [&tags](const TextureL2::Waiter& waiter) { tags.push_back(waiter.transaction.tag); });
  }
  return tags;
}

TEST(TextureL2, reads_a_line_as_a_whole) {
  const MemoryPath path = path_of();
  TextureL2 cache(path);
  EXPECT_EQ(cache.look_up({line_request(0x1740, 1)}), TextureL2::Outcome::reads);
  ASSERT_EQ(cache.reads(), 2U);
  EXPECT_EQ(cache.read(0x1740, 0).address, 0x1700U);
  EXPECT_EQ(cache.read(0x1740, 1).address, 0x1780U);
  EXPECT_EQ(cache.read(0x1740, 1).bytes, 128U);
  EXPECT_EQ(cache.look_up({line_request(0x17e0, 2)}), TextureL2::Outcome::waits);
  EXPECT_THAT(fill(cache, 0x1740), ElementsAre(1, 2));
  EXPECT_EQ(cache.look_up({line_request(0x1700, 3)}), TextureL2::Outcome::hit);
}

TEST(TextureL2, sets_follow_the_address_within_the_partition) {
  const MemoryPath path = path_of();
  TextureL2 cache(path);
  constexpr Address next_line = 7 * 256;  // the next 256 bytes of the same partition
  for (Address i = 0; i < 8; ++i) {
    cache.look_up({line_request(i * next_line)});
    fill(cache, i * next_line);
  }
  for (Address i = 0; i < 8; ++i) {
    EXPECT_EQ(cache.look_up({line_request(i * next_line)}), TextureL2::Outcome::hit) << "4 sets x 2 ways hold 8 lines";
  }
  EXPECT_EQ(cache.look_up({line_request(8 * next_line)}), TextureL2::Outcome::reads);
}

TEST(TextureL2, takes_what_it_has_places_for) {
  const MemoryPath path = path_of();
  TextureL2 cache(path);
  constexpr Address next_line = 7 * 256;
  EXPECT_FALSE(cache.can_take(0, 1)) << "two reads need two places";
  for (Address i = 0; i < 4; ++i) {
    ASSERT_TRUE(cache.can_take(i * next_line, 8));
    cache.look_up({line_request(i * next_line)});
  }
  EXPECT_FALSE(cache.can_take(4 * next_line, 8)) << "four lines under way";
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_TRUE(cache.can_take(next_line, 0)) << "a line under way needs no read";
    cache.look_up({line_request(next_line)});
  }
  EXPECT_FALSE(cache.can_take(next_line, 8)) << "six wait";
  fill(cache, 0);
  EXPECT_TRUE(cache.can_take(next_line, 8));
  EXPECT_TRUE(cache.can_take(0, 0)) << "a hit needs nothing";
}

struct TexturePartitionTest : ::testing::Test {
  TexturePartitionTest() {
    partition.connect(credits, responses);
    partition.begin_launch(memory, nullptr);
  }
  void ask(Address address, Femtoseconds when, unsigned tag) {
    MemoryTransaction request = line_request(address, tag);
    request.when = when;
    partition.receive(0, request);
  }
  void run(Femtoseconds now) {
    for (Femtoseconds wanted = partition.advance(now); wanted != never; wanted = partition.advance(now)) {
      now = std::max(now + ns, (wanted + ns - 1) / ns * ns);
      for (; returned < responses.entries.size(); ++returned) partition.credit(0, now);
    }
  }
  [[nodiscard]] Femtoseconds left(std::size_t i) const {
    return responses.entries[i].transaction.when - path.latency.partition_to_crossbar;
  }
  std::size_t returned = 0;
  MemoryPath path = path_of(1);
  DramChannel dram{path};
  TextureL2 textures{path};
  DramController controller{path, dram};
  Partition partition{path, 0, controller, textures};
  DeviceMemory memory;
  CreditList credits;
  TransactionList responses;
};

TEST_F(TexturePartitionTest, a_miss_takes_the_latency_of_memory_and_a_hit_that_of_the_cache) {
  ask(64, 0, 1);
  run(0);
  EXPECT_EQ(left(0), 100 * ns);
  ask(96, 500 * ns, 2);
  run(500 * ns);
  EXPECT_EQ(left(1), 510 * ns) << "the same line";
  const TextureStatistics counted = partition.texture_statistics();
  EXPECT_EQ(counted.reads, 2U);
  EXPECT_EQ(counted.read_bytes, 256U);
  EXPECT_EQ(counted.l2.hits, 1U);
  EXPECT_EQ(partition.statistics().read_bytes, 256U);
}

TEST_F(TexturePartitionTest, a_hit_behind_a_miss_keeps_its_place) {
  ask(64, 0, 1);
  run(0);
  ask(4096, 500 * ns, 2);
  ask(64, 500 * ns, 3);
  run(500 * ns);
  EXPECT_THAT(responses.tags(), ElementsAre(1, 2, 3));
  EXPECT_EQ(left(1), 600 * ns);
  EXPECT_EQ(left(2), 601 * ns);
}

TEST_F(TexturePartitionTest, a_million_random_requests_are_answered_once_and_in_order) {
  constexpr unsigned total = test::volume(1'000'000U, 100'000U);
  std::mt19937 random(3);
  unsigned sent = 0;
  Femtoseconds now = 0, wanted = 0;
  std::size_t taken = 0, answered = 0;
  while (answered < total) {
    while (sent < total && sent - taken < path.dram.input_queue) {
      ask(static_cast<Address>(random()) % 16384 / 32 * 32, now, sent & 0xffffU);
      ++sent;
      wanted = now;
    }
    if (wanted <= now) wanted = partition.advance(now);
    taken += credits.entries.size();
    if (!credits.entries.empty()) wanted = std::min(wanted, now + ns);
    credits.entries.clear();
    for (const auto& entry : responses.entries) {
      ASSERT_EQ(entry.transaction.tag, answered++ & 0xffffU);
      wanted = std::min(wanted, partition.credit(0, now + ns));
    }
    responses.entries.clear();
    now += ns;
    ASSERT_LT(now, 100'000'000 * ns) << "stuck";
  }
  EXPECT_TRUE(partition.idle());
  const TextureStatistics counted = partition.texture_statistics();
  EXPECT_EQ(counted.l2.accesses, total);
  EXPECT_EQ(counted.l2.misses, counted.l2.merged + counted.l2.fills);
  EXPECT_EQ(counted.reads, 2 * counted.l2.fills);
  EXPECT_GT(counted.l2.hits, total / 20);
}

}  // namespace
}  // namespace teslasim
