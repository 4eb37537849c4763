// SPDX-License-Identifier: Apache-2.0
// Datasheet of the account of a data bus: each cycle of the launch has one owner.
#include "memory/dram/bus_account.h"

#include <gtest/gtest.h>

#include <numeric>

namespace teslasim {
namespace {

std::uint64_t of(const BusCycles& cycles, BusUse use) {
  return cycles[static_cast<std::size_t>(use)];
}

TEST(BusAccount, CyclesWithoutAnOwnerWereIdle) {
  BusAccount account;
  account.claim(BusUse::row, 6);
  account.claim(BusUse::read, 10);
  const BusCycles cycles = account.closed(15);
  EXPECT_EQ(of(cycles, BusUse::row), 6U);
  EXPECT_EQ(of(cycles, BusUse::read), 4U);
  EXPECT_EQ(of(cycles, BusUse::idle), 5U);
}

TEST(BusAccount, ALaunchMayStopWithinTheDataOfItsLastAccess) {
  BusAccount account;
  account.claim(BusUse::row, 6);
  account.claim(BusUse::read, 10);
  const BusCycles cycles = account.closed(7);
  EXPECT_EQ(of(cycles, BusUse::row), 6U);
  EXPECT_EQ(of(cycles, BusUse::read), 1U);
  EXPECT_EQ(std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}), 7U);
}

}  // namespace
}  // namespace teslasim
