// SPDX-License-Identifier: Apache-2.0
// The small parts of the SM: calendar, fetch port, pipes, barriers, scoreboard, passes, latency law.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "sim/exec/barrier.h"
#include "sim/sm/event_wheel.h"
#include "sim/sm/fetch_unit.h"
#include "sim/sm/issue/scoreboard.h"
#include "sim/sm/memory/on_chip_passes.h"
#include "sim/sm/units/pipe_occupancy.h"
#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

RC_GTEST_PROP(EventWheel, gives_every_event_in_its_cycle_and_in_order, ()) {
  EventWheel wheel(200);
  std::multimap<Cycle, std::uint32_t> model;
  Cycle now = 0;
  std::uint32_t serial = 0;
  for (const unsigned distance : *rc::gen::container<std::vector<unsigned>>(60, rc::gen::inRange(1U, 200U))) {
    wheel.schedule(now, now + distance, {WarpEvent::Kind::wake, 0, serial});
    model.emplace(now + distance, serial++);
    if (distance % 3 != 0) continue;
    RC_ASSERT(wheel.next(now) == model.begin()->first);
    now = wheel.next(now);
    wheel.take(now, [&](const WarpEvent& event) {
      RC_ASSERT(model.begin()->first == now);
      RC_ASSERT(model.begin()->second == event.instruction);
      model.erase(model.begin());
    });
    RC_ASSERT(model.empty() || model.begin()->first > now);
  }
  RC_ASSERT(wheel.empty() == model.empty());
}

TEST(EventWheel, refuses_what_lies_beyond_its_horizon) {
  EventWheel wheel(10);
  EXPECT_THROW(wheel.schedule(0, 5000, {}), InternalError);
  EXPECT_THROW(wheel.schedule(7, 7, {}), InternalError);
}

TEST(FetchUnit, serves_one_warp_per_cycle) {
  FetchUnit port({}, 32);
  EXPECT_EQ(port.reserve(0, 1), 1U);
  EXPECT_EQ(port.reserve(0, 1), 2U);
  EXPECT_EQ(port.reserve(0, 5), 5U);
  EXPECT_EQ(port.reserve(1, 2), 3U);
  EXPECT_EQ(port.reserve(1, 4), 4U);
  EXPECT_EQ(port.reserve(4, 5), 6U) << "cycle 5 was taken";
}

// Blocked cycles are counted by subtraction: compare with looking at every cycle.
RC_GTEST_PROP(PipeOccupancy, blocked_cycles_equal_a_count_by_cycle, ()) {
  PipeOccupancy pipes;
  Cycle busy_until = 0;
  std::uint64_t blocked = 0;
  for (Cycle now = 0; now < 80; ++now) {
    RC_ASSERT(pipes.blocked_before(Pipe::sfu, now) == blocked);
    RC_ASSERT(pipes.available(Pipe::sfu, now) == (now >= busy_until));
    if (now < busy_until) {
      ++blocked;
    } else if (*rc::gen::inRange(0, 3) == 0) {
      const Cycle interval = *rc::gen::inRange<Cycle>(1, 9);
      pipes.start(Pipe::sfu, now, interval);
      busy_until = now + interval;
    }
  }
}

// Two collectors, each held for the time that the bank needs: the third warp starts when the first collector is free.
TEST(PipeOccupancy, a_pipe_whose_collectors_all_wait_starts_nothing) {
  PipeOccupancy pipes(2);
  pipes.start(Pipe::mad, 10, 2, 20);
  EXPECT_EQ(pipes.free_at(Pipe::mad), 12U);
  pipes.start(Pipe::mad, 12, 2, 16);
  EXPECT_EQ(pipes.free_at(Pipe::mad), 20U);
  EXPECT_EQ(pipes.collecting_before(Pipe::mad, 13), 0U);
  EXPECT_EQ(pipes.collecting_before(Pipe::mad, 17), 3U);
  EXPECT_EQ(pipes.collecting_before(Pipe::mad, 30), 6U);
  EXPECT_EQ(pipes.blocked_before(Pipe::mad, 30), 2U);
  EXPECT_EQ(pipes.collecting_in(Pipe::mad, 13, 18), 4U);
  EXPECT_EQ(pipes.collecting_in(Pipe::mad, 13, 40), 6U);
  EXPECT_EQ(pipes.collecting_cycles(), 6U);
}

// A multiplication waits only while neither the MAD unit nor the SFU can start it.
RC_GTEST_PROP(PipeOccupancy, either_unit_is_blocked_when_both_are, ()) {
  PipeOccupancy pipes;
  Cycle mad = 0, sfu = 0;
  std::uint64_t blocked = 0;
  for (Cycle now = 0; now < 80; ++now) {
    RC_ASSERT(pipes.blocked_before(Pipe::mad_or_sfu, now) == blocked);
    RC_ASSERT(pipes.available(Pipe::mad_or_sfu, now) == (now >= mad || now >= sfu));
    if (now < mad && now < sfu) ++blocked;
    const Cycle interval = *rc::gen::inRange<Cycle>(1, 9);
    if (now >= mad && *rc::gen::inRange(0, 2) == 0) {
      pipes.start(Pipe::mad, now, interval);
      mad = now + interval;
    } else if (now >= sfu && *rc::gen::inRange(0, 2) == 0) {
      pipes.start(Pipe::sfu, now, interval);
      sfu = now + interval;
    }
  }
}

