// SPDX-License-Identifier: Apache-2.0
// Translation: page sizes, the second level, page walks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "memory/tpc/tpc_memory_port.h"
#include "memory/translation/memory_management_unit.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
constexpr Femtoseconds ns = 1'000'000;

struct Answers final : TranslationReceiver {
  void translate(unsigned, const Translation& translation) override {
    entries.emplace_back(translation.page, translation.when);
  }
  std::vector<std::pair<Address, Femtoseconds>> entries;
};
struct Reads final : TransactionReceiver {
  void receive(unsigned port, const MemoryTransaction& transaction) override {
    entries.push_back(transaction);
    ports.push_back(port);
  }
  std::vector<MemoryTransaction> entries;
  std::vector<unsigned> ports;
};
struct Credit final : CreditReceiver {
  void credit(unsigned, Femtoseconds) override { ++count; }
  unsigned count = 0;
};

MemoryPath path_with(TlbSpec tlb) {
  TpcSpec tpc;
  tpc.queue = 8;
  DramSpec dram;
  dram.partitions = 3;
  return MemoryPath({2, 2, ns, ns}, tpc, {}, dram, {}, tlb);
}

TlbSpec small_tlb() {
  TlbSpec tlb;
  tlb.driver = "own";
  tlb.page_kb = 4;
  tlb.l1_entries = tlb.l1_ways = 2;
  tlb.l2_entries = 4;
  tlb.l2_ways = 4;
  tlb.l2_ns = 20;
  tlb.pages_under_way = 2;
  tlb.miss_queue = 3;
  tlb.walks = 2;
  return tlb;
}

TEST(PageSize, follows_the_driver) {
  TlbSpec tlb;
  tlb.driver = "177.13";
  EXPECT_EQ(page_bytes(tlb), 16U * 1024);
  tlb.driver = "195.17";
  EXPECT_EQ(page_bytes(tlb), 256U * 1024);
  tlb.driver = "own";
  tlb.page_kb = 64;
  EXPECT_EQ(page_bytes(tlb), 64U * 1024);
}

struct ManagementTest : ::testing::Test {
  ManagementTest() { unit.connect(crossbar, {&tpc[0], &tpc[1]}); }
  void ask(unsigned from, Address page, Femtoseconds when) { unit.receive_request(from, {when, page}); }
  void bring(unsigned index, Femtoseconds when) {
    MemoryTransaction entry = crossbar.entries[index];
    entry.when = when;
    unit.receive_response(0, entry);
  }
  MemoryPath path = path_with(small_tlb());
  MemoryManagementUnit unit{path};
  Reads crossbar;
  Answers tpc[2];
};

TEST_F(ManagementTest, a_new_page_is_read_from_the_page_table_and_then_known) {
  ask(0, 0x3000, 5 * ns);
  EXPECT_EQ(unit.advance(0), 5 * ns);
  unit.advance(5 * ns);
  ASSERT_EQ(crossbar.entries.size(), 1U);
  EXPECT_EQ(crossbar.entries[0].address, page_table_entry(0x3000, 4096) & ~31U);
  EXPECT_EQ(crossbar.entries[0].bytes, 32U);
  EXPECT_EQ(path.tpc_of(crossbar.entries[0].sm), 2U) << "answers go to the port behind the two TPCs";
  EXPECT_TRUE(tpc[0].entries.empty());
  bring(0, 100 * ns);
  EXPECT_EQ(unit.advance(100 * ns), never);
  EXPECT_THAT(tpc[0].entries, ElementsAre(std::pair{Address{0x3000}, 110 * ns}));
  ask(1, 0x3000, 200 * ns);
  unit.advance(200 * ns);
  EXPECT_THAT(tpc[1].entries, ElementsAre(std::pair{Address{0x3000}, 210 * ns}));
  EXPECT_EQ(unit.walks(), 1U);
  EXPECT_EQ(unit.look_ups(), 2U);
  EXPECT_TRUE(unit.idle());
}

