// SPDX-License-Identifier: Apache-2.0
// Clocks, ends of runs, and mistakes that the engine must notice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "tests/engine/toy_network.h"

namespace teslasim::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(Period, is_a_whole_number_of_femtoseconds) {
  EXPECT_EQ(period_of_mhz(1296), 771605U);
  EXPECT_EQ(period_of_mhz(1000), 1000000U);
  EXPECT_EQ(period_of_mhz(602), 1661130U);
  EXPECT_THROW((void)period_of_mhz(0), InternalError);
}

TEST(Period, edges_are_multiples_of_it) {
  EXPECT_EQ(edge_at_or_after(0, 771605), 0U);
  EXPECT_EQ(edge_at_or_after(1, 771605), 771605U);
  EXPECT_EQ(edge_at_or_after(771605, 771605), 771605U);
  EXPECT_EQ(edge_at_or_after(never, 771605), never);
}

/// Notes its edges; wants one every `step` edges, `count` of them; may throw, sleep for ever or stop the island.
class EdgeCounter final : public sc_core::sc_module, public Clocked {
 public:
  explicit EdgeCounter(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_port<ClockInterface> clk{"clk"};
  void end_of_elaboration() override { id = clk->subscribe(*this, name()); }
  Femtoseconds advance(Femtoseconds now, Femtoseconds) override {
    if (at_edge) at_edge(now);
    edges.push_back(now);
    return edges.size() < count ? now + step * clk->period() : never;
  }
  std::size_t id = 0, count = 5;
  std::uint64_t step = 1;
  std::vector<Femtoseconds> edges;
  std::function<void(Femtoseconds)> at_edge;
};

struct CounterChip {
  explicit CounterChip(unsigned look_ahead) : island("island", fast, {&slow}, look_ahead) {
    ahead.clk(fast);
    other.clk(slow);
  }
  RunResult run(RunRequest request = {}) {
    Simulation::begin_launch(island);
    ahead.edges.clear();
    other.edges.clear();
    if (!request.work_left) request.work_left = [] { return false; };
    return Simulation::run(island, request);
  }
  SystemCContext context;
  ClockDomain fast{"fast", 1000}, slow{"slow", 1700};
  EdgeCounter ahead{"ahead"}, other{"other"};
  Island island;
};

TEST(ClockDomain, edges_do_not_drift_over_a_million_cycles) {
  CounterChip chip(8);
  chip.other.count = 1000;
  chip.other.step = 1000;
  chip.run();
  ASSERT_EQ(chip.other.edges.size(), 1000U);
  for (std::size_t i = 0; i < chip.other.edges.size(); ++i) ASSERT_EQ(chip.other.edges[i], i * 1000 * 1700);
}

TEST(ClockDomain, a_wake_between_edges_means_the_next_edge) {
  CounterChip chip(8);
  chip.other.at_edge = [&](Femtoseconds now) {
    if (now == 1700) chip.fast.wake(chip.ahead.id, 8001);
  };
  chip.ahead.count = 1;
  chip.run();
  EXPECT_EQ(chip.ahead.edges, (std::vector<Femtoseconds>{0, 9000}));
}

TEST(ClockDomain, waking_a_unit_for_what_has_been_run_is_an_error) {
  CounterChip chip(8);  // horizon of the first quantum: 8000 fs
  chip.other.at_edge = [&](Femtoseconds now) {
    if (now == 1700) chip.fast.wake(chip.ahead.id, 7999);
  };
  try {
    chip.run();
    FAIL() << "a message into the past was accepted";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("ahead was woken for 7999 fs"));
    EXPECT_THAT(error.what(), HasSubstr("run to 8000 fs"));
  }
}

TEST(ClockDomain, the_same_wake_is_fine_with_a_shorter_look_ahead) {
  for (const unsigned look_ahead : {0U, 1U, 4U}) {
    CounterChip chip(look_ahead);
    chip.ahead.count = 1;
    chip.other.at_edge = [&](Femtoseconds now) {
      if (now == 1700) chip.fast.wake(chip.ahead.id, 7999);
    };
    EXPECT_NO_THROW(chip.run());
    EXPECT_EQ(chip.ahead.edges.back(), 8000U);
  }
}

