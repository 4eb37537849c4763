// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's text traces: small samples written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "sim/base/diagnostic.h"
#include "sim/trace/accelsim_trace.h"
#include "sim/trace/stand_in.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string head = R"(-kernel name = vecadd
-kernel id = 1
-grid dim = (2,1,1)
-block dim = (32,1,1)
-shmem = 64
-nregs = 12
-shmem base_addr = 0x00007f0000000000
-local mem base_addr = 0x00007e0000000000
-accelsim tracer version = 4

#traces format = ...
)";

std::string block(unsigned number, const std::string& warps) {
  return "#BEGIN_TB\n\nthread block = " + std::to_string(number) + ",0,0\n\n" + warps + "\n#END_TB\n\n";
}
const std::string exits = "warp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n";

AccelSimReader reader_of(const std::string& text) {
  return {"k.traceg", std::make_unique<std::istringstream>(text)};
}

std::string problem_of(const std::string& text) {
  try {
    AccelSimReader reader = reader_of(text);
    ForeignInstruction instruction;
    while (reader.next(instruction)) {
    }
  } catch (const InputError& error) {
    return render(error.diagnostics());
  }
  return "nothing";
}

TEST(AccelSim, lines_may_end_as_on_other_systems) {
  std::string text = head + block(1, "warp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n");
  const auto block_of = [](const std::string& lines) {
    AccelSimReader reader = reader_of(lines);
    ForeignInstruction instruction;
    EXPECT_TRUE(reader.next(instruction));
    return std::pair{reader.launch().name, reader.block()};
  };
  const auto expected = block_of(text);
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 2))
    text.insert(end, 1, '\r');
  EXPECT_EQ(block_of(text), expected);
  EXPECT_EQ(expected, std::pair(std::string("vecadd"), std::uint64_t{1}));
}

TEST(AccelSim, head_blocks_and_warps_are_read) {
  AccelSimReader reader = reader_of(head +
                                    block(1,
                                          "warp = 0\ninsts = 2\n"
                                          "0010 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R2 0 \n"
                                          "0020 0000ffff 0 EXIT 0 0 \n") +
                                    block(0, exits));
  EXPECT_EQ(reader.launch().name, "vecadd");
  EXPECT_THAT(reader.launch().grid, ElementsAre(2, 1, 1));
  EXPECT_EQ(reader.launch().shared_bytes, 64U);
  EXPECT_EQ(reader.launch().shared_base, 0x7f0000000000U);
  ForeignInstruction instruction;
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(reader.block(), 1U);
  EXPECT_EQ(instruction.pc, 0x10U);
  EXPECT_THAT(instruction.sources, ElementsAre(255, 2));
  EXPECT_FALSE(reader.last_of_warp());
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(instruction.lanes, 0xffffU);
  EXPECT_TRUE(reader.last_of_warp());
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(reader.block(), 0U);
  EXPECT_FALSE(reader.next(instruction));
}

TEST(AccelSim, addresses_come_as_list_stride_or_differences) {
  AccelSimReader reader = reader_of(head +
                                    "thread block = 0,0,0\nwarp = 0\ninsts = 3\n"
                                    "0 7 1 R1 LDG.E.64.SYS 1 R2 8 0 0x7f10 0x7f20 0x7f08\n"
                                    "10 ffffffff 1 R1 LDG.E.SYS 1 R2 4 1 0x7f0000001000 4\n"
                                    "20 7 1 R1 LDG.E.128 1 R2 16 2 0x100 16 -32\n");
  ForeignInstruction instruction;
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(instruction.width, 8U);
  EXPECT_EQ(instruction.address[2], 0x7f08U);
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(instruction.address[31], 0x7f000000107cU);
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(instruction.width, 16U);
  EXPECT_EQ(instruction.address[2], 0xf0U);
}

