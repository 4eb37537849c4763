// SPDX-License-Identifier: Apache-2.0
// Datasheet of global and local memory as the executor sees it: widths, atomics, checks, and when values arrive.
#include "memory/image/memory_access.h"

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

const std::string store = "\nmov.u32 g[$r2], $r3\nreturn\n";

TEST(GlobalMemory, loads_extend_and_stores_cut) {
  Program program(
      "mov.b32 $r4, 0x8091a2f3\n"
      "mov.u32 g[$r2], $r4\n"
      "add.u32 $r5, $r2, 3\n"
      "add.u32 $r6, $r2, 2\n"
      "mov.u8 $r7, g[$r5]\n"    // 0x80
      "mov.s8 $r8, g[$r5]\n"    // 0xffffff80
      "mov.u16 $r9, g[$r6]\n"   // 0x8091
      "mov.s16 $r10, g[$r6]\n"  // 0xffff8091
      "add.u32 $r3, $r7, $r8\n"
      "add.u32 $r3, $r3, $r9\n"
      "add.u32 $r3, $r3, $r10\n"
      "mov.u8 g[$r2], $r3\n"
      "mov.u16 g[$r6], $r3\nreturn\n");
  const std::uint32_t sum = 0x80 + 0xffffff80U + 0x8091 + 0xffff8091U;
  EXPECT_EQ(program.run()[7], (0x0000a200U | (sum & 0xff) | sum << 16));
}

TEST(GlobalMemory, wide_accesses_take_groups_of_registers) {
  Program program(
      "shl.u32 $r2, $r1, 4\n"
      "add.u32 $r2, s[out], $r2\n"
      "mov.b32 $r4, $r1\n"
      "add.u32 $r5, $r1, 100\n"
      "add.u32 $r6, $r1, 200\n"
      "add.u32 $r7, $r1, 300\n"
      "mov.b128 g[$r2], $r4\n"
      "add.u32 $r3, $r2, 8\n"
      "mov.b64 $r8, g[$r3]\n"
      "mov.b64 g[$r2], $r8\nreturn\n");
  const auto out = program.run();
  EXPECT_EQ(std::vector<std::uint32_t>(out.begin() + 20, out.begin() + 24),
            (std::vector<std::uint32_t>{205, 305, 205, 305}));
}

TEST(GlobalMemory, atomics_return_the_old_value_lane_by_lane) {
  Program program(
      "mov.b32 $r4, s[out]\n"
      "add.u32 $r4, $r4, 4000\n"
      "mov.b32 $r5, 2\n"
      "atom.add.u32 $r3, g[$r4], $r5" +
      store);
  const auto out = program.run();
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2 * i);
  EXPECT_EQ(out[1000], 64U);
}

struct AtomicRow {
  const char* text;
  std::uint32_t old, operand, expected;
};

TEST(GlobalMemory, each_reduction_combines_as_its_name_says) {
  const std::vector<AtomicRow> rows{{"red.add.u32", 5, 7, 12},
                                    {"red.inc.u32", 5, 7, 6},
                                    {"red.inc.u32", 7, 7, 0},
                                    {"red.dec.u32", 5, 7, 4},
                                    {"red.dec.u32", 0, 7, 7},
                                    {"red.dec.u32", 9, 7, 7},
                                    {"red.max.u32", 5, 0xffffffff, 0xffffffff},
                                    {"red.max.s32", 5, 0xffffffff, 5},
                                    {"red.min.u32", 5, 0xffffffff, 5},
                                    {"red.min.s32", 5, 0xffffffff, 0xffffffff},
                                    {"red.and.u32", 0xc, 0xa, 0x8},
                                    {"red.or.u32", 0xc, 0xa, 0xe},
                                    {"red.xor.u32", 0xc, 0xa, 0x6}};
  for (const AtomicRow& row : rows) {
    Program program("mov.b32 $r3, " + std::to_string(row.old) + "\nmov.u32 g[$r2], $r3\nmov.b32 $r4, s[p]\n" +
                    row.text + " g[$r2], $r4\nreturn\n");
    EXPECT_EQ(program.parameter(row.operand).run()[3], row.expected) << row.text << " " << row.old;
  }
}

