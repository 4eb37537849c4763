// SPDX-License-Identifier: Apache-2.0
// The way out of the SM and back: what waits for a place in the TPC, and which messages the SM must run for.
#include "sim/sm/memory/load_store_unit.h"

#include <gtest/gtest.h>

#include <vector>

#include "memory/image/memory_access.h"
#include "sim/base/diagnostic.h"

namespace teslasim::testing {
namespace {

struct Tpc final : TransactionReceiver {
  void receive(unsigned, const MemoryTransaction& transaction) override { sent.push_back(transaction); }
  std::vector<MemoryTransaction> sent;
};

/// A unit with two places in the TPC; an SM cycle lasts 10, the way to the TPC 5.
struct Unit {
  Unit() { unit.begin(tpc); }
  static MemoryLink link() {
    MemoryLink link;
    link.cycle = 10;
    link.request_latency = 5;
    link.credits = 2;
    return link;
  }
  /// A load of a word by each lane of the first `lanes`, 256 bytes apart: as many transactions.
  MemoryAccess& load(unsigned lanes, SmCycle now) {
    access.lanes = (LaneMask{1} << lanes) - 1;
    for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = 256 * lane;
    timing.interval = 1;
    record.timing = &timing;
    record.counts = &counts;
    record.access = &access;
    EXPECT_EQ(unit.accept(record, now), lanes);
    return access;
  }
  /// SM cycles in which transactions left.
  [[nodiscard]] std::vector<SmCycle> departures() const {
    std::vector<SmCycle> cycles;
    for (const MemoryTransaction& one : tpc.sent) cycles.push_back(((one.when - 5) / 10).count());
    return cycles;
  }

