// SPDX-License-Identifier: Apache-2.0
// Datasheet of what a block starts with, of registers and their halves, and of on-chip memory.
#include <bit>

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

const std::string store = "\nmov.u32 g[$r2], $r3\nreturn\n";

// out is indexed by the linear thread number, which %physid gives: lane in the low bits, warp above.
const std::string store_thread_number =
    "mov.b32 $r4, %physid\n"
    "and.b32 $r5, $r4, 31\n"
    "shr.u32 $r6, $r4, 8\n"
    "and.b32 $r6, $r6, 255\n"
    "shl.u32 $r6, $r6, 5\n"
    "add.u32 $r5, $r5, $r6\n"
    "shl.u32 $r5, $r5, 2\n"
    "add.u32 $r2, s[out], $r5\n"
    "mov.b32 $r3, $r0" +
    store;

TEST(BlockStart, thread_numbers_are_packed_into_r0) {
  Program program(store_thread_number);
  program.block(5, 4, 3);
  const auto out = program.run();
  for (unsigned thread = 0; thread < 60; ++thread) {
    const unsigned x = thread % 5, y = thread / 5 % 4, z = thread / 20;
    EXPECT_EQ(out[thread], x | y << 16 | z << 26) << thread;
  }
  EXPECT_EQ(out[60], 0U);  // the second warp has 28 threads
  EXPECT_EQ(program.issued.back().active, 0x0fffffffU);
}

TEST(BlockStart, thread_numbers_follow_the_rows_of_the_block) {
  struct Shape {
    unsigned x, y, z;
  };
  for (const auto& [x, y, z] : {Shape{64, 2, 1}, Shape{48, 2, 1}, Shape{32, 1, 3}, Shape{100, 1, 1}}) {
    Program program(store_thread_number);
    program.block(x, y, z);
    const auto out = program.run();
    for (unsigned thread = 0; thread < x * y * z; ++thread) {
      EXPECT_EQ(out[thread], thread % x | thread / x % y << 16 | thread / x / y << 26) << x << ", " << thread;
    }
  }
}

TEST(BlockStart, the_header_holds_sizes_and_coordinates_and_the_rest_is_zero) {
  Program program(
      "mov.u32.u16 $r3, %ctaid.x\n"
      "mov.u32.u16 $r4, %ctaid.y\n"
      "mov.u32.u16 $r5, %nctaid.x\n"
      "mad24.lo.u32 $r6, $r4, $r5, $r3\n"  // linear block number
      "shl.u32 $r6, $r6, 5\n"              // 8 words each
      "add.u32 $r2, s[out], $r6\n"
      "mov.u32.u16 $r7, %nctaid.y\n"
      "mov.b32 $r8, s[0x0]\n"
      "mov.b32 $r9, s[0x4]\n"
      "mov.b32 $r10, s[p]\n"
      "mov.b32 $r11, s[data]\n"
      "mov.u32 g[$r2], $r8\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r9\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r10\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r3\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r4\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r5\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r7\n"
      "add.u32 $r2, $r2, 4\nmov.u32 g[$r2], $r11\n"
      "mov.b32 s[data], $r10\nreturn\n",
      ".shared data, 16");
  program.block(1).grid(3, 2).parameter(0xabcd1234);
  program.launch.block = {1, 1, 1};
  const auto out = program.run();
  for (std::uint32_t block = 0; block < 6; ++block) {
    const std::uint32_t* const words = &out[block * 8];
    EXPECT_EQ(words[0], 1U << 16);       // grid flags 0, ntid.x 1
    EXPECT_EQ(words[1], 1U | 1U << 16);  // ntid.y, ntid.z
    EXPECT_EQ(words[2], 0xabcd1234U);
    EXPECT_EQ(words[3], block % 3);
    EXPECT_EQ(words[4], block / 3);
    EXPECT_EQ(words[5], 3U);
    EXPECT_EQ(words[6], 2U);
    EXPECT_EQ(words[7], 0U);  // not what the block before left there
  }
}

TEST(Registers, beyond_the_allocation_read_zero_and_swallow_writes) {
  Program program(
      "mov.b32 $r20, 5\n"
      "mov.b32 $r3, $r20\n"
      "mov.b16 $r21.lo, $r1.lo\n"
      "mov.b32 $r7, s[out]\n"
      "mov.b64 $r8, g[$r7]\n"  // the second register of the pair does not exist
      "add.u32 $r3, $r3, $r9\n"
      "add.u32 $r3, $r3, 1" +
      store);
  program.kernel().registers = 9;
  finish_kernel(program.kernel());
  EXPECT_EQ(program.run()[0], 1U);
}

