// SPDX-License-Identifier: Apache-2.0
// The unit that addresses shared and constant memory, alone: one warp, no instruction around it.
#include "sim/exec/on_chip_memory.h"

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

constexpr LaneMask even_lanes = 0x55555555U;

/// A warp whose $a1 is set by hand.
struct OnChip {
  Program program{"mov.b32 $r3, s[$ofs1]\nreturn"};
  ExecutionContext context{program.launch, {}};
  ResidentWarps warps{context};
  OnChipMemory memory{context};
  OnChipAccess access;

  OnChip() { warps.start_block(0, 0, 0); }
  ResidentWarp& warp() { return warps[0]; }
  std::uint32_t* address_register() { return warp().rows + (context.registers + 1) * warp_size; }
  static Operand operand(std::int32_t offset, std::uint8_t address_register = 1) {
    Operand operand;
    operand.kind = Operand::Kind::shared;
    operand.type = ValueType::u32;
    operand.offset = offset;
    operand.address_register = address_register;
    return operand;
  }
  const Operation& operation() { return context.table.operations[3]; }
};

TEST(OnChipMemoryUnit, without_an_address_register_all_lanes_have_one_address) {
  OnChip on_chip;
  const auto summary = on_chip.memory.fill_addresses(on_chip.warp(), OnChip::operand(20, 0), all_lanes, on_chip.access);
  EXPECT_TRUE(on_chip.access.uniform);
  EXPECT_EQ(on_chip.access.address[0], 20U);
  EXPECT_EQ(summary.highest, 20);
}

TEST(OnChipMemoryUnit, words_one_after_the_other_are_noticed) {
  OnChip on_chip;
  for (unsigned lane = 0; lane < warp_size; ++lane) on_chip.address_register()[lane] = 4 * lane;
  const auto summary = on_chip.memory.fill_addresses(on_chip.warp(), OnChip::operand(16), all_lanes, on_chip.access);
  EXPECT_TRUE(summary.consecutive);
  EXPECT_FALSE(on_chip.access.uniform);
  EXPECT_EQ(on_chip.access.address[31], 16U + 4 * 31);
  EXPECT_EQ(summary.highest, 16 + 4 * 31);
}

TEST(OnChipMemoryUnit, lanes_that_do_not_execute_have_the_address_of_one_that_does) {
  OnChip on_chip;
  for (unsigned lane = 0; lane < warp_size; ++lane) on_chip.address_register()[lane] = lane % 2 == 0 ? 8 : 0xfff0;
  (void)on_chip.memory.fill_addresses(on_chip.warp(), OnChip::operand(0), even_lanes, on_chip.access);
  EXPECT_TRUE(on_chip.access.uniform);
  EXPECT_EQ(on_chip.access.address[1], 8U);
}

TEST(OnChipMemoryUnit, addresses_have_16_bits) {
  OnChip on_chip;
  on_chip.address_register()[0] = 0xfffc;
  (void)on_chip.memory.fill_addresses(on_chip.warp(), OnChip::operand(8), LaneMask{1}, on_chip.access);
  EXPECT_EQ(on_chip.access.address[0], 4U);
}

TEST(OnChipMemoryUnit, the_error_names_the_lanes_that_are_outside) {
  OnChip on_chip;
  for (unsigned lane = 0; lane < warp_size; ++lane) on_chip.address_register()[lane] = lane < 30 ? 16 : 0x4000;
  const auto summary = on_chip.memory.fill_addresses(on_chip.warp(), OnChip::operand(0), all_lanes, on_chip.access);
  try {
    on_chip.memory.check(on_chip.warp(), on_chip.operation(), on_chip.access, summary,
                         {"shared", on_chip.context.shared_limit});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    const std::string where = error.diagnostics().front().details.back();
    EXPECT_NE(where.find("lanes 30-31"), std::string::npos) << where;
  }
}

TEST(OnChipMemoryUnit, a_post_increment_steps_the_lanes_that_execute) {
  OnChip on_chip;
  Operand operand = OnChip::operand(12);
  operand.post_increment = true;
  on_chip.memory.post_increment(on_chip.warp(), operand, even_lanes);
  EXPECT_EQ(on_chip.address_register()[0], 12U);
  EXPECT_EQ(on_chip.address_register()[1], 0U);
}

}  // namespace
}  // namespace teslasim::exec_test
