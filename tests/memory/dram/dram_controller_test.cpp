// SPDX-License-Identifier: Apache-2.0
// What the memory controller chooses, and what it must never do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "memory/dram/dram_controller.h"
#include "tests/memory/dram_bench.h"
#include "tests/support/volume.h"

namespace teslasim::testing {
namespace {

using ::testing::ElementsAre;
using Direction = DramChannel::Direction;

/// Row `row` of bank `bank` in data_sheet(): 8 banks, rows of 1 KB, one partition.
Address at(unsigned row, unsigned bank, unsigned column = 0) {
  return (row * 8 + bank) * 1024 + column;
}

struct Bench {
  explicit Bench(const DramSpec& spec = data_sheet()) : path(dram_path(spec)) {}

  void push(Address address, Direction direction, std::uint32_t ticket, MemoryCycle now, std::uint16_t bytes = 32) {
    MemoryTransaction transaction;
    transaction.address = address;
    transaction.bytes = bytes;
    transaction.write = direction == Direction::write;
    controller.push(transaction, direction, ticket, now);
  }
  void read(Address address, std::uint32_t ticket, MemoryCycle now = 0, std::uint16_t bytes = 32) {
    push(address, Direction::read, ticket, now, bytes);
  }
  void write(Address address, std::uint32_t ticket, MemoryCycle now = 0, std::uint16_t bytes = 32) {
    push(address, Direction::write, ticket, now, bytes);
  }

