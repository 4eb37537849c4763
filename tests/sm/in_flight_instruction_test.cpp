// SPDX-License-Identifier: Apache-2.0
// The record that travels with an instruction, its replays, and the units that read and write it on the way.
#include "sim/sm/in_flight_instruction.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/sm/memory/constant_port.h"
#include "sim/sm/memory/shared_memory.h"
#include "sim/sm/units/execution_units.h"
#include "sim/sm/write_back.h"

namespace teslasim::testing {
namespace {

/// An instruction of the MAD unit that reads two registers and writes one, in warp 3.
struct Mad {
  Mad() {
    timing.pipe = record.pipe = Pipe::mad;
    timing.interval = timing.group_interval = timing.sfu_interval = timing.sfu_group_interval = 2;
    timing.register_reads = 2;
    timing.result_registers = 1;
    timing.register_latency = 10;
    timing.sfu_latency = 13;
    timing.flag_latency = 15;
    timing.on_chip = true;
    timing.register_writes.add_register(4);
    record.timing = &timing;
    record.counts = &counts;
    record.warp = 3;
  }
  InstructionTiming timing;
  PcStatistics counts;
  InFlightInstruction record;
};

TEST(RecordPool, a_record_is_used_again_when_its_results_are_written) {
  RecordPool pool;
  InFlightInstruction& first = pool.take();
  InFlightInstruction& second = pool.take();
  EXPECT_EQ(pool.in_flight(), 2U);
  first.results = 1;
  pool.give_back_if_done(first);
  EXPECT_EQ(pool.in_flight(), 2U) << "its last pass has not issued";
  first.issued = true;
  pool.give_back_if_done(first);
  EXPECT_EQ(pool.in_flight(), 2U) << "its result is not written";
  first.results = 0;
  pool.give_back_if_done(first);
  EXPECT_EQ(pool.in_flight(), 1U);
  EXPECT_EQ(&pool.take(), &first);
  EXPECT_FALSE(first.issued);
  EXPECT_NE(&first, &second);
}

TEST(RecordPool, records_stay_where_they_are_when_it_grows) {
  RecordPool pool;
  std::set<const InFlightInstruction*> places;
  InFlightInstruction& first = pool.take();
  first.warp = 17;
  for (unsigned i = 0; i < 1000; ++i) places.insert(&pool.take());
  EXPECT_EQ(places.size(), 1000U);
  EXPECT_EQ(first.warp, 17U);
  pool.clear();
  EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(Replays, rounds_serve_each_group_that_has_lanes_left) {
  Replays replays;
  replays.clear();
  replays.add(Replays::Memory::shared, 0, 3);
  replays.add(Replays::Memory::shared, 1, 2);
  replays.add(Replays::Memory::constant, 0, 2);
  EXPECT_EQ(replays.remaining(), 4U);
  replays.issue_first(100);
  replays.start_round();
  EXPECT_EQ(replays.use(), SlotReason::replay_shared_bank);
  EXPECT_EQ(replays.wait(), SlotReason::mem_shared);
  EXPECT_EQ(replays.round_slots(), 2U);
  EXPECT_EQ(replays.round_at(100, 8), 108U);
  replays.issue(110);
  replays.issue(112);
  replays.start_round();
  EXPECT_EQ(replays.round_slots(), 1U);
  EXPECT_EQ(replays.round_at(112, 8), 118U) << "from the first issue of the round before";
  replays.issue(119);
  replays.start_round();
  EXPECT_EQ(replays.use(), SlotReason::replay_const);
  EXPECT_EQ(replays.wait(), SlotReason::mem_const);
  EXPECT_EQ(replays.round_at(119, 0), 120U) << "not in the same cycle";
  replays.issue(130);
  EXPECT_EQ(replays.remaining(), 0U);
}

TEST(Replays, an_instruction_whose_constants_missed_goes_first_as_a_whole) {
  Replays replays;
  replays.clear();
  replays.add(Replays::Memory::constant, 0, 2);
  replays.retry(Replays::Memory::constant);
  EXPECT_EQ(replays.remaining(), 2U);
  EXPECT_EQ(replays.round_slots(), 1U);
  replays.issue(50);
  EXPECT_EQ(replays.round_slots(), 0U);
  EXPECT_EQ(replays.remaining(), 1U);
}

TEST(SharedMemory, leaves_the_further_passes_of_a_conflict_in_the_record) {
  SharedMemory memory({}, 8);
  BankAccesses banks{};
  memory.begin(banks);
  Mad mad;
  OnChipAccess access;
  access.lanes = all_lanes;
  access.uniform = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = 4 * (lane < 16 ? 4 * lane : lane);
  EXPECT_TRUE(memory.can_accept(0));
  memory.accept(mad.record, access);
  EXPECT_EQ(mad.record.replays.remaining(), 3U) << "a stride of four words; the other half-warp has no conflict";
  EXPECT_EQ(mad.counts.shared.accesses, 2U);
  EXPECT_EQ(mad.counts.shared.replays, 3U);
  EXPECT_EQ(memory.pass_cycles(), 8U);
}

TEST(ConstantPort, one_word_per_pass_and_half_warp) {
  ConstantCacheSpec ideal;
  ideal.bytes = 0;
  ConstantPort port(ideal, 32, 16, 10);
  Mad mad;
  OnChipAccess access;
  access.lanes = 0xffff;
  access.uniform = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = 4 * (lane % 3);
  EXPECT_TRUE(port.accept(mad.record, access, 5));
  EXPECT_EQ(mad.record.replays.remaining(), 2U);
  EXPECT_EQ(mad.counts.constant.accesses, 1U);
  EXPECT_EQ(mad.counts.constant.retries, 0U);
}

TEST(RegisterFile, leaves_the_end_of_the_reads_in_the_record) {
  RegisterFile registers(16, 1);
  Mad first, second;
  second.record.warp = 19;
  registers.accept(first.record, 10);
  EXPECT_EQ(first.record.collected, 13U) << "cycles 11 and 12";
  EXPECT_EQ(first.record.operand_wait, 0U);
  registers.accept(second.record, 11);
  EXPECT_EQ(second.record.operand_wait, 1U) << "warp 19 shares the bank of warp 3";
  EXPECT_EQ(second.record.collected, 15U);
}

TEST(ExecutionUnits, leave_in_the_record_where_the_instruction_went) {
  ExecutionUnits units;
  Mad multiplication;
  multiplication.timing.pipe = Pipe::mad_or_sfu;
  multiplication.record.pipe = Pipe::mad;
  EXPECT_EQ(units.accept(multiplication.record, 10), 0U);
  EXPECT_EQ(multiplication.record.unit, Pipe::mad);
  EXPECT_EQ(multiplication.record.result_reason, SlotReason::dep_alu);
  multiplication.record.pipe = Pipe::sfu_mul;
  units.accept(multiplication.record, 11);
  EXPECT_EQ(multiplication.record.unit, Pipe::sfu);
  EXPECT_EQ(multiplication.record.result_reason, SlotReason::dep_sfu);
  EXPECT_EQ(units.sfu_multiplications(), 1U);
}

TEST(ExecutionUnits, functions_and_multiplications_of_the_sfu_wait_for_each_other) {
  ExecutionUnits units;
  Mad multiplication;
  multiplication.timing.pipe = Pipe::mad_or_sfu;
  multiplication.timing.sfu_interval = 2;
  multiplication.record.pipe = Pipe::sfu_mul;
  units.accept(multiplication.record, 10);
  EXPECT_EQ(units.free_at(Pipe::sfu), 12U);
  EXPECT_EQ(units.free_at(Pipe::sfu_mul), 12U) << "the MAD unit is free, but what is meant for the SFU stays";
  EXPECT_TRUE(units.can_accept(Pipe::mad, 10));
}

TEST(ExecutionUnits, control_instructions_take_the_mad_unit) {
  ExecutionUnits units;
  Mad branch;
  branch.timing.pipe = branch.record.pipe = Pipe::control;
  units.accept(branch.record, 10);
  EXPECT_EQ(branch.record.unit, Pipe::mad);
  EXPECT_EQ(units.free_at(Pipe::mad), 12U);
  EXPECT_EQ(units.free_at(Pipe::control), 12U);
}

TEST(ExecutionUnits, the_sfu_takes_a_multiplication_for_as_long_as_its_own_lanes_say) {
  ExecutionUnits units;
  Mad multiplication;
  multiplication.timing.pipe = Pipe::mad_or_sfu;
  multiplication.timing.sfu_interval = 4;
  multiplication.record.pipe = Pipe::mad;
  units.accept(multiplication.record, 10);
  multiplication.record.pipe = Pipe::sfu_mul;
  units.accept(multiplication.record, 11);
  EXPECT_EQ(units.mad().free_at(), 12U);
  EXPECT_EQ(units.sfu().free_at(), 15U);
}

/// Write-back with what it needs around it.
struct Pipeline {
  RegisterFile registers{16, 1};
  Scoreboard scoreboard{32};
  Calendar calendar{200};
  WriteBack write_back{registers, scoreboard, calendar, 2};

  /// Runs up to and including cycle `now`.
  void run_to(SmCycle now) {
    for (; at <= now; ++at) calendar.take(at, [this](const SmEvent& event) { write_back.receive(event); });
  }
  SmCycle at = 0;
};

TEST(WriteBack, a_result_is_pending_until_the_latency_has_passed) {
  Pipeline sm;
  Mad mad;
  mad.record.first_pass = 20;
  sm.scoreboard.reserve(3, mad.timing.register_writes, mad.record.result_reason);
  sm.run_to(20);
  sm.write_back.accept(mad.record, 20);
  EXPECT_EQ(mad.record.results, 1U);
  sm.run_to(29);
  EXPECT_TRUE(sm.scoreboard.hazard(3, mad.timing.register_writes));
  sm.run_to(30);
  EXPECT_TRUE(sm.scoreboard.empty(3));
  EXPECT_EQ(mad.record.results, 0U);
}

TEST(WriteBack, what_waited_for_its_operands_is_written_later) {
  Pipeline sm;
  Mad mad;
  mad.record.operand_wait = 4;
  sm.run_to(20);
  sm.write_back.accept(mad.record, 20);
  EXPECT_EQ(sm.calendar.next(20), 34U);
}

TEST(WriteBack, a_multiplication_on_the_sfu_takes_its_latency) {
  Pipeline sm;
  Mad mad;
  mad.timing.pipe = Pipe::mad_or_sfu;
  mad.record.unit = Pipe::sfu;
  sm.run_to(20);
  sm.write_back.accept(mad.record, 20);
  EXPECT_EQ(sm.calendar.next(20), 33U);
}

TEST(WriteBack, results_of_one_bank_take_its_port_one_after_the_other) {
  Pipeline sm;
  Mad from_unit, from_memory;
  from_memory.record.results = 1;  // pending since the load left
  sm.run_to(28);
  sm.write_back.accept_from_memory(from_memory.record, 28);
  sm.run_to(29);
  from_unit.timing.register_latency = 1;
  sm.write_back.accept(from_unit.record, 29);
  sm.run_to(30);
  EXPECT_EQ(from_memory.record.results, 0U);
  EXPECT_EQ(from_unit.record.results, 1U);
  EXPECT_EQ(sm.calendar.next(30), 31U);
}

}  // namespace
}  // namespace teslasim::testing
