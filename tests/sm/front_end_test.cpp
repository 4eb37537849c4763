// SPDX-License-Identifier: Apache-2.0
// The front end alone: when the instruction in a warp's slot can be considered for issue.
#include "sim/sm/front_end/front_end.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

struct SecondLevel final : LineReceiver {
  void receive_line(unsigned, const LineRequest& request) override { asked.push_back(request); }
  std::vector<LineRequest> asked;
};

/// A front end with a gap of four cycles, a calendar that notes who wakes when, and a kernel of 40 instructions.
struct Bench {
  explicit Bench(unsigned cache_bytes = 0) {
    kernel.code.assign(40, add(0, 1, 2));
    kernel.code.back() = last();
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
      kernel.code[i].index = static_cast<std::uint32_t>(i);
      kernel.code[i].pc = static_cast<std::uint32_t>(8 * i);
    }
    timing = timing_of(kernel, {});
    pcs.resize(kernel.code.size());
    InstructionCacheSpec spec;
    spec.bytes = cache_bytes;
    front_end = std::make_unique<FrontEnd>(spec, 32, 4, pool, calendar, accounting);
    accounting.begin(statistics, pcs);
    accounting.arrive(0, 4, 0, 0);
    front_end->begin({&stream, &timing, &pcs, nullptr, {1, 1, 0, &second_level}, 0});
    stream.start_block(0, 0, 0);
  }
  /// Runs the calendar up to and including cycle `now`.
  void run_to(SmCycle now) {
    for (; at <= now; ++at) {
      calendar.take(at, [this](const SmEvent& event) {
        if (event.kind == SmEvent::Kind::fetch) return front_end->receive(event, at);
        woken.push_back({at, event.record->warp});
      });
    }
  }
  using Wake = std::pair<SmCycle, unsigned>;

  Kernel kernel;
  std::vector<InstructionTiming> timing;
  std::vector<PcStatistics> pcs;
  ScriptedStream stream{kernel, 4};
  SecondLevel second_level;
  SmStatistics statistics;
  RecordPool pool;
  Calendar calendar{200};
  CycleAccounting accounting{32, PipeAccounts{}};
  std::unique_ptr<FrontEnd> front_end;
  std::vector<Wake> woken;
  SmCycle at = 0;
};

TEST(FrontEnd, the_record_of_an_instruction_begins_in_the_queue) {
  Bench sm;
  EXPECT_TRUE(sm.front_end->can_accept(1));
  sm.front_end->start(1);
  EXPECT_FALSE(sm.front_end->can_accept(1)) << "one slot per warp";
  EXPECT_THROW(sm.front_end->accept(1), InternalError);
  const InFlightInstruction& record = sm.front_end->slot(1);
  EXPECT_EQ(record.instruction, &sm.kernel.code[0]);
  EXPECT_EQ(record.timing, &sm.timing[0]);
  EXPECT_EQ(record.counts, &sm.pcs[0]);
  EXPECT_EQ(record.warp, 1U);
  EXPECT_FALSE(record.issued);
}

TEST(FrontEnd, the_slot_is_free_when_its_instruction_has_issued) {
  Bench sm;
  sm.front_end->start(0);
  sm.front_end->slot(0).issued = true;
  EXPECT_TRUE(sm.front_end->can_accept(0));
}

TEST(FrontEnd, an_instruction_wakes_a_gap_after_its_fetch_and_one_is_fetched_per_cycle) {
  Bench sm;
  sm.run_to(10);
  for (unsigned warp = 0; warp < 3; ++warp) {
    sm.front_end->start(warp);
    sm.front_end->fetch(warp, 10, 11, 14);
  }
  sm.run_to(30);
  EXPECT_EQ(sm.woken, (std::vector<Bench::Wake>{{14, 0}, {15, 1}, {16, 2}}));
}

TEST(FrontEnd, the_next_instruction_comes_at_the_distance_asked_for) {
  Bench sm;
  sm.run_to(20);
  sm.front_end->start(0);
  sm.front_end->fetch_next(0, 20, 16);
  sm.run_to(50);
  EXPECT_EQ(sm.woken, (std::vector<Bench::Wake>{{36, 0}}));
}

TEST(FrontEnd, code_that_is_not_there_is_asked_for_and_the_warp_waits) {
  Bench sm(4096);
  sm.run_to(10);
  sm.front_end->start(0);
  sm.front_end->fetch(0, 10, 11, 14);
  sm.run_to(60);
  EXPECT_TRUE(sm.woken.empty());
  ASSERT_EQ(sm.second_level.asked.size(), 1U);
  EXPECT_EQ(sm.second_level.asked[0].when, 12U) << "in the cycle of the fetch, one cycle to the second level";
  EXPECT_EQ(sm.front_end->lines_under_way(), 1U);
  sm.front_end->line_arrived(sm.second_level.asked[0].address, 60);
  sm.run_to(90);
  EXPECT_EQ(sm.woken, (std::vector<Bench::Wake>{{64, 0}}));
  EXPECT_EQ(sm.front_end->statistics().fills, 1U);
}

}  // namespace
}  // namespace teslasim::testing