  /// Steps until empty; at every cycle, or only when wanted.
  void drain(MemoryCycle from, bool every_cycle = false) {
    DramController::Served one;
    for (MemoryCycle now = from; !controller.empty();
         now = every_cycle ? now + 1 : std::max(now + 1, controller.wanted())) {
      if (controller.step(now, one)) served.push_back(one);
      last = now;
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> tickets;
    for (const auto& one : served) tickets.push_back(one.ticket);
    return tickets;
  }
  [[nodiscard]] PartitionStatistics statistics() const {
    PartitionStatistics result;
    controller.add_to(result, 0);
    return result;
  }
  [[nodiscard]] BusCycles bus(MemoryCycle cycles) const {
    PartitionStatistics result;
    controller.add_to(result, cycles);
    return result.bus;
  }

  MemoryPath path;
  DramChannel channel{path};
  DramController controller{path, channel};
  std::vector<DramController::Served> served;
  MemoryCycle last = 0;
};

TEST(DramController, a_read_of_a_closed_row_takes_activate_and_cas) {
  Bench bench;
  bench.read(at(0, 0), 1, 10);
  bench.drain(10);
  ASSERT_EQ(bench.served.size(), 1U);
  EXPECT_EQ(bench.served[0].command, 10U + 13);
  EXPECT_EQ(bench.served[0].data_end, 10U + 13 + 11 + 2);
  EXPECT_EQ(bench.statistics().row_misses, 1U);
}

// Order: read, write, turn, row, refresh, held, idle.
TEST(DramBus, the_way_to_an_open_row_belongs_to_the_row) {
  Bench bench;
  bench.read(at(0, 0), 1, 10);
  bench.drain(10);
  EXPECT_THAT(bench.bus(100), ElementsAre(2, 0, 0, 13, 0, 0, 10 + 75)) << "empty, activate, data, empty";
}

TEST(DramBus, banks_that_are_prepared_in_time_cost_nothing) {
  Bench bench;
  for (unsigned i = 0; i < 6; ++i) bench.read(at(0, 0, 128 * i), i, 0, 128);
  for (unsigned i = 0; i < 6; ++i) bench.read(at(0, 1, 128 * i), 6 + i, 0, 128);
  bench.drain(0);
  EXPECT_THAT(bench.bus(13 + 12 * 8), ElementsAre(12 * 8, 0, 0, 13, 0, 0, 0)) << "only the first row is waited for";
}

TEST(DramBus, a_turn_belongs_to_the_turn) {
  DramSpec spec = data_sheet();
  spec.write_drain_start = 1;
  Bench bench(spec);
  bench.read(at(0, 0), 1, 0);
  bench.drain(0);
  bench.write(at(0, 0, 64), 2, 13);
  bench.drain(13);
  const MemoryCycle write = bench.served[1].command;
  EXPECT_EQ(write, 13U + 11 + 2 + 2 - 5) << "data on the bus two cycles after the last read data";
  bench.read(at(0, 0, 128), 3, write + 1);
  bench.drain(write + 1);
  EXPECT_EQ(bench.served[2].command, write + 5 + 2 + 7);
  EXPECT_THAT(bench.bus(write + 14 + 2), ElementsAre(4, 2, write - 15 + 5 + 7, 13, 0, 0, 0));
}

TEST(DramBus, writes_held_back_are_held) {
  DramSpec spec = data_sheet();
  spec.turn_hold_ns = 50;
  Bench bench(spec);
  bench.read(at(0, 0), 1, 0);
  bench.write(at(0, 0, 64), 2, 0);
  bench.drain(0);
  EXPECT_THAT(bench.bus(13 + 2 + 48 + 2), ElementsAre(2, 2, 0, 13, 0, 48, 0));
}

TEST(DramBus, a_refresh_in_the_way_belongs_to_the_refresh) {
  DramSpec spec = data_sheet();
  spec.timing.refresh_interval_ns = 500;
  Bench bench(spec);
  bench.read(at(0, 0), 1, 505);
  bench.drain(505);
  EXPECT_THAT(bench.bus(505 + 55 + 13 + 2), ElementsAre(2, 0, 0, 13, 55, 0, 505))
      << "60 from when it was due, then the row";
}

TEST(DramController, a_row_conflict_adds_precharge) {
  Bench bench;
  bench.read(at(0, 0), 1, 0);
  bench.drain(0);
  bench.read(at(1, 0), 2, 100);
  bench.drain(100);
  EXPECT_EQ(bench.served[1].command, 100U + 12 + 13) << "precharge, activate";
}

TEST(DramController, open_rows_first_then_the_oldest) {
  Bench bench;
  bench.read(at(0, 0), 1);
  bench.read(at(1, 0), 2);
  bench.read(at(0, 0, 64), 3);
  bench.drain(0);
  EXPECT_THAT(bench.order(), ElementsAre(1, 3, 2));
  EXPECT_EQ(bench.statistics().row_hits, 1U);
  EXPECT_EQ(bench.statistics().row_misses, 2U);
}

TEST(DramController, fcfs_keeps_the_order_of_each_bank) {
  DramSpec spec = data_sheet();
  spec.scheduler = "fcfs";
  Bench bench(spec);
  bench.read(at(0, 0), 1);
  bench.read(at(1, 0), 2);
  bench.read(at(0, 0, 64), 3);
  bench.drain(0);
  EXPECT_THAT(bench.order(), ElementsAre(1, 2, 3));
}

TEST(DramController, a_row_serves_no_more_than_its_cap_while_an_older_one_waits) {
  DramSpec spec = data_sheet();
  spec.row_hit_cap = 2;
  Bench bench(spec);
  bench.read(at(0, 0), 1);
  bench.read(at(1, 0), 2);
  for (unsigned i = 1; i <= 3; ++i) bench.read(at(0, 0, 64 * i), 2 + i);
  bench.read(at(0, 1), 9);
  bench.drain(0);
  EXPECT_THAT(bench.order(), ElementsAre(1, 3, 9, 2, 4, 5))
      << "the second of the row is the last to pass 2; banks count apart";
  EXPECT_EQ(bench.statistics().row_misses, 4U) << "row 0 is opened again";
}

TEST(DramController, a_row_that_nobody_older_waits_for_has_no_cap) {
  DramSpec spec = data_sheet();
  spec.row_hit_cap = 2;
  Bench bench(spec);
  for (unsigned i = 0; i < 6; ++i) bench.read(at(0, 0, 64 * i), i);
  bench.read(at(1, 0), 6);
  bench.drain(0);
  EXPECT_THAT(bench.order(), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(bench.statistics().activates, 2U);
}

TEST(DramController, banks_are_prepared_while_others_move_data) {
  Bench bench;
  for (unsigned bank = 0; bank < 4; ++bank) bench.read(at(0, bank), bank);
  bench.drain(0);
  EXPECT_EQ(bench.served[3].data_end, 3U * 6 + 13 + 11 + 2)
      << "the last activate comes at 18, three gaps after the first";
}

TEST(DramController, a_starved_request_is_not_passed_any_more) {
  DramSpec spec = data_sheet();
  spec.starvation_ns = 100;
  Bench bench(spec);
  DramController::Served one;
  bench.read(at(0, 0), 0, 0);
  bench.read(at(1, 0), 1, 0);
  std::uint32_t ticket = 2;
  MemoryCycle passed_at = 0;
  for (MemoryCycle now = 0; now < 600 && passed_at == 0; ++now) {
    if (bench.controller.used(Direction::read) < 3) bench.read(at(0, 0, 32 * (ticket % 32)), ticket, now), ++ticket;
    if (bench.controller.step(now, one) && one.ticket == 1) passed_at = now;
  }
  EXPECT_GT(passed_at, 100U);
  EXPECT_LT(passed_at, 100U + 12 + 13 + 10) << "precharge and activate as soon as it has waited long enough";
}

TEST(DramController, writes_are_put_off_until_there_are_enough) {
  DramSpec spec = data_sheet();
  spec.write_drain_start = 4;
  spec.write_drain_stop = 1;
  spec.turn_hold_ns = 50;
  Bench bench(spec);
  DramController::Served one;
  for (unsigned i = 0; i < 3; ++i) bench.write(at(0, 1, 32 * i), 100 + i);
  for (unsigned i = 0; i < 3; ++i) bench.read(at(0, 0, 32 * i), i);
  for (MemoryCycle now = 0; now < 40; ++now) {
    if (bench.controller.step(now, one)) bench.served.push_back(one);
  }
  EXPECT_THAT(bench.order(), ElementsAre(0, 1, 2)) << "three writes are too few";
  bench.write(at(0, 1, 96), 103, 40);
  bench.read(at(0, 0, 96), 3, 40);
  bench.drain(40);
  EXPECT_THAT(bench.order(), ElementsAre(0, 1, 2, 100, 101, 102, 3, 103)) << "down to one, then reads again";
}

TEST(DramController, a_write_of_two_pieces_counts_as_two) {
  DramSpec spec = data_sheet();
  spec.write_drain_start = 4;
  spec.write_drain_stop = 2;
  spec.write_piece_bytes = 64;
  spec.turn_hold_ns = 50;
  Bench bench(spec);
  for (unsigned i = 0; i < 2; ++i) bench.write(at(0, 1, 128 * i), 100 + i, 0, 128);
  for (unsigned i = 0; i < 3; ++i) bench.read(at(0, 0, 32 * i), i);
  bench.drain(0);
  EXPECT_THAT(bench.order(), ElementsAre(100, 0, 1, 2, 101)) << "two are four pieces; one of them is few enough";
}

TEST(DramController, writes_go_out_when_nothing_has_been_read_for_a_while) {
  DramSpec spec = data_sheet();
  spec.turn_hold_ns = 50;
  Bench bench(spec);
  bench.read(at(0, 0), 1, 0);
  bench.write(at(0, 0, 64), 2, 0);
  bench.drain(0);
  EXPECT_EQ(bench.served[0].command, 13U);
  EXPECT_EQ(bench.served[1].command, 13U + 50);
}

TEST(DramController, an_open_row_is_kept_in_hope) {
  DramSpec spec = data_sheet();
  spec.row_hold_ns = 80;
  Bench bench(spec);
  bench.read(at(0, 0), 1, 0);
  bench.drain(0);
  bench.read(at(1, 0), 2, 30);
  bench.drain(30);
  EXPECT_EQ(bench.served[1].command, 13U + 2 + 80 + 12 + 13) << "80 after the last use of the row, then the conflict";
}

TEST(DramController, xor_spreads_a_stride_of_whole_rows_over_the_banks) {
  for (const char* mapping : {"plain", "xor"}) {
    DramSpec spec = data_sheet();
    spec.bank_mapping = mapping;
    Bench bench(spec);
    for (unsigned i = 0; i < 8; ++i) bench.read(at(i, 0), i);
    bench.drain(0);
    if (spec.bank_mapping == "plain") {
      EXPECT_GT(bench.last, 7U * 47) << "one bank: tRC each";
    } else {
      EXPECT_LT(bench.last, 100U) << "eight banks";
    }
  }
}

using Random = std::mt19937;
unsigned pick(Random& random, unsigned low, unsigned high) {
  return low + static_cast<unsigned>(random() % (high - low + 1));
}

DramSpec any_controller(Random& random) {
  DramSpec spec = data_sheet();
  spec.queue = pick(random, 1, 40);
  spec.write_queue = pick(random, 1, 40);
  spec.write_drain_start = pick(random, 1, 40);
  spec.write_drain_stop = pick(random, 0, 10);
  spec.scheduler = pick(random, 0, 3) == 0 ? "fcfs" : "fr_fcfs";
  spec.row_hit_cap = pick(random, 0, 5);
  spec.bank_mapping = pick(random, 0, 1) == 0 ? "plain" : "xor";
  spec.row_hold_ns = pick(random, 0, 30);
  spec.turn_hold_ns = pick(random, 0, 60);
  spec.starvation_ns = pick(random, 50, 500);
  spec.timing.banks = 1U << pick(random, 0, 4);
  spec.timing.refresh_interval_ns = pick(random, 500, 5000);
  return spec;
}

/// What must hold of the transactions as they are served.
class Referee {
 public:
  explicit Referee(unsigned requests) : seen_(requests) {}
  void check(const DramController::Served& one) {
    EXPECT_FALSE(seen_[one.ticket]) << "served twice";
    seen_[one.ticket] = true;
    ++served;
    const MemoryCycle data = (one.transaction.bytes + 31U) / 32U * 2U;
    EXPECT_GE(one.data_end - data, bus_free_) << "two transactions on the data bus";
    bus_free_ = one.data_end;
    const std::uint64_t key = one.transaction.address / 1024 * 2 + (one.transaction.write ? 1 : 0);
    const auto before = newest_.find(key);
    EXPECT_TRUE(before == newest_.end() || before->second < one.ticket) << "passed in its own row";
    newest_[key] = one.ticket;
  }
  unsigned served = 0;

 private:
  std::vector<bool> seen_;
  std::map<std::uint64_t, std::uint32_t> newest_;  ///< by row and direction
  MemoryCycle bus_free_ = 0;
};

/// `sleeper` works only when it wants to, `awake` in every cycle.
void run_side_by_side(Bench& sleeper, Bench& awake, Random& random, unsigned requests) {
  Referee referee(requests);
  const unsigned rows = pick(random, 1, 20), calm = pick(random, 0, 3) * 8;
  std::uint32_t sent = 0;
  DramController::Served one, other;
  for (MemoryCycle now = 0; referee.served < requests; ++now) {
    ASSERT_LT(now, MemoryCycle{requests} * 400) << "no progress";
    const auto direction = pick(random, 0, 2) == 0 ? Direction::write : Direction::read;
    if (sent < requests && sleeper.controller.has_room(direction) && (calm == 0 || pick(random, 0, calm) == 0)) {
      const auto bytes = static_cast<std::uint16_t>(32U << pick(random, 0, 2));
      const Address address = pick(random, 0, rows * 8 * 1024 / 128 - 1) * 128;
      for (Bench* bench : {&sleeper, &awake}) bench->push(address, direction, sent, now, bytes);
      ++sent;
    }
    const bool served = sleeper.controller.wanted() <= now && sleeper.controller.step(now, one);
    ASSERT_EQ(awake.controller.step(now, other), served) << "sleeping changes what happens at " << now;
    if (!served) continue;
    ASSERT_EQ(one.ticket, other.ticket);
    referee.check(one);
    if (::testing::Test::HasFailure()) return;
  }
}

/// A million random requests, at random times, through random controllers: each is served once, those of one row and
/// direction in order, no two at a time on the data bus, and sleeping changes nothing.
TEST(DramControllerLaw, a_million_random_requests_are_served_once_and_in_a_legal_order) {
  Random random(20261121);
  constexpr unsigned rounds = test::volume(50U, 5U), requests = 20000;
  for (unsigned round = 0; round < rounds && !HasFailure(); ++round) {
    const DramSpec spec = any_controller(random);
    Bench sleeper(spec), awake(spec);
    run_side_by_side(sleeper, awake, random, requests);
    EXPECT_EQ(sleeper.statistics().row_hits + sleeper.statistics().row_misses, requests);
    EXPECT_EQ(sleeper.statistics().queue_cycles, awake.statistics().queue_cycles);
    EXPECT_EQ(sleeper.statistics().activates, awake.statistics().activates);
    EXPECT_EQ(sleeper.statistics().turns, awake.statistics().turns);
    EXPECT_EQ(sleeper.statistics().refreshes, awake.statistics().refreshes);
    constexpr unsigned behind_all = 1U << 30U;
    EXPECT_EQ(sleeper.bus(behind_all), awake.bus(behind_all));
  }
}

}  // namespace
}  // namespace teslasim::testing