TEST(Registers, a_store_of_a_register_beyond_the_allocation_is_dropped) {
  Program program(
      "mov.b32 $r3, 6\n"
      "mov.u32 g[$r2], $r3\n"
      "mov.u32 g[$r2], $r124\n"
      "return\n",
      ".reg 8");
  EXPECT_EQ(program.run()[0], 6U);
  EXPECT_EQ(program.lanes_at(3), std::vector<LaneMask>{0});
}

TEST(Registers, writing_a_half_keeps_the_other) {
  Program program(
      "mov.b32 $r3, 0x11112222\n"
      "mov.b32 $r4, 0x33334444\n"
      "mov.b16 $r3.hi, $r4.lo\n"
      "add.u16 $r4.lo, $r4.lo, $r4.hi\n"  // 0x4444 + 0x3333
      "xor.b32 $r3, $r3, $r4" +
      store);
  EXPECT_EQ(program.run()[0], 0x44442222U ^ 0x33337777U);
}

TEST(SharedMemory, accesses_have_their_own_width_and_sign) {
  Program program(
      "mov.b32 $r4, 0x80f1c2a3\n"
      "mov.b32 s[data], $r4\n"
      "mov.u32.u8 $r5, s[data+3]\n"        // 0x80
      "cvt.rn.s32.s8 $r6, s[data+3].u8\n"  // sign-extended by cvt
      "mov.b32 $r7, s[data+2].s16\n"       // 0xffff80f1
      "add.u32 $r3, $r5, $r6\n"
      "xor.b32 $r3, $r3, $r7" +
          store,
      ".shared data, 16");
  EXPECT_EQ(program.run()[0], (0x80U + 0xffffff80U) ^ 0xffff80f1U);
}

TEST(SharedMemory, stores_write_the_low_bytes) {
  Program program(
      "mov.b32 $r4, 0xffffffff\n"
      "mov.b32 s[data], $r4\n"
      "mov.b32 $r4, 0x12345678\n"
      "mov.b8.b32 s[data+1], $r4\n"
      "mov.b16.b16 s[data+2], $r4.hi\n"
      "mov.b32 $r3, s[data]" +
          store,
      ".shared data, 16");
  EXPECT_EQ(program.run()[0], 0x123478ffU);
}

TEST(SharedMemory, address_registers_wrap_at_16_bits_and_increment_with_a_sign) {
  Program program(
      "movsh.b32 $ofs1, $r1, 2\n"
      "mov.b32 s[$ofs1+data], $r1\n"
      "bar.sync.u32 0\n"
      "mov.b32 $ofs2, data+4\n"
      "mov.b32 $r4, s[$ofs2+=8]\n"   // data[1]
      "mov.b32 $r5, s[$ofs2+=-4]\n"  // data[3]
      "mov.b32 $r6, s[$ofs2+0]\n"    // data[2]
      "mov.b32 $ofs3, 0xfff0\n"
      "add.b32 $ofs3, $ofs3, data+0x10\n"
      "mov.b32 $r7, $ofs3\n"
      "shl.u32 $r5, $r5, 8\n"
      "shl.u32 $r6, $r6, 16\n"
      "or.b32 $r3, $r4, $r5\n"
      "or.b32 $r3, $r3, $r6\n"
      "shl.u32 $r7, $r7, 24\n"
      "or.b32 $r3, $r3, $r7" +
          store,
      ".shared data, 128");
  EXPECT_EQ(program.run()[9], 0x00020301U | 0x18U << 24);  // data lies at 0x18, after header and parameters
}

TEST(SharedMemory, of_several_stores_to_one_address_the_highest_lane_wins) {
  Program program(
      "mov.b32 s[data], $r1\n"
      "mov.b32 $r3, s[data]" +
          store,
      ".shared data, 4");
  EXPECT_EQ(program.run()[0], 31U);
}

TEST(SharedMemory, is_exchanged_between_warps_at_a_barrier) {
  Program program(
      "movsh.b32 $ofs1, $r1, 2\n"
      "mov.b32 s[$ofs1+data], $r1\n"
      "bar.sync.u32 0\n"
      "mov.b32 $r4, 127\n"
      "sub.u32 $r4, $r4, $r1\n"
      "movsh.b32 $ofs1, $r4, 2\n"
      "mov.b32 $r3, s[$ofs1+data]" +
          store,
      ".shared data, 512");
  program.block(128);
  const auto out = program.run();
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(out[i], 127 - i);
}

TEST(SharedMemory, locks_let_one_lane_in_at_a_time) {
  Program program(
      "mov.b32 $r5, 0\n"
      "join.label end\n"
      "again: mov.lock.b32 $p0|$r4, s[data]\n"
      "add.u32 $r4, $r4, $r1\n"
      "@$p0.lt mov.unlock.b32 s[data], $r4\n"
      "@$p0.eq bra.label again\n"
      "end: nop.join\n"
      "bar.sync.u32 0\n"
      "mov.b32 $r3, s[data]" +
          store,
      ".shared data, 4");
  EXPECT_EQ(program.run()[0], 31U * 32 / 2);
}