// Multiply-adds with a shared operand wait for the MAD unit and for the one collector of their kind; others of the unit
// only for the unit.
RC_GTEST_PROP(PipeOccupancy, a_shared_operand_waits_for_the_unit_and_for_its_collector, ()) {
  constexpr Cycle lead = 2;
  PipeOccupancy pipes(PipeOccupancy::max_collectors, lead);
  Cycle unit = 0, collector = 0;
  std::uint64_t unit_blocked = 0, blocked = 0, collecting = 0;
  for (Cycle now = 0; now < 80; ++now) {
    RC_ASSERT(pipes.available(Pipe::mad, now) == (now >= unit));
    RC_ASSERT(pipes.available(Pipe::mad_shared, now) == (now + lead >= unit && now >= collector));
    RC_ASSERT(pipes.blocked_before(Pipe::mad, now) == unit_blocked);
    RC_ASSERT(pipes.blocked_before(Pipe::mad_shared, now) == blocked);
    RC_ASSERT(pipes.collecting_before(Pipe::mad_shared, now) == collecting);
    const bool taken = now < unit, starts = *rc::gen::inRange(0, 3) == 0;
    const Cycle interval = *rc::gen::inRange<Cycle>(1, 5);
    if (starts && now + lead >= unit && now >= collector) {
      collector = now + *rc::gen::inRange<Cycle>(1, 9);
      RC_ASSERT(pipes.start_shared(now, interval, collector) == (taken ? unit - now : 0));
      unit = std::max(now, unit) + interval;
    } else if (starts && !taken) {
      pipes.start(Pipe::mad, now, interval);
      unit = now + interval;
    } else if (now + lead < unit) {
      ++blocked;
    } else if (now < collector) {
      ++collecting;
    }
    unit_blocked += taken ? 1 : 0;
  }
}

TEST(PipeOccupancy, a_held_queue_counts_from_the_end_of_the_interval) {
  PipeOccupancy pipes;
  pipes.start(Pipe::memory, 10, 4);
  pipes.hold_queue();
  EXPECT_FALSE(pipes.available(Pipe::memory, 14));
  EXPECT_EQ(pipes.queued_before(14), 0U);
  EXPECT_EQ(pipes.queued_before(20), 6U);
  pipes.release_queue(20);
  EXPECT_EQ(pipes.queued_before(21), 7U);
  EXPECT_EQ(pipes.queued_before(30), 7U);
  EXPECT_TRUE(pipes.available(Pipe::memory, 21));
}

TEST(BlockBarriers, open_when_the_last_warp_arrives) {
  BlockBarriers barriers;
  barriers.clear(3);
  EXPECT_EQ(barriers.execute(0, 0b001, true, true, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(0, 0b100, true, true, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(1, 0b010, true, false, 0xfff), 0U) << "another barrier";
  EXPECT_EQ(barriers.execute(0, 0b010, true, true, 0xfff), 0b111U);
  EXPECT_EQ(barriers.arrived(0), 0U);
}

TEST(BlockBarriers, arrive_without_waiting_counts) {
  BlockBarriers barriers;
  barriers.clear(2);
  EXPECT_EQ(barriers.execute(2, 0b01, true, false, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(2, 0b10, true, true, 0xfff), 0b10U);
}

TEST(Scoreboard, charges_the_slowest_class_first) {
  Scoreboard scoreboard(2);
  RegisterSet one, two, both;
  one.add_register(1);
  two.add_register(70);
  both.insert(one);
  both.insert(two);
  scoreboard.reserve(1, one, SlotReason::dep_alu);
  scoreboard.reserve(1, two, SlotReason::mem_global);
  EXPECT_FALSE(scoreboard.hazard(0, both));
  EXPECT_TRUE(scoreboard.hazard(1, both));
  EXPECT_EQ(scoreboard.blocking_class(1, both), SlotReason::mem_global);
  EXPECT_EQ(scoreboard.blocking_class(1, one), SlotReason::dep_alu);
  scoreboard.release(1, two, SlotReason::mem_global);
  EXPECT_EQ(scoreboard.blocking_class(1, both), SlotReason::dep_alu);
  scoreboard.release(1, one, SlotReason::dep_alu);
  EXPECT_TRUE(scoreboard.empty(1));
}

TEST(OnChipPasses, rounds_serve_each_group_that_has_lanes_left) {
  OnChipPasses passes;
  passes.clear();
  passes.add(OnChipPasses::Memory::shared, 0, 3);
  passes.add(OnChipPasses::Memory::shared, 1, 2);
  passes.add(OnChipPasses::Memory::constant, 0, 2);
  EXPECT_EQ(passes.remaining(), 4U);
  EXPECT_EQ(passes.start_round(), OnChipPasses::Memory::shared);
  EXPECT_EQ(passes.round_slots(), 2U);
  passes.issue();
  passes.issue();
  EXPECT_EQ(passes.start_round(), OnChipPasses::Memory::shared);
  EXPECT_EQ(passes.round_slots(), 1U);
  passes.issue();
  EXPECT_EQ(passes.start_round(), OnChipPasses::Memory::constant);
  passes.issue();
  EXPECT_EQ(passes.remaining(), 0U);
}

}  // namespace
}  // namespace teslasim::testing