TEST(AccelSim, old_tracers_begin_each_line_with_its_place) {
  std::string old = head;
  old.replace(old.find("version = 4"), 11, "version = 2");
  AccelSimReader reader = reader_of(old + "thread block = 0,0,0\nwarp = 0\ninsts = 1\n0 0 0 0 0018 1 0 EXIT 0 0\n");
  ForeignInstruction instruction;
  ASSERT_TRUE(reader.next(instruction));
  EXPECT_EQ(instruction.pc, 0x18U);
}

TEST(AccelSim, what_is_wrong_is_named_with_its_place) {
  const std::string warp = head + "thread block = 0,0,0\nwarp = 0\ninsts = 1\n";
  EXPECT_THAT(problem_of(warp + "zz ffffffff 0 EXIT 0 0\n"), HasSubstr("k.traceg:15:1"));
  EXPECT_THAT(problem_of(warp + "0 ffffffff 1 X EXIT 0 0\n"), HasSubstr("expected a register"));
  EXPECT_THAT(problem_of(warp + "0 ffffffff 0 LDG 1 R1 4 7 0x10\n"), HasSubstr("0 (list), 1 (base and stride)"));
  EXPECT_THAT(problem_of(warp), HasSubstr("ends 1 instructions before the warp does"));
  EXPECT_THAT(problem_of(head + "thread block = 5,0,0\n"), HasSubstr("not one of the grid"));
  EXPECT_THAT(problem_of(head + "warp = 1\n"), HasSubstr("a warp before its block"));
  EXPECT_THAT(problem_of("-grid dim = (1,2\n#x\n"), HasSubstr("three numbers"));
  EXPECT_THAT(problem_of(""), HasSubstr("ends before its first block"));
  EXPECT_THAT(problem_of(warp + "0 ffffffff 0 EX\xff\xff 0 0\n"), HasSubstr("k.traceg:15:16"));
}

TEST(AccelSim, a_whole_file_has_nothing_wrong) {
  EXPECT_EQ(problem_of(head + block(1, exits) + block(0, exits)), "nothing");
  EXPECT_EQ(problem_of("\xef\xbb\xbf" + head + block(0, exits) + block(1, exits)), "nothing");
}

TEST(AccelSim, counts_of_instructions_are_held_to) {
  const std::string two = "warp = 0\ninsts = 2\n0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 EXIT 0 0\n";
  const auto with_count = [&two](const std::string& count) {
    std::string text = two;
    return head + block(0, text.replace(text.find("insts = 2"), 9, "insts = " + count)) + block(1, exits);
  };
  EXPECT_EQ(problem_of(with_count("2")), "nothing");
  const std::string many = problem_of(with_count("99999999999"));
  EXPECT_THAT(many, HasSubstr("k.traceg:21:1"));
  EXPECT_THAT(many, HasSubstr("warp 0 has 2 instructions, 'insts = 99999999999' in line 17 says more"));
  const std::string few = problem_of(with_count("1"));
  EXPECT_THAT(few, HasSubstr("k.traceg:19:1"));
  EXPECT_THAT(few, HasSubstr("warp 0 has more instructions than 'insts = 1' in line 17 says"));
  EXPECT_THAT(problem_of(head + block(0, "warp = 0\n" + exits) + block(1, exits)), HasSubstr("has no 'insts = N'"));
  EXPECT_THAT(problem_of(head + block(0, exits + "insts = 1\n") + block(1, exits)), HasSubstr("once"));
}

TEST(AccelSim, each_block_and_each_warp_comes_once) {
  EXPECT_THAT(problem_of(head + block(0, exits) + block(0, exits)), HasSubstr("block 0,0,0 is given twice"));
  EXPECT_THAT(problem_of(head + block(0, exits)), HasSubstr("the file has 1 of the 2 blocks of its grid"));
  EXPECT_THAT(problem_of(head + block(0, exits + exits) + block(1, exits)), HasSubstr("warp 0 is given twice"));
  EXPECT_THAT(problem_of(head + block(0, "") + block(1, exits)), HasSubstr("has no warp 0"));
  EXPECT_THAT(problem_of(head + block(0, "warp = 1\ninsts = 0\n")), HasSubstr("not one of the block"));
}

