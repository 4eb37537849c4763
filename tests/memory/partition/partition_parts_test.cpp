// SPDX-License-Identifier: Apache-2.0
// The parts of a memory partition: the queue that keeps replies in order, and the ROP unit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "memory/image/memory_access.h"
#include "memory/partition/reply_queue.h"
#include "memory/partition/rop_unit.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;

MemoryTransaction tagged(std::uint16_t tag) {
  MemoryTransaction transaction;
  transaction.tag = tag;
  return transaction;
}

TEST(ReplyQueue, by_arrival_replies_wait_for_those_before_them) {
  ReplyQueue queue(true, 4);
  std::vector<std::pair<unsigned, Femtoseconds>> left;
  const auto leave = [&left](const MemoryTransaction& t, Femtoseconds when) {
    left.emplace_back(t.tag, when);
    return when + 4;
  };
  const std::uint32_t first = queue.open(), second = queue.open();
  queue.complete(second, tagged(2), 10, leave);
  EXPECT_TRUE(left.empty());
  queue.complete(first, tagged(1), 30, leave);
  EXPECT_THAT(left, ElementsAre(std::pair{1U, Femtoseconds{30}}, std::pair{2U, Femtoseconds{34}})) << "one port";
}

TEST(ReplyQueue, by_service_they_leave_as_served_but_never_back_in_time) {
  ReplyQueue queue(false, 4);
  std::vector<std::pair<unsigned, Femtoseconds>> left;
  const auto leave = [&left](const MemoryTransaction& t, Femtoseconds when) {
    left.emplace_back(t.tag, when);
    return when;
  };
  const std::uint32_t first = queue.open(), second = queue.open();
  queue.complete(second, tagged(2), 40, leave);
  queue.complete(first, tagged(1), 30, leave);
  EXPECT_THAT(left, ElementsAre(std::pair{2U, Femtoseconds{40}}, std::pair{1U, Femtoseconds{40}}));
}

TEST(RopUnit, different_addresses_at_its_rate_and_one_address_one_after_the_other) {
  RopUnit rop({.atomics_per_cycle = 4, .same_address_cycles = 7});
  MemoryAccess access;
  for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = lane * 4;
  EXPECT_EQ(rop.operate(access, 0xffff, 100), 107U) << "each address once: four cycles by rate, seven by address";
  access.address[3] = access.address[5];
  access.address[9] = access.address[5];
  EXPECT_EQ(most_on_one_address(access, 0xffff), 3U);
  EXPECT_EQ(rop.operate(access, 0xffff, 100), 107U + 3 * 7) << "busy until 107";
  EXPECT_EQ(rop.operations(), 32U);
  EXPECT_EQ(rop.busy_cycles(), 7U + 3 * 7);
}

}  // namespace
}  // namespace teslasim
