// SPDX-License-Identifier: Apache-2.0
// Loads that saw values of the same launch are found, and what hangs on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "sim/trace/launch_order.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Kernel kernel_of(std::size_t instructions) {
  Kernel kernel;
  kernel.registers = 8;
  kernel.code.resize(instructions);
  for (std::uint32_t i = 0; i < instructions; ++i) kernel.code[i].pc = 8 * i;
  finish_kernel(kernel);
  return kernel;
}

MemoryAccess access(MemoryAccess::Kind kind, std::uint32_t address, LaneMask lanes = 1) {
  MemoryAccess access;
  access.kind = kind;
  access.lanes = lanes;
  access.address.fill(address);
  return access;
}

constexpr auto load = MemoryAccess::Kind::load, store = MemoryAccess::Kind::store, atomic = MemoryAccess::Kind::atomic;

TEST(LaunchOrder, tells_other_blocks_from_other_warps_and_from_the_warp_itself) {
  LaunchOrder order;
  order.begin(0, kernel_of(3), 4);
  order.look(0, access(store, 0x1000), 1, 2);
  order.look(1, access(load, 0x1000), 1, 2);  // its own
  order.look(1, access(load, 0x1000), 1, 3);
  order.look(1, access(load, 0x1000), 2, 2);
  order.look(1, access(load, 0x1004), 2, 2);  // nobody wrote it
  EXPECT_THAT(order.ordered_loads(), ElementsAre(ElementsAre(OrderedLoad{1, 1, 1})));
}

TEST(LaunchOrder, an_atomic_reads_and_writes) {
  LaunchOrder order;
  order.begin(0, kernel_of(3), 1);
  order.look(2, access(atomic, 0x1000), 0, 0);
  order.look(2, access(atomic, 0x1000), 1, 0);
  EXPECT_THAT(order.ordered_loads(), ElementsAre(ElementsAre(OrderedLoad{2, 0, 1})));
}

TEST(LaunchOrder, wide_accesses_cover_all_their_words) {
  LaunchOrder order;
  order.begin(0, kernel_of(2), 1);
  MemoryAccess wide = access(store, 0x1000);
  wide.bytes = 16;
  order.look(0, wide, 0, 0);
  order.look(1, access(load, 0x100c), 1, 0);
  order.look(1, access(load, 0x1010), 1, 0);
  EXPECT_THAT(order.ordered_loads(), ElementsAre(ElementsAre(OrderedLoad{1, 0, 1})));
}

TEST(LaunchOrder, bytes_of_one_word_count_as_one) {
  LaunchOrder order;
  order.begin(0, kernel_of(4), 1);
  MemoryAccess byte = access(store, 0x1002);
  byte.bytes = 1;
  order.look(0, byte, 0, 0);
  constexpr std::array<std::uint32_t, 3> read{0x1000, 0x1003, 0x1004};  // the last one lies behind the word
  for (std::uint32_t i = 0; i < read.size(); ++i) {
    MemoryAccess other = access(load, read[i]);
    other.bytes = 1;
    order.look(1 + i, other, 1, 0);
  }
  EXPECT_THAT(order.ordered_loads(), ElementsAre(ElementsAre(OrderedLoad{1, 0, 1}, OrderedLoad{2, 0, 1})));
}

TEST(LaunchOrder, sees_each_lane_of_a_store_whether_in_a_row_or_scattered) {
  for (const std::uint32_t stride : {4U, 8U, 4000U}) {
    for (const unsigned bytes : {4U, 8U}) {
      LaunchOrder order;
      order.begin(0, kernel_of(2 + warp_size), 1);
      MemoryAccess written = access(store, 0, all_lanes);
      written.bytes = static_cast<std::uint8_t>(bytes);
      for (unsigned lane = 0; lane < warp_size; ++lane) written.address[lane] = 0x10000 + lane * stride;
      order.look(0, written, 0, 0);
      order.look(1, access(load, 0x10000 - 4), 1, 0);
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        order.look(2 + lane, access(load, written.address[lane] + bytes - 4), 1, 0);
      }
      const auto seen = order.ordered_loads();
      ASSERT_EQ(seen.front().size(), warp_size) << "stride " << stride << ", bytes " << bytes;
      EXPECT_EQ(seen.front().front().index, 2U);
    }
  }
}