TEST(AccelSim, marks_around_blocks_come_in_pairs) {
  const std::string first = block(0, exits), second = block(1, exits);
  const auto without = [](std::string text, const std::string& mark) {
    return text.erase(text.find(mark), mark.size());
  };
  EXPECT_THAT(problem_of(head + without(first, "#END_TB") + second), HasSubstr("lacks its #END_TB"));
  EXPECT_THAT(problem_of(head + first + without(second, "#BEGIN_TB")), HasSubstr("#END_TB without #BEGIN_TB"));
  EXPECT_THAT(problem_of(head + first + without(second, "#END_TB")), HasSubstr("before the #END_TB of its last block"));
}

TEST(AccelSim, lanes_are_threads_of_the_block) {
  std::string partial = head;
  partial.replace(partial.find("(32,1,1)"), 8, "(16,1,1)");
  const std::string half = "warp = 0\ninsts = 1\n0000 0000ffff 0 EXIT 0 0\n";
  EXPECT_EQ(problem_of(partial + block(0, half) + block(1, half)), "nothing");
  EXPECT_THAT(problem_of(partial + block(0, half) + block(1, exits)),
              HasSubstr("more than the 16 threads of the warp"));
}

TEST(AccelSim, the_head_says_each_thing_once) {
  const std::string blocks = block(0, exits) + block(1, exits);
  EXPECT_THAT(problem_of("-nregs = 3\n" + head + blocks), HasSubstr("'-nregs' is given twice"));
  EXPECT_THAT(problem_of("-kernel name = k\n#x\n"), HasSubstr("does not say its grid and block"));
  std::string large = head;
  EXPECT_THAT(problem_of(large.replace(large.find("(32,1,1)"), 8, "(2048,1,1)")), HasSubstr("at most 1024"));
  std::string shared = head;
  EXPECT_THAT(problem_of(shared.replace(shared.find("= 64"), 4, "= 99999999999")), HasSubstr("number up to"));
}

TEST(AccelSim, the_list_names_kernels_beside_copies) {
  std::istringstream list("MemcpyHtoD,0x00007f00,1024\nkernel-1.traceg\n\nkernel-2.traceg\n");
  EXPECT_THAT(accelsim_kernels("kernelslist.g", list), ElementsAre("kernel-1.traceg", "kernel-2.traceg"));
  std::istringstream packed("kernel-1.traceg.xz\n");
  EXPECT_THROW((void)accelsim_kernels("kernelslist.g", packed), InputError);
}

TEST(StandIn, opcodes_have_the_class_of_their_family) {
  EXPECT_EQ(stand_in_for("IMAD.MOV.U32").what, StandInClass::integer_multiply);
  EXPECT_EQ(stand_in_for("FFMA").what, StandInClass::real_mad);
  EXPECT_EQ(stand_in_for("LDG.E.CONSTANT.SYS").what, StandInClass::global_load);
  EXPECT_EQ(stand_in_for("LDGDEPBAR").what, StandInClass::nothing);
  EXPECT_FALSE(stand_in_for("HMMA.16816.F32").mapped);
}

TEST(StandIn, registers_keep_what_depends_on_what) {
  ForeignInstruction instruction;
  instruction.opcode = "FFMA";
  instruction.destinations = {130};
  instruction.sources = {3, 255, 5};
  EXPECT_EQ(stand_in_text(instruction), "mad.f32 $r10, $r3, $r124, $r5");
  instruction.opcode = "LDG.E.128";
  instruction.width = 16;
  EXPECT_EQ(stand_in_text(instruction), "mov.b128 $r8, g[$r3]");
}

}  // namespace
}  // namespace teslasim
