// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_clock.h"

#include <gtest/gtest.h>

namespace teslasim::cudart {
namespace {

constexpr bool overlap = true;
constexpr auto null_stream = DeviceClock::null_stream;

TEST(DeviceClock, work_of_a_stream_runs_in_order_and_the_host_goes_on) {
  DeviceClock clock(overlap);
  EXPECT_EQ(clock.run(null_stream, Engine::kernels, 100).end, 100U);
  EXPECT_EQ(clock.run(null_stream, Engine::copies, 50).start, 100U);
  EXPECT_EQ(clock.now(), 0U);
  clock.wait_for(null_stream);
  EXPECT_EQ(clock.now(), 150U);
}

TEST(DeviceClock, a_copy_and_a_kernel_of_two_streams_overlap) {
  DeviceClock clock(overlap);
  const auto a = clock.create_stream(), b = clock.create_stream();
  EXPECT_EQ(clock.run(a, Engine::kernels, 100).start, 0U);
  EXPECT_EQ(clock.run(b, Engine::copies, 100).start, 0U);
}

TEST(DeviceClock, with_one_engine_they_take_turns) {
  DeviceClock clock(!overlap);
  const auto a = clock.create_stream(), b = clock.create_stream();
  (void)clock.run(a, Engine::kernels, 100);
  EXPECT_EQ(clock.run(b, Engine::copies, 100).start, 100U);
}

TEST(DeviceClock, two_kernels_never_overlap) {
  DeviceClock clock(overlap);
  const auto a = clock.create_stream(), b = clock.create_stream();
  (void)clock.run(a, Engine::kernels, 100);
  EXPECT_EQ(clock.run(b, Engine::kernels, 100).start, 100U);
}

TEST(DeviceClock, the_null_stream_waits_for_all_and_all_for_it) {
  DeviceClock clock(overlap);
  const auto a = clock.create_stream(), b = clock.create_stream();
  (void)clock.run(a, Engine::copies, 100);
  EXPECT_EQ(clock.run(null_stream, Engine::kernels, 10).start, 100U);
  EXPECT_EQ(clock.run(b, Engine::copies, 10).start, 110U);
}

TEST(DeviceClock, a_stream_that_waits_for_an_event_is_held) {
  DeviceClock clock(overlap);
  const auto a = clock.create_stream(), b = clock.create_stream();
  (void)clock.run(a, Engine::kernels, 100);
  clock.hold_until(b, clock.reached(a));
  EXPECT_EQ(clock.run(b, Engine::copies, 10).start, 100U);
}

TEST(DeviceClock, what_is_asked_for_later_begins_no_earlier_than_now) {
  DeviceClock clock(overlap);
  (void)clock.run(null_stream, Engine::kernels, 100);
  clock.wait_for_all();
  const auto late = clock.create_stream();
  EXPECT_EQ(clock.run(late, Engine::copies, 1).start, 100U);
  EXPECT_FALSE(clock.is_done(late));
  clock.wait_for_all();
  EXPECT_TRUE(clock.is_done(late));
}

}  // namespace
}  // namespace teslasim::cudart