TEST(GlobalMemory, compare_and_swap_exchanges_only_equal_values) {
  Program program(
      "and.b32 $r3, $r1, 1\n"
      "mov.u32 g[$r2], $r3\n"
      "mov.b32 $r4, 1\n"
      "mov.b32 $r5, 77\n"
      "atom.cas.u32 $r6, g[$r2], $r4, $r5\n"
      "mov.u32 $r3, g[$r2]\n"
      "shl.u32 $r6, $r6, 8\n"
      "or.b32 $r3, $r3, $r6" +
      store);
  const auto out = program.run();
  EXPECT_EQ(out[4], 0U);
  EXPECT_EQ(out[5], 77U | 1U << 8);
}

TEST(GlobalMemory, a_message_names_the_buffer_and_the_distance) {
  Program program(
      "mov.b32 $r4, 28\n"
      "set.ge.u32 $p0|$o127, $r1, $r4\n"
      "@$p0.ne add.u32 $r2, $r2, $r2\n"
      "mov.u32 $r3, g[$r2]\nreturn\n");
  program.words(32).grid(5, 2);
  const Diagnostic fault = program.fault();
  EXPECT_EQ(fault.code, "MEM-OOB");
  EXPECT_EQ(fault.message, "global load outside any buffer");
  EXPECT_EQ(fault.where.file, "program.asm");
  EXPECT_EQ(fault.excerpt, "mov.u32 $r3, g[$r2]");
  ASSERT_EQ(fault.details.size(), 2U);
  EXPECT_EQ(fault.details[0], "pc 0x0030  mov.u32 $r3, g[$r2]");
  // out starts at 0x1000 and has 128 bytes; twice 0x1070 is 0x20e0
  EXPECT_EQ(
      fault.details[1],
      "SM 0, block (0,0), warp 0, lanes 28-31 (mask 0xf0000000), address 0x000020e0 = 4192 B after the end of 'out' "
      "(u32[32])");
}

TEST(GlobalMemory, misaligned_addresses_are_kernel_errors) {
  const Diagnostic fault = Program("add.u32 $r2, $r2, 2\nmov.u32 $r3, g[$r2]\nreturn\n").fault();
  EXPECT_EQ(fault.code, "MEM-ALIGN");
  EXPECT_NE(fault.details.back().find("not a multiple of 4"), std::string::npos);
}

TEST(GlobalMemory, a_warp_may_reach_into_several_buffers) {
  Program program(
      "and.b32 $r4, $r1, 1\n"
      "mov.b32 $r5, s[p]\n"
      "mul24.lo.u32 $r4, $r4, $r5\n"
      "sub.u32 $r4, $r2, $r4\n"
      "mov.u32 g[$r4], $r1\nreturn\n");
  const Address other = program.memory.allocate("other", "u32", 128);  // `out` follows, with a gap
  program.words(32).parameter(0x200);
  const auto out = program.run();
  EXPECT_EQ(out[6], 6U);
  EXPECT_EQ(out[7], 0U);
  std::uint32_t word = 0;
  std::memcpy(&word, program.memory.at(other + 7 * 4), 4);
  EXPECT_EQ(word, 7U);
}

TEST(LocalMemory, is_private_to_each_thread_and_keeps_all_widths) {
  Program program(
      "mov.u32 l[0x0], $r1\n"
      "mov.b32 $r4, 0x80\n"
      "mov.u8 l[0x5], $r4\n"
      "mov.s8 $r5, l[0x5]\n"
      "mov.b32 $ofs1, 8\n"
      "mov.b32 $r6, $r1\n"
      "add.u32 $r7, $r1, 1\n"
      "mov.b64 l[$ofs1+0], $r6\n"
      "mov.u32 $r8, l[0xc]\n"
      "mov.u32 $r3, l[0x0]\n"
      "add.u32 $r3, $r3, $r5\n"
      "add.u32 $r3, $r3, $r8" +
          store,
      ".lmem 16");
  const auto out = program.run();
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2 * i + 1 - 0x80);
}