TEST_F(ManagementTest, tpcs_that_want_one_page_share_its_walk) {
  ask(0, 0x3000, 0);
  ask(1, 0x3000, 0);
  unit.advance(0);
  unit.advance(ns);
  EXPECT_EQ(crossbar.entries.size(), 1U);
  bring(0, 50 * ns);
  unit.advance(50 * ns);
  EXPECT_EQ(tpc[0].entries.size(), 1U);
  EXPECT_EQ(tpc[1].entries.size(), 1U);
}

TEST_F(ManagementTest, no_more_walks_than_allowed) {
  ask(0, 0x1000, 0);
  ask(0, 0x2000, 0);
  ask(1, 0x3000, 0);
  for (Femtoseconds now = 0; now < 5 * ns; now += ns) unit.advance(now);
  EXPECT_EQ(crossbar.entries.size(), 2U);
  EXPECT_EQ(unit.advance(5 * ns), never) << "an entry of the page table will wake it";
  bring(0, 50 * ns);
  unit.advance(50 * ns);
  unit.advance(51 * ns);
  EXPECT_EQ(crossbar.entries.size(), 3U);
}

struct FirstLevelTest : ::testing::Test {
  FirstLevelTest() { unit.connect(crossbar, management, {&sm[0], &sm[1]}, {&credits[0], &credits[1]}); }
  void load(unsigned from, Address address, std::uint16_t tag, Femtoseconds when = 0) {
    MemoryTransaction transaction;
    transaction.when = when;
    transaction.address = address;
    transaction.tag = tag;
    transaction.sm = static_cast<std::uint16_t>(from);
    unit.receive_request(from, transaction);
  }
  void run(Femtoseconds from, Femtoseconds to) {
    for (Femtoseconds now = from; now < to; now += ns) unit.advance(now);
  }
  [[nodiscard]] std::vector<unsigned> sent() const {
    std::vector<unsigned> tags;
    for (const auto& transaction : crossbar.entries) tags.push_back(transaction.tag);
    return tags;
  }
  MemoryPath path = path_with(small_tlb());
  TextureUnit textures{path};
  TpcMemoryPort unit{path, 0, textures};
  Reads crossbar, sm[2];
  Answers management;
  Credit credits[2];
};

TEST_F(FirstLevelTest, a_miss_waits_and_others_pass) {
  load(0, 0x1000, 1);
  run(0, 2 * ns);
  EXPECT_THAT(management.entries, ElementsAre(std::pair{Address{0x1000}, 10 * ns}));
  unit.receive_translation(0, {20 * ns, 0x1000});
  run(20 * ns, 22 * ns);
  EXPECT_THAT(sent(), ElementsAre(1));
  load(0, 0x2000, 2, 30 * ns);
  load(0, 0x1040, 3, 30 * ns);
  run(30 * ns, 33 * ns);
  EXPECT_THAT(sent(), ElementsAre(1, 3)) << "page 1 is known, page 2 is not";
  EXPECT_EQ(unit.tlb_look_ups(), 3U);
  EXPECT_EQ(unit.tlb_misses(), 2U);
}

TEST_F(FirstLevelTest, requests_of_one_page_stay_in_order_and_are_asked_for_once) {
  for (std::uint16_t tag = 1; tag <= 3; ++tag) load(0, 0x1000 + 256U * tag, tag);
  run(0, 5 * ns);
  EXPECT_EQ(management.entries.size(), 1U);
  load(0, 0x1000, 4, 20 * ns);
  unit.receive_translation(0, {20 * ns, 0x1000});
  run(20 * ns, 26 * ns);
  EXPECT_THAT(sent(), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(unit.idle());
}

TEST_F(FirstLevelTest, a_full_miss_queue_holds_up_its_sm) {
  for (std::uint16_t tag = 1; tag <= 4; ++tag) load(0, 0x1000, tag);
  run(0, 6 * ns);
  EXPECT_EQ(credits[0].count, 3U) << "three places";
  EXPECT_EQ(unit.advance(6 * ns), never) << "the answer will wake it";
  EXPECT_EQ(unit.receive_translation(0, {20 * ns, 0x1000}), 20 * ns);
  run(20 * ns, 26 * ns);
  EXPECT_THAT(sent(), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace teslasim
