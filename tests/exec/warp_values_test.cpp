// SPDX-License-Identifier: Apache-2.0
// Datasheet of what onlookers see of registers, flags and shared memory behind an instruction.
#include "sim/exec/warp_values.h"

#include <map>

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

TEST(WarpValues, are_those_behind_the_instruction) {
  Program program(
      "mul24.lo.u32.u16.u16 $r3, $r1.lo, $r1.lo\n"
      "movsh.b32 $ofs2, $r1, 2\n"
      "mov.b32 s[$ofs2+data], $r3\n"
      "sub.s32 $p1|$r4, $r1, $r5\n"
      "mov.u32 g[$r2], $r3\nreturn\n",
      ".shared data, 128");
  unsigned seen = 0;
  program.onlooker = [&](const WarpInst& record, const WarpValues& values) {
    ASSERT_TRUE(values.known());
    if (record.instruction->opcode == Opcode::mul) {
      ++seen;
      for (unsigned lane = 0; lane < warp_size; ++lane) EXPECT_EQ(values.general(3)[lane], lane * lane);
    }
    if (record.instruction->opcode == Opcode::store_shared) {
      ++seen;
      EXPECT_EQ(values.address(2)[31], 31U * 4);
      std::uint32_t word = 0;
      std::memcpy(&word, values.shared + record.shared.address[7], 4);
      EXPECT_EQ(word, 49U);
    }
    if (record.instruction->opcode == Opcode::store_global) {
      ++seen;
      EXPECT_EQ(values.flags[1].zero, 1U) << "only lane 0 is 0";
      EXPECT_EQ(values.flags[0], FlagPlanes{});
    }
  };
  program.run();
  EXPECT_EQ(seen, 3U);
}

TEST(WarpValues, of_a_block_are_gone_with_it) {
  Program program("mov.b32 $r3, 7\nmov.u32 g[$r2], $r3\nreturn\n");
  program.grid(2);
  std::map<std::size_t, std::uint32_t> before;
  program.onlooker = [&](const WarpInst& record, const WarpValues& values) {
    if (record.instruction->index == 0) before.emplace(program.issued.size(), values.general(3)[0]);
  };
  program.run();
  ASSERT_EQ(before.size(), 2U);
  for (const auto& [when, value] : before) EXPECT_EQ(value, 0U) << when;
}

}  // namespace
}  // namespace teslasim::exec_test
