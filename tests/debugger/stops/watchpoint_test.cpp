// SPDX-License-Identifier: Apache-2.0
// Which stores meet a watched word, and what they make of it.
#include "sim/debugger/stops/watchpoint.h"

#include <gtest/gtest.h>

#include <cstring>

#include "memory/image/device_memory.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {
namespace {

struct Store {
  DeviceMemory memory;
  Address buffer = memory.allocate("out", "u32", 256);
  Instruction instruction;
  MemoryAccess access;
  WarpInst record;

  Store() {
    instruction.opcode = Opcode::store_global;
    access.kind = MemoryAccess::Kind::store;
    access.lanes = 0xf;
    for (unsigned lane = 0; lane < 4; ++lane) {
      access.address[lane] = buffer + 4 * lane;
      access.data[0][lane] = 100 + lane;
    }
    record.instruction = &instruction;
    record.memory = &access;
    const std::uint32_t before = 7;
    std::memcpy(memory.at(buffer + 8), &before, 4);
  }
  [[nodiscard]] std::optional<WordWrite> at(Address address) const {
    return Watchpoint(1, false, address, 0, "g").write_of(record, memory);
  }
};

TEST(Watchpoint, meets_the_lane_that_writes_its_word) {
  const Store store;
  const std::optional<WordWrite> write = store.at(store.buffer + 8);
  ASSERT_TRUE(write.has_value());
  EXPECT_EQ(write->lanes, 4U);
  EXPECT_EQ(write->old_value, 7U);
  EXPECT_EQ(write->new_value, 102U);
  EXPECT_FALSE(store.at(store.buffer + 16).has_value()) << "lane 4 does not run";
}

TEST(Watchpoint, of_several_lanes_the_highest_wins) {
  Store store;
  for (unsigned lane = 0; lane < 4; ++lane) store.access.address[lane] = store.buffer + 8;
  EXPECT_EQ(store.at(store.buffer + 8)->lanes, 0xfU);
  EXPECT_EQ(store.at(store.buffer + 8)->new_value, 103U);
}

TEST(Watchpoint, takes_the_bytes_that_lie_in_its_word) {
  Store store;
  store.access.bytes = 1;
  store.access.lanes = 1;
  store.access.address[0] = store.buffer + 9;
  store.access.data[0][0] = 0xffffff12;
  EXPECT_EQ(store.at(store.buffer + 8)->new_value, 0x1207U);
  store.access.bytes = 8;
  store.access.address[0] = store.buffer + 8;
  store.access.data[1][0] = 0x55;
  EXPECT_EQ(store.at(store.buffer + 12)->new_value, 0x55U);
}

TEST(Watchpoint, of_an_atomic_access_has_operation_and_operand) {
  Store store;
  store.instruction.opcode = Opcode::red;
  store.instruction.atomic().operation = AtomicOperation::add;
  store.access.kind = MemoryAccess::Kind::reduction;
  for (unsigned lane = 0; lane < 4; ++lane) store.access.address[lane] = store.buffer + 8;
  const std::optional<WordWrite> write = store.at(store.buffer + 8);
  ASSERT_TRUE(write.has_value());
  EXPECT_EQ(write->operation, "add");
  EXPECT_EQ(write->new_value, 103U);
  EXPECT_EQ(write->old_value, 7U);
}

TEST(Watchpoint, does_not_meet_loads) {
  Store store;
  store.access.kind = MemoryAccess::Kind::load;
  EXPECT_FALSE(store.at(store.buffer + 8).has_value());
}

TEST(Watchpoint, in_shared_memory_shows_what_was_there) {
  Store store;
  store.instruction.opcode = Opcode::store_shared;
  store.record.memory = nullptr;
  store.record.shared.lanes = 0x3;
  store.record.shared.uniform = false;
  store.record.shared.address = {};
  store.record.shared.address[1] = 0x20;
  const std::uint32_t now = 9;
  std::uint8_t bytes[4];
  std::memcpy(bytes, &now, 4);
  const Watchpoint watchpoint(1, true, 0x20, 0, "s[0x20]");
  const std::optional<WordWrite> write = watchpoint.write_of(store.record, 3U, bytes);
  ASSERT_TRUE(write.has_value());
  EXPECT_EQ(write->lanes, 2U);
  EXPECT_EQ(write->old_value, 3U);
  EXPECT_EQ(write->new_value, 9U);
  EXPECT_FALSE(Watchpoint(1, true, 0x24, 0, "").write_of(store.record, 3U, bytes).has_value());
}

}  // namespace
}  // namespace teslasim