TEST(Island, the_longest_look_ahead_is_the_shortest_link_in_whole_cycles) {
  EXPECT_EQ(Island::longest_look_ahead(40'000'000, 1'543'210), 25U);
  EXPECT_EQ(Island::longest_look_ahead(999, 1000), 0U);
}

TEST(Island, what_a_unit_throws_comes_out_unchanged_and_a_new_launch_can_begin) {
  CounterChip chip(4);
  struct Oops {};
  chip.other.at_edge = [](Femtoseconds) { throw Oops(); };
  EXPECT_THROW(chip.run(), Oops);
  chip.other.at_edge = nullptr;
  EXPECT_EQ(chip.run().end, RunEnd::finished);
  EXPECT_EQ(chip.other.edges.size(), 5U);
}

TEST(Island, stop_after_runs_the_edges_of_the_window_of_256_cycles_and_no_later_ones) {
  for (const unsigned look_ahead : {0U, 1U, 8U}) {
    CounterChip chip(look_ahead);
    chip.ahead.count = 1;
    chip.other.count = 200;
    chip.other.at_edge = [&](Femtoseconds now) {
      if (now == 5100) chip.island.stop_after(now);
    };
    const RunResult result = chip.run();
    EXPECT_EQ(result.end, RunEnd::finished);
    EXPECT_EQ(result.now, 256'000U);
    EXPECT_EQ(chip.other.edges.back(), 255'000U);
  }
}

TEST(Island, a_long_sleep_costs_one_activation) {
  CounterChip chip(8);
  chip.ahead.count = chip.other.count = 2;
  chip.ahead.step = chip.other.step = 1'000'000'000;
  chip.run();
  EXPECT_LE(chip.island.activations(), 4U);
}

TEST(Run, stops_before_the_first_edge_at_its_limit) {
  for (const unsigned look_ahead : {0U, 1U, 8U}) {
    CounterChip chip(look_ahead);
    chip.ahead.count = chip.other.count = 100;
    const RunResult result = chip.run({.limit = 5100});
    EXPECT_EQ(result.end, RunEnd::limit);
    EXPECT_EQ(result.now, 5100U);
    EXPECT_EQ(chip.ahead.edges.back(), 5000U);
    EXPECT_EQ(chip.other.edges.back(), 3400U);
  }
}

TEST(Run, can_be_interrupted_by_the_host) {
  CounterChip chip(1);
  chip.ahead.count = chip.other.count = 1'000'000;
  unsigned looks = 0;
  RunRequest request;
  request.watcher = [&](Femtoseconds) { return ++looks == 3 ? Island::Wish::stop : Island::Wish::go_on; };
  EXPECT_EQ(chip.run(request).end, RunEnd::interrupted);
  EXPECT_EQ(looks, 3U);
  EXPECT_LT(chip.ahead.edges.size(), 1'000'000U);
}

TEST(Run, halts_where_a_stretch_ends_and_ends_when_no_further_one_is_wanted) {
  for (const unsigned look_ahead : {0U, 1U, 8U}) {
    CounterChip chip(look_ahead);
    chip.ahead.count = chip.other.count = 100;
    std::vector<std::size_t> edges;
    RunRequest request;
    request.stretch = [&]() -> std::optional<Femtoseconds> {
      edges.push_back(chip.ahead.edges.size());
      if (edges.size() == 4) return std::nullopt;
      return edges.size() * 3000;
    };
    const RunResult result = chip.run(request);
    EXPECT_EQ(result.end, RunEnd::interrupted);
    EXPECT_EQ(result.now, 9000U);
    EXPECT_EQ(edges, (std::vector<std::size_t>{0, 3, 6, 9})) << "an edge each 1000 fs";
  }
}

TEST(Run, a_stop_comes_at_the_end_of_its_window_whatever_the_stretches) {
  for (const std::uint64_t step : {std::uint64_t{1000}, std::uint64_t{70'000}, std::uint64_t{never}}) {
    CounterChip chip(8);
    chip.ahead.count = chip.other.count = 1'000'000;
    Femtoseconds next = 0;
    RunRequest request;
    request.stretch = [&]() -> std::optional<Femtoseconds> {
      if (chip.island.now() >= 5000) chip.island.stop_after(5000);
      next = step == never ? Femtoseconds{next == 0 ? 5000 : never} : chip.island.now() + step;
      return next;
    };
    const RunResult result = chip.run(request);
    EXPECT_EQ(result.end, RunEnd::finished);
    EXPECT_EQ(result.now, 256'000U);
  }
}

TEST(Run, a_dead_end_names_who_holds_what) {
  const SystemCContext context;
  ToyNetwork network({}, {.look_ahead = 4});
  network.servers[1]->mute = true;
  const RunResult result = network.launch();
  EXPECT_EQ(result.end, RunEnd::dead_end);
  EXPECT_THAT(result.pending, Contains(HasSubstr("server1: 3 requests from arbiter 0")));
  EXPECT_THAT(result.pending, Contains(HasSubstr("processor0: waits for")));
  EXPECT_THAT(result.pending, ::testing::Not(Contains(HasSubstr("server0"))));
}

TEST(Run, a_live_lock_is_found_at_the_same_time_for_every_look_ahead) {
  for (const unsigned look_ahead : {0U, 1U, 8U}) {
    CounterChip chip(look_ahead);
    chip.ahead.count = chip.other.count = 1'000'000;  // always busy, never getting anywhere after 12345 fs
    const RunResult result = chip.run(
        {.stuck_after = 50'000, .last_progress = [&] { return std::min<Femtoseconds>(chip.island.now(), 12'345); }});
    EXPECT_EQ(result.end, RunEnd::live_lock);
    EXPECT_EQ(result.now, 62'345U);
  }
}

TEST(SystemC, warnings_are_errors) {
  const SystemCContext context;
  EXPECT_THROW(SC_REPORT_WARNING("teslasim", "something odd"), InternalError);
  EXPECT_NO_THROW(SC_REPORT_INFO("teslasim", "nothing odd"));
}

TEST(Inbox, gives_messages_when_their_time_has_come) {
  Inbox<ToyMessage> inbox(3);
  EXPECT_EQ(inbox.next_time(), never);
  inbox.push({10, 0, 1});
  inbox.push({10, 0, 2});
  inbox.push({12, 0, 3});
  EXPECT_FALSE(inbox.ready(9));
  EXPECT_TRUE(inbox.ready(10));
  EXPECT_THROW(inbox.push({13, 0, 4}), InternalError) << "three places only";
  inbox.pop();
  EXPECT_EQ(inbox.front().value, 2U);
  EXPECT_THROW(inbox.push({11, 0, 4}), InternalError) << "12 was there before";
  inbox.push({13, 0, 4});
  inbox.pop();
  inbox.pop();
  EXPECT_EQ(inbox.front().value, 4U);
}

TEST(Credits, come_back_at_their_time) {
  Credits credits(2);
  ASSERT_TRUE(credits.available(0));
  credits.take();
  credits.take();
  EXPECT_FALSE(credits.available(0));
  EXPECT_EQ(credits.in_use(), 2U);
  credits.give_back(100);
  EXPECT_EQ(credits.in_use(), 1U);
  EXPECT_EQ(credits.next_return(), 100U);
  EXPECT_FALSE(credits.available(99));
  EXPECT_TRUE(credits.available(100));
  EXPECT_THROW(credits.give_back(99), InternalError) << "100 was there before";
  credits.give_back(120);
  EXPECT_EQ(credits.in_use(), 0U);
  EXPECT_THROW(credits.give_back(130), InternalError) << "two places only";
  credits.take();
  EXPECT_EQ(credits.next_return(), 120U);
  credits.take();
  EXPECT_EQ(credits.next_return(), never);
  credits.reset();
  EXPECT_TRUE(credits.available(0));
}

}  // namespace
}  // namespace teslasim::testing
