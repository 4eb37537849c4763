// SPDX-License-Identifier: Apache-2.0
// The laws of the time engine: what must not change the result of a simulation.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/diagnostic.h"
#include "tests/engine/toy_network.h"

namespace teslasim::testing {
namespace {

/// A chip with random sizes, periods and latencies; the response path allows for a look-ahead of 8.
ToySpec any_spec() {
  ToySpec spec;
  spec.seed = *rc::gen::inRange(1U, 1000000U);
  spec.processors = *rc::gen::inRange(1U, 7U);
  spec.arbiters = *rc::gen::inRange(1U, 4U);
  spec.servers = *rc::gen::inRange(1U, 4U);
  for (auto& period : spec.period) period = *rc::gen::inRange<std::uint64_t>(300, 3000);
  spec.request = *rc::gen::inRange<std::uint64_t>(1, 9000);
  spec.arbiter_to_server = *rc::gen::inRange<std::uint64_t>(1, 9000);
  spec.response = 8 * spec.period[0] + *rc::gen::inRange<std::uint64_t>(0, 9000);
  spec.queue = *rc::gen::inRange(1U, 6U);
  spec.messages = *rc::gen::inRange(1U, 60U);
  return spec;
}

std::uint64_t reference(const ToySpec& spec) {
  return toy_digest(spec, {});
}

RC_GTEST_PROP(EngineLaw, look_ahead_changes_nothing, ()) {
  const ToySpec spec = any_spec();
  const unsigned look_ahead = *rc::gen::element(1U, 4U, 8U);
  RC_ASSERT(toy_digest(spec, {.look_ahead = look_ahead}) == reference(spec));
}

RC_GTEST_PROP(EngineLaw, going_on_beyond_the_quantum_changes_nothing, ()) {
  const ToySpec spec = any_spec();
  const unsigned look_ahead = *rc::gen::element(0U, 1U, 4U, 8U);
  RC_ASSERT(toy_digest(spec, {.look_ahead = look_ahead, .go_on = true}) == reference(spec));
}

RC_GTEST_PROP(EngineLaw, construction_order_changes_nothing, ()) {
  const ToySpec spec = any_spec();
  const unsigned look_ahead = *rc::gen::element(0U, 1U, 4U, 8U);
  const unsigned order = *rc::gen::inRange(1U, 1000U);
  RC_ASSERT(toy_digest(spec, {.look_ahead = look_ahead, .construction_seed = order}) == reference(spec));
}

RC_GTEST_PROP(EngineLaw, sleeping_changes_nothing, ()) {
  const ToySpec spec = any_spec();
  const unsigned look_ahead = *rc::gen::element(0U, 1U, 4U, 8U);
  RC_ASSERT(toy_digest(spec, {.look_ahead = look_ahead, .sleeping = Sleeping::off}) == reference(spec));
}

RC_GTEST_PROP(EngineLaw, the_same_twice_in_a_row, ()) {
  const ToySpec spec = any_spec();
  const SystemCContext context;
  ToyNetwork network(spec, {.look_ahead = *rc::gen::element(0U, 1U, 4U, 8U)});
  network.launch();
  const std::uint64_t once = network.digest();
  // Local time restarts at 0: a second launch must see the same clock phases as the first.
  network.launch();
  RC_ASSERT(network.digest() == once);
}

RC_GTEST_PROP(EngineLaw, a_limit_cuts_at_the_same_edge_for_every_look_ahead, ()) {
  const ToySpec spec = any_spec();
  const RunRequest cut{.limit = *rc::gen::inRange<std::uint64_t>(1, 400'000)};
  const auto digest_at_cut = [&](const ToyOptions& options) {
    const SystemCContext context;
    ToyNetwork network(spec, options);
    network.launch(cut);
    return network.digest();
  };
  const ToyOptions ahead{.look_ahead = *rc::gen::element(1U, 4U, 8U), .go_on = *rc::gen::arbitrary<bool>()};
  RC_ASSERT(digest_at_cut(ahead) == digest_at_cut({}));
}

RC_GTEST_PROP(EngineLaw, stretches_change_nothing, ()) {
  const ToySpec spec = any_spec();
  const ToyOptions options{.look_ahead = *rc::gen::element(0U, 1U, 4U, 8U), .go_on = *rc::gen::arbitrary<bool>()};
  const std::uint64_t step = *rc::gen::inRange<std::uint64_t>(500, 50'000);
  const RunRequest whole{.limit = *rc::gen::element<std::uint64_t>(200'000, never)};
  const auto outcome = [&](const RunRequest& request) {
    const SystemCContext context;
    ToyNetwork network(spec, options);
    const RunResult result = network.launch(request);
    return std::tuple(network.digest(), result.end, result.end == RunEnd::limit ? result.now : Femtoseconds{0});
  };
  RunRequest parts = whole;
  std::uint64_t stretches = 0;
  parts.stretch = [&] { return std::optional<Femtoseconds>(++stretches * step); };
  RC_ASSERT(outcome(parts) == outcome(whole));
  RC_CLASSIFY(stretches > 10U);
}

/// ... whose links between regions allow for it too.
ToySpec any_spec_in_regions() {
  ToySpec spec = any_spec();
  spec.arbiter_to_server += 8 * spec.period[0];
  return spec;
}

RC_GTEST_PROP(EngineLaw, threads_change_nothing, ()) {
  const ToySpec spec = any_spec_in_regions();
  ToyOptions options{.look_ahead = *rc::gen::element(1U, 4U, 8U)};
  options.sleeping = *rc::gen::element(Sleeping::on, Sleeping::off);
  options.construction_seed = *rc::gen::inRange(0U, 1000U);
  options.launches = 2;
  options.go_on = *rc::gen::arbitrary<bool>();
  options.threads = *rc::gen::element(1U, 2U, 3U, 5U);
  RC_ASSERT(toy_digest(spec, options) == toy_digest(spec, {.launches = 2}));
}

RC_GTEST_PROP(EngineLaw, regions_in_the_order_of_time_change_nothing, ()) {
  const ToySpec spec = any_spec_in_regions();
  const SystemCContext context;
  ToyNetwork network(spec, {.look_ahead = *rc::gen::element(1U, 4U, 8U), .go_on = true, .threads = 2});
  std::uint64_t hash = 0;
  for (const Island::Order order : {Island::Order::of_time, Island::Order::regions_at_once, Island::Order::of_time}) {
    network.island->set_order(order);
    network.launch();
    hash = mix(hash, network.digest());
  }
  RC_ASSERT(hash == toy_digest(spec, {.launches = 3}));
}

RC_GTEST_PROP(EngineLaw, a_limit_cuts_at_the_same_edge_for_any_threads, ()) {
  const ToySpec spec = any_spec_in_regions();
  const RunRequest cut{.limit = *rc::gen::inRange<std::uint64_t>(1, 400'000)};
  const auto digest_at_cut = [&](const ToyOptions& options) {
    const SystemCContext context;
    ToyNetwork network(spec, options);
    network.launch(cut);
    return network.digest();
  };
  const ToyOptions ahead{
      .look_ahead = 8, .go_on = *rc::gen::arbitrary<bool>(), .threads = *rc::gen::element(1U, 2U, 4U)};
  RC_ASSERT(digest_at_cut(ahead) == digest_at_cut({}));
}

std::uint64_t activations(ToyNetwork& network, Island::Order order) {
  network.island->set_order(order);
  const std::uint64_t before = network.island->activations();
  network.launch();
  return network.island->activations() - before;
}

TEST(EngineLaw, a_unit_that_waits_for_nothing_goes_on_to_the_end_of_the_window) {
  ToySpec spec;
  spec.processors = spec.arbiters = spec.servers = 1;
  spec.messages = 300;
  const auto activations_with = [&](bool go_on) {
    const SystemCContext context;
    ToyNetwork network(spec, {.look_ahead = 8, .go_on = go_on});
    network.launch();
    return network.island->activations();
  };
  EXPECT_LT(activations_with(true), activations_with(false));
}

TEST(EngineLaw, threads_meet_behind_sixteen_quanta_while_most_regions_work) {
  ToySpec spec;
  spec.processors = 9;
  spec.arbiters = spec.servers = 3;
  spec.arbiter_to_server = spec.response;
  spec.messages = 400;
  const SystemCContext context;
  ToyNetwork network(spec, {.look_ahead = 8, .threads = 2});
  const std::uint64_t common = activations(network, Island::Order::of_time);
  EXPECT_LT(8 * activations(network, Island::Order::regions_at_once), common);
}

TEST(EngineLaw, quanta_are_twice_as_long_while_only_regions_that_run_ahead_work) {
  ToySpec spec;
  spec.arbiter_to_server = spec.response = 100'000;  // servers are idle for most of the time
  const SystemCContext context;
  ToyNetwork network(spec, {.look_ahead = 8, .threads = 2});
  const std::uint64_t common = activations(network, Island::Order::of_time);
  EXPECT_LT(activations(network, Island::Order::regions_at_once), common);
}

TEST(EngineLaw, what_a_unit_throws_comes_out_of_any_thread) {
  ToySpec spec;
  spec.arbiter_to_server = 2000;  // two cycles of the processors: mail would come too late
  const SystemCContext context;
  ToyNetwork network(spec, {.look_ahead = 8, .threads = 2});
  EXPECT_THROW(network.launch(), InternalError);
}

TEST(EngineLaw, the_digest_sees_other_latencies_and_other_work) {
  // Guards the tests above: a digest that never changes would pass them all.
  ToySpec spec;
  const std::uint64_t before = reference(spec);
  spec.request += spec.period[1];
  EXPECT_NE(reference(spec), before);
  spec = {};
  spec.seed = 2;
  EXPECT_NE(reference(spec), before);
}

}  // namespace
}  // namespace teslasim::testing