TEST(ConstantMemory, is_read_as_operand_and_by_address_register) {
  Program program(
      "and.b32 $r4, $r1, 3\n"
      "movsh.b32 $ofs1, $r4, 2\n"
      "mov.b32 $r3, c1[$ofs1+0]\n"
      "mov.b32 $r5, 1\n"
      "add.u32 $r3, $r3, c1[0x4]" +
          store,
      ".const c1[0] : u32 10, 20, 30, 40");
  const auto out = program.run();
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], 10 * (i % 4 + 1) + 20);
}

TEST(ConstantMemory, has_sixteen_banks) {
  std::string body = "mov.b32 $r3, 0\n";
  for (unsigned bank = 0; bank < 16; ++bank) {
    body += "mov.b32 $r4, c" + std::to_string(bank) + "[4]\nshl.u32 $r3, $r3, 2\nxor.b32 $r3, $r3, $r4\n";
  }
  Program program(body + store);
  std::uint32_t want = 0;
  for (unsigned bank = 0; bank < 16; ++bank) {
    const std::uint32_t value = 1000 + 7 * bank;
    program.launch.constant_banks[bank].resize(8);
    std::memcpy(program.launch.constant_banks[bank].data() + 4, &value, 4);
    want = want << 2U ^ value;
  }
  EXPECT_EQ(program.run()[0], want);
}

TEST(SharedMemory, several_barriers_open_on_their_own) {
  Program program(
      "mov.b32 $r3, 0\n"
      "bar.sync.u32 1\n"
      "add.u32 $r3, $r3, 1\n"
      "bar.sync.u32 15\n"
      "add.u32 $r3, $r3, 1" +
      store);
  program.block(96);
  const auto out = program.run();
  for (unsigned i = 0; i < 96; ++i) EXPECT_EQ(out[i], 2U);
}

TEST(ConstantMemory, the_record_says_whether_all_lanes_read_one_word) {
  Program program(
      "movsh.b32 $ofs1, $r1, 2\n"
      "mov.b32 $r3, c1[$ofs1+0]\n"
      "add.u32 $r3, $r3, c1[0x4]" +
          store,
      ".const c1[0] : u32 0, 1, 2, 3, 4, 5, 6, 7");
  program.block(8);
  std::vector<bool> uniform;
  program.observer = [&](const WarpInst& record) {
    if (record.constant.lanes != 0) uniform.push_back(record.constant.uniform);
  };
  program.run();
  EXPECT_EQ(uniform, (std::vector<bool>{false, true}));
}

TEST(SpecialRegisters, clock_is_what_the_caller_says) {
  Program program("mov.b32 $r3, %clock" + store);
  EXPECT_EQ(program.run()[0], 3U);  // the harness counts instructions
}

TEST(SpecialRegisters, physid_names_thread_slot_warp_sm_and_tpc) {
  Program program("mov.b32 $r3, %physid" + store);
  program.options.sm_in_tpc = 2;
  program.options.tpc = 5;
  program.block(64);
  EXPECT_EQ(program.run()[33], 33U | 1U << 8 | 2U << 16 | 5U << 20);
}

TEST(Vote, sees_active_lanes_only) {
  Program program(
      "mov.b32 $r4, 5\n"
      "set.eq.u32 $p0|$o127, $r1, $r4\n"
      "vote.any $p1, $p0.ne\n"
      "vote.all $p2, $p0.ne\n"
      "mov.b32 $r3, $p1\n"
      "mov.b32 $r5, $p2\n"
      "shl.u32 $r5, $r5, 4\n"
      "or.b32 $r3, $r3, $r5" +
      store);
  EXPECT_EQ(program.run()[0], 2U | 1U << 4);
}

TEST(OnChipErrors, name_the_space_the_address_and_the_lanes) {
  const Diagnostic outside =
      Program("movsh.b32 $ofs1, $r1, 4\nmov.b32 $r3, s[$ofs1+data]\nreturn", ".shared data, 16").fault();
  EXPECT_EQ(outside.code, "MEM-OOB");
  EXPECT_EQ(outside.message, "shared access outside the allocation");
  EXPECT_EQ(outside.details.back(),
            "SM 0, block (0,0), warp 0, lanes 1-31 (mask 0xfffffffe), address 0x0028, the allocation has 40 bytes");
  EXPECT_EQ(outside.excerpt, "mov.b32 $r3, s[$ofs1+data]");
  const Diagnostic misaligned = Program("movsh.b32 $ofs1, $r1, 0\nmov.b32 $r3, s[$ofs1+0]\nreturn").fault();
  EXPECT_EQ(misaligned.code, "MEM-ALIGN");
  EXPECT_EQ(Program("mov.b32 $r3, c3[0x0]\nreturn").fault().message, "constant access outside the allocation");
}

}  // namespace
}  // namespace teslasim::exec_test