TEST(LocalMemory, words_of_one_warp_lie_side_by_side) {
  Program program(
      "mov.u32 l[0x4], $r1\n"
      "mov.b64 $r4, l[0x8]\n"
      "mov.u8 $r6, l[0x5]" +
          store,
      ".lmem 16");
  std::vector<std::array<std::uint32_t, 3>> addresses;  // lanes 0, 1 and 31
  program.observer = [&](const WarpInst& record) {
    if (record.memory == nullptr || record.memory->space != MemoryAccess::Space::local) return;
    addresses.push_back({record.memory->address[0], record.memory->address[1], record.memory->address[31]});
  };
  program.run();
  ASSERT_EQ(addresses.size(), 3U);
  const std::uint32_t base = addresses[0][0] - 128;
  EXPECT_EQ(addresses[0], (std::array<std::uint32_t, 3>{base + 128, base + 132, base + 128 + 31 * 4}));
  EXPECT_EQ(addresses[1], (std::array<std::uint32_t, 3>{base + 256, base + 264, base + 256 + 31 * 8}));
  EXPECT_EQ(addresses[2], (std::array<std::uint32_t, 3>{base + 129, base + 133, base + 129 + 31 * 4}));
}

TEST(LocalMemory, ends_where_the_kernel_says) {
  const Diagnostic fault = Program("mov.u32 $r3, l[0x10]\nreturn\n", ".lmem 16").fault();
  EXPECT_EQ(fault.code, "MEM-OOB");
  EXPECT_EQ(fault.message, "local access outside the allocation");
}

/// In the timing model a load is performed at the partition and writes its register when the response arrives.
TEST(TimingMode, values_arrive_when_the_access_completes) {
  Program program("mov.u32 $r3, g[$r2]\nmov.u32 g[$r2], $r3\nreturn\n");
  program.memory.allocate("out", "u32", 128);
  program.launch.parameters = {0x00, 0x10, 0, 0, 0, 0, 0, 0};  // the first buffer lies at 0x1000
  program.options.warp_slots = 1;
  program.options.memory_effect = MemoryEffect::at_partition;
  ExecutionStream stream(program.launch, program.options);
  stream.start_block(0, 0, 0);
  WarpInst record;
  const auto issue = [&] {
    EXPECT_NE(stream.next(0), nullptr);
    stream.issue(0, 0, record);
    return record.memory;
  };
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(issue(), nullptr);
  MemoryAccess* const load = issue();
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->kind, MemoryAccess::Kind::load);
  EXPECT_EQ(load->lanes, all_lanes);
  EXPECT_EQ(load->address[5], 0x1000U + 20);
  const std::uint32_t written = 4711;  // after the issue, before the access is served
  std::memcpy(program.memory.at(0x1000 + 20), &written, 4);
  perform(*load, 0x0000ffff, program.memory);  // two transactions
  perform(*load, 0xffff0000, program.memory);
  stream.complete(0, *load);
  stream.release(*load);
  MemoryAccess* const stored = issue();
  ASSERT_NE(stored, nullptr);
  EXPECT_EQ(stored->kind, MemoryAccess::Kind::store);
  EXPECT_EQ(stored->data[0][5], written);
  stream.release(*stored);
}

TEST(TimingMode, many_accesses_can_be_in_flight) {
  Program program("mov.u32 $r3, g[$r2]\nbra.label again\nagain: mov.u32 $r3, g[$r2]\nreturn\n");
  program.memory.allocate("out", "u32", 128);
  program.launch.parameters = {0x00, 0x10, 0, 0, 0, 0, 0, 0};
  program.options.warp_slots = 8;
  program.options.block_slots = 8;
  program.options.memory_effect = MemoryEffect::at_partition;
  ExecutionStream stream(program.launch, program.options);
  std::vector<MemoryAccess*> flying;
  for (unsigned round = 0; round < 10; ++round) {
    for (unsigned warp = 0; warp < 8; ++warp) {
      stream.start_block(warp, 0, warp);
      WarpInst record;
      while (stream.next(warp) != nullptr) {
        stream.issue(warp, 0, record);
        if (record.memory != nullptr) flying.push_back(record.memory);
      }
    }
  }
  EXPECT_EQ(flying.size(), 160U);
  std::sort(flying.begin(), flying.end());
  EXPECT_EQ(std::unique(flying.begin(), flying.end()), flying.end());
}

}  // namespace
}  // namespace teslasim::exec_test