TEST(LaunchOrder, a_new_launch_forgets) {
  LaunchOrder order;
  order.begin(0, kernel_of(2), 1);
  order.look(0, access(store, 0x1000), 0, 0);
  order.begin(1, kernel_of(2), 1);
  order.look(1, access(load, 0x1000), 1, 0);
  EXPECT_THAT(order.ordered_loads(), ElementsAre(IsEmpty(), IsEmpty()));
}

Operand gpr(std::uint8_t index, Operand::Kind kind = Operand::Kind::gpr) {
  Operand operand;
  operand.kind = kind;
  operand.index = index;
  return operand;
}

/// $r1 = g[$r0]; then $r2 = $r1 through shared memory.
Kernel loading_kernel() {
  Kernel kernel = kernel_of(5);
  kernel.code[0].opcode = Opcode::load_global;
  kernel.code[0].destination[0] = gpr(1);
  kernel.code[0].source[0] = gpr(0, Operand::Kind::global);
  kernel.code[1].opcode = Opcode::store_shared;
  kernel.code[1].store_target = gpr(0, Operand::Kind::shared);
  kernel.code[1].source[0] = gpr(1);
  kernel.code[2].opcode = Opcode::load_shared;
  kernel.code[2].destination[0] = gpr(2);
  kernel.code[2].source[0] = gpr(0, Operand::Kind::shared);
  return kernel;
}

TEST(OrderDependence, values_that_only_end_up_in_memory_do_no_harm) {
  Kernel kernel = loading_kernel();
  kernel.code[3].opcode = Opcode::store_global;
  kernel.code[3].store_target = gpr(0, Operand::Kind::global);
  kernel.code[3].source[0] = gpr(2);
  finish_kernel(kernel);
  EXPECT_FALSE(order_dependence(kernel, {{0, 0, 1}}).any());
}

TEST(OrderDependence, an_address_made_of_such_a_value_is_found_through_shared_memory) {
  Kernel kernel = loading_kernel();
  kernel.code[3].opcode = Opcode::store_global;
  kernel.code[3].store_target = gpr(2, Operand::Kind::global);
  kernel.code[3].source[0] = gpr(0);
  finish_kernel(kernel);
  EXPECT_TRUE(order_dependence(kernel, {{0, 0, 1}}).addresses);
  EXPECT_FALSE(order_dependence(kernel, {}).any()) << "no load saw a value of the launch";
}

TEST(OrderDependence, a_guard_made_of_such_a_value_is_found) {
  Kernel kernel = loading_kernel();
  kernel.code[3].opcode = Opcode::set;
  kernel.code[3].destination[0] = gpr(0, Operand::Kind::discard);
  kernel.code[3].source[0] = gpr(2);
  kernel.code[3].source[1] = gpr(0);
  kernel.code[3].flag_destination = 1;
  kernel.code[4].opcode = Opcode::bra;
  kernel.code[4].condition = 2;
  kernel.code[4].guard_flags = 1;
  finish_kernel(kernel);
  EXPECT_TRUE(order_dependence(kernel, {{0, 0, 1}}).path);
}

TEST(OrderDependence, the_clock_is_such_a_value) {
  Kernel kernel = kernel_of(2);
  kernel.code[0].opcode = Opcode::mov_from_special;
  kernel.code[0].destination[0] = gpr(1);
  kernel.code[0].source[0] = gpr(1, Operand::Kind::special);
  kernel.code[1].opcode = Opcode::load_global;
  kernel.code[1].destination[0] = gpr(2);
  kernel.code[1].source[0] = gpr(1, Operand::Kind::global);
  finish_kernel(kernel);
  EXPECT_TRUE(order_dependence(kernel, {}).addresses);
  EXPECT_TRUE(order_dependence(kernel, {}).reads_clock);
}

}  // namespace
}  // namespace teslasim
