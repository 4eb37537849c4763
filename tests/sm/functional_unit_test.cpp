// SPDX-License-Identifier: Apache-2.0
// Functional units with their operand collectors: when they take the next warp, and what kept others out.
#include "sim/sm/units/functional_unit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/sm/memory/queue_hold.h"
#include "sim/sm/operands/operand_collectors.h"
#include "sim/sm/units/execution_units.h"

namespace teslasim::testing {
namespace {

TEST(OperandCollectors, are_taken_in_turn_and_held_until_the_last_operand_was_read) {
  OperandCollectors collectors(2);
  EXPECT_TRUE(collectors.can_accept(0));
  collectors.accept(20);
  EXPECT_TRUE(collectors.can_accept(10));
  collectors.accept(16);
  EXPECT_EQ(collectors.free_at(), 20U) << "the first one again";
  EXPECT_FALSE(collectors.can_accept(19));
}

// Blocked cycles are counted by subtraction: compare with looking at every cycle.
RC_GTEST_PROP(FunctionalUnit, blocked_cycles_equal_a_count_by_cycle, ()) {
  FunctionalUnit unit;
  SmCycle busy_until = 0;
  std::uint64_t blocked = 0, busy = 0;
  for (SmCycle now = 0; now < 80; ++now) {
    RC_ASSERT(unit.account().blocked_before(now) == blocked);
    RC_ASSERT(unit.can_accept(now) == (now >= busy_until));
    if (now < busy_until) {
      ++blocked;
    } else if (*rc::gen::inRange(0, 3) == 0) {
      const SmCycle interval = *rc::gen::inRange<std::uint64_t>(1, 9);
      unit.accept({interval}, now);
      busy_until = now + interval;
      busy += interval.count();
    }
  }
  RC_ASSERT(unit.busy_cycles() == busy);
}

// Two collectors, each held for the time that the bank needs: the third warp starts when the first collector is free.
TEST(FunctionalUnit, takes_nothing_while_all_its_collectors_wait) {
  FunctionalUnit unit(2);
  unit.accept({2, 20}, 10);
  EXPECT_EQ(unit.free_at(), 12U);
  unit.accept({2, 16}, 12);
  EXPECT_EQ(unit.free_at(), 20U);
  const StartAccount& account = unit.account();
  EXPECT_EQ(account.collecting_before(13), 0U);
  EXPECT_EQ(account.collecting_before(17), 3U);
  EXPECT_EQ(account.collecting_before(30), 6U);
  EXPECT_EQ(account.blocked_before(30), 2U);
  EXPECT_EQ(account.collecting_in(13, 18), 4U);
  EXPECT_EQ(account.collecting_in(13, 40), 6U);
  EXPECT_EQ(account.collecting_total(), 6U);
}

TEST(FunctionalUnit, a_warp_that_comes_too_early_is_our_mistake) {
  FunctionalUnit unit(1);
  unit.accept({4, 30}, 10);
  EXPECT_THROW(unit.accept({4}, 13), InternalError);
  EXPECT_THROW(unit.accept({4}, 29), InternalError) << "its collector waits";
  unit.accept({4}, 30);
}

TEST(FunctionalUnit, is_new_after_clear) {
  FunctionalUnit unit(1);
  unit.accept({4, 30}, 10);
  unit.clear();
  EXPECT_TRUE(unit.can_accept(0));
  EXPECT_EQ(unit.busy_cycles(), 0U);
  EXPECT_EQ(unit.account().blocked_before(100), 0U);
}

/// An instruction of a pipe on its way to the units.
struct Issued {
  Issued(Pipe pipe, SmCycle interval, SmCycle collected = 0) {
    timing.pipe = record.pipe = pipe;
    timing.interval = timing.sfu_interval = static_cast<std::uint16_t>(interval);
    record.timing = &timing;
    record.collected = collected;
  }
  Pipe to(ExecutionUnits& units, SmCycle now) {
    wait = units.accept(record, now);
    return record.unit;
  }
  InstructionTiming timing;
  InFlightInstruction record;
  SmCycle wait = 0;
};

TEST(ExecutionUnits, each_instruction_goes_to_its_unit) {
  ExecutionUnits units;
  EXPECT_EQ(Issued(Pipe::mad, 2).to(units, 10), Pipe::mad);
  EXPECT_EQ(Issued(Pipe::sfu, 8).to(units, 11), Pipe::sfu);
  EXPECT_EQ(Issued(Pipe::dp, 16).to(units, 12), Pipe::dp);
  EXPECT_EQ(units.free_at(Pipe::mad), 12U);
  EXPECT_EQ(units.free_at(Pipe::sfu), 19U);
  EXPECT_EQ(units.free_at(Pipe::dp), 28U);
  EXPECT_EQ(units.busy_cycles(Pipe::dp), 16U);
}

// The SFU's functions and its multiplications have one account.
RC_GTEST_PROP(ExecutionUnits, a_multiplication_of_the_sfu_is_blocked_by_whatever_the_sfu_takes, ()) {
  ExecutionUnits units;
  SmCycle mad = 0, sfu = 0;
  std::uint64_t blocked = 0;
  for (SmCycle now = 0; now < 80; ++now) {
    RC_ASSERT(units.account(Pipe::sfu_mul).blocked_before(now) == blocked);
    RC_ASSERT(units.can_accept(Pipe::sfu_mul, now) == (now >= sfu));
    if (now < sfu) ++blocked;
    const SmCycle interval = *rc::gen::inRange<std::uint64_t>(1, 9);
    if (now >= mad && *rc::gen::inRange(0, 2) == 0) {
      Issued(Pipe::mad, interval).to(units, now);
      mad = now + interval;
    } else if (now >= sfu && *rc::gen::inRange(0, 2) == 0) {
      Issued(*rc::gen::element(Pipe::sfu, Pipe::sfu_mul), interval).to(units, now);
      sfu = now + interval;
    }
  }
}

// Multiply-adds with a shared operand wait for the MAD unit and for the one collector of their kind; others of the unit
// only for the unit.
RC_GTEST_PROP(ExecutionUnits, a_shared_operand_waits_for_the_unit_and_for_its_collector, ()) {
  constexpr SmCycle lead = 2;
  ExecutionUnits units(OperandCollectors::most, lead);
  SmCycle unit = 0, collector = 0;
  std::uint64_t unit_blocked = 0, blocked = 0, collecting = 0;
  for (SmCycle now = 0; now < 80; ++now) {
    RC_ASSERT(units.can_accept(Pipe::mad, now) == (now >= unit));
    RC_ASSERT(units.can_accept(Pipe::mad_shared, now) == (now + lead >= unit && now >= collector));
    RC_ASSERT(units.account(Pipe::mad).blocked_before(now) == unit_blocked);
    RC_ASSERT(units.account(Pipe::mad_shared).blocked_before(now) == blocked);
    RC_ASSERT(units.account(Pipe::mad_shared).collecting_before(now) == collecting);
    const bool taken = now < unit, starts = *rc::gen::inRange(0, 3) == 0;
    const SmCycle interval = *rc::gen::inRange<std::uint64_t>(1, 5);
    if (starts && now + lead >= unit && now >= collector) {
      collector = now + *rc::gen::inRange<std::uint64_t>(1, 9);
      Issued shared(Pipe::mad_shared, interval, collector);
      shared.to(units, now);
      RC_ASSERT(shared.wait == (taken ? unit - now : 0));
      unit = std::max(now, unit) + interval;
    } else if (starts && !taken) {
      Issued(Pipe::mad, interval).to(units, now);
      unit = now + interval;
    } else if (now + lead < unit) {
      ++blocked;
    } else if (now < collector) {
      ++collecting;
    }
    unit_blocked += taken ? 1 : 0;
  }
}

TEST(QueueHold, counts_from_the_end_of_the_interval) {
  QueueHold hold;
  hold.begin(14);
  EXPECT_TRUE(hold.held());
  EXPECT_EQ(hold.cycles_before(14), 0U);
  EXPECT_EQ(hold.cycles_before(20), 6U);
  hold.end(20);
  EXPECT_EQ(hold.cycles_before(21), 7U);
  EXPECT_EQ(hold.cycles_before(30), 7U);
  EXPECT_EQ(hold.until(), 21U);
}

}  // namespace
}  // namespace teslasim::testing