  Tpc tpc;
  InstructionTiming timing;
  PcStatistics counts;
  InFlightInstruction record;
  MemoryAccess access;
  LoadStoreUnit unit{find_coalescing_rules("cc12"), link(), 32};
};

TEST(LoadStoreUnit, transactions_leave_one_per_cycle_while_there_are_places) {
  Unit sm;
  sm.load(2, 100);
  EXPECT_EQ(sm.departures(), (std::vector<SmCycle>{101, 102}));
  EXPECT_EQ(sm.unit.next_credit(), never);
}

TEST(LoadStoreUnit, what_found_no_place_leaves_in_the_cycle_of_the_credit) {
  Unit sm;
  sm.load(4, 100);
  sm.unit.receive_credit(140);
  sm.unit.receive_credit(141);
  EXPECT_EQ(sm.unit.next_credit(), 140U);
  sm.unit.take_credits(140);
  EXPECT_EQ(sm.unit.next_credit(), 141U);
  sm.unit.take_credits(141);
  EXPECT_EQ(sm.departures(), (std::vector<SmCycle>{101, 102, 140, 141}));
}

TEST(LoadStoreUnit, takes_nothing_while_transactions_wait_for_places) {
  Unit sm;
  sm.load(2, 100);
  EXPECT_FALSE(sm.unit.can_accept(101)) << "one transaction per cycle";
  EXPECT_TRUE(sm.unit.can_accept(102));
  sm.load(1, 102);
  EXPECT_EQ(sm.unit.free_at(), never);
  EXPECT_EQ(sm.unit.hold().cycles_before(150), 47U) << "from the end of its interval";
  sm.unit.receive_credit(150);
  sm.unit.take_credits(150);
  EXPECT_EQ(sm.unit.free_at(), 151U);
  EXPECT_EQ(sm.unit.hold().cycles_before(200), 48U);
  EXPECT_EQ(sm.unit.account().blocked_before(200), 1U);
  EXPECT_EQ(sm.unit.busy_cycles(), 3U);
}

TEST(LoadStoreUnit, a_credit_that_nothing_waits_for_is_there_when_it_is_needed) {
  Unit sm;
  sm.load(2, 100);
  sm.unit.receive_credit(140);
  sm.unit.receive_credit(190);
  EXPECT_EQ(sm.unit.next_credit(), never) << "the SM need not run for it";
  sm.unit.take_credits(150);
  sm.load(2, 150);
  EXPECT_EQ(sm.departures(), (std::vector<SmCycle>{101, 102, 151})) << "of the two only one has come";
  EXPECT_EQ(sm.unit.next_credit(), 190U);
  sm.unit.take_credits(190);
  EXPECT_EQ(sm.departures().back(), 190U);
}

TEST(LoadStoreUnit, credits_that_become_known_later_count_from_their_cycle) {
  // Both get a place back in cycles 98 and 120. One is told only after it has issued a load in cycle 100.
  Unit known, ahead;
  for (Unit* sm : {&known, &ahead}) sm->load(2, 50);
  known.unit.receive_credit(98);
  known.unit.receive_credit(120);
  known.unit.take_credits(100);
  ahead.unit.know_credits_until(90);
  for (Unit* sm : {&known, &ahead}) sm->load(3, 100);
  EXPECT_FALSE(ahead.unit.know_credits_until(100)) << "a credit for cycle 100 might still come";
  ahead.unit.receive_credit(98);
  ahead.unit.receive_credit(120);
  EXPECT_TRUE(ahead.unit.know_credits_until(130));
  for (Unit* sm : {&known, &ahead}) {
    EXPECT_EQ(sm->unit.free_at(), never);
    sm->unit.take_credits(120);
    EXPECT_EQ(sm->departures(), (std::vector<SmCycle>{51, 52, 101, 120}));
    EXPECT_EQ(sm->unit.backlog(), 1U);
  }
  EXPECT_EQ(ahead.unit.hold().cycles_before(125), known.unit.hold().cycles_before(125));
}

TEST(LoadStoreUnit, knows_before_which_cycle_no_answer_comes) {
  MemoryLink link = Unit::link();
  link.credits = 64;
  link.shortest_answer = 200;
  Unit sm;
  sm.unit = LoadStoreUnit(find_coalescing_rules("cc12"), link, 32);
  sm.unit.begin(sm.tpc);
  EXPECT_EQ(sm.unit.next_answer(), never);
  sm.load(1, 100);
  sm.load(1, 110);
  EXPECT_EQ(sm.unit.next_answer(), 301U) << "the first one left in cycle 101";
  const auto answer = [&](std::size_t load, SmCycle when) {
    sm.unit.receive_response(when, sm.tpc.sent[load].tag);
    sm.unit.take_responses(when, [](InFlightInstruction&) {});
  };
  // The record is the same for both: each has one transaction.
  sm.record.transactions = 1;
  answer(0, 400);
  EXPECT_EQ(sm.unit.next_answer(), 311U);
  sm.record.transactions = 1;
  answer(1, 401);
  EXPECT_EQ(sm.unit.next_answer(), never);
}

TEST(LoadStoreUnit, only_the_last_response_of_an_access_concerns_the_sm) {
  Unit sm;
  sm.load(2, 100);
  const std::uint16_t tag = sm.tpc.sent.front().tag;
  EXPECT_EQ(sm.tpc.sent.back().tag, tag);
  EXPECT_EQ(sm.record.results, 1U) << "pending until write-back";
  EXPECT_FALSE(sm.unit.receive_response(180, tag));
  EXPECT_EQ(sm.unit.next_message(), never);
  EXPECT_TRUE(sm.unit.receive_response(190, tag));
  EXPECT_EQ(sm.unit.next_message(), 190U);
  EXPECT_EQ(sm.unit.loads_returned(), 2U) << "counted as they leave for the SM";
  std::vector<const InFlightInstruction*> finished;
  const auto take = [&](SmCycle now) {
    sm.unit.take_responses(now, [&](InFlightInstruction& record) { finished.push_back(&record); });
  };
  take(189);
  EXPECT_TRUE(finished.empty()) << "it is on its way";
  EXPECT_FALSE(sm.unit.idle());
  take(190);
  EXPECT_EQ(finished, std::vector<const InFlightInstruction*>{&sm.record});
  EXPECT_TRUE(sm.unit.idle());
  EXPECT_EQ(sm.unit.loads_sent(), 2U);
  EXPECT_THROW(static_cast<void>(sm.unit.receive_response(191, tag)), InternalError);
}

TEST(LoadStoreUnit, stores_leave_no_result_pending) {
  Unit sm;
  sm.access.kind = MemoryAccess::Kind::store;
  sm.load(2, 100);
  EXPECT_EQ(sm.record.results, 0U);
  EXPECT_EQ(sm.unit.stores_sent(), 2U);
  EXPECT_TRUE(sm.unit.idle());
}

TEST(LoadStoreUnit, a_replay_takes_the_path_once_more) {
  Unit sm;
  sm.timing.group_interval = 3;
  sm.load(1, 100);
  sm.unit.accept_replay(sm.record, 101);
  EXPECT_EQ(sm.unit.free_at(), 104U);
  EXPECT_EQ(sm.tpc.sent.size(), 1U);
}

}  // namespace
}  // namespace teslasim::testing
