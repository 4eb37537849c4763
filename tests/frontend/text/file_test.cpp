// SPDX-License-Identifier: Apache-2.0
// Files: directives, resources, labels, constants, and the errors that concern more than one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/text/assembler.h"
#include "tests/frontend/text/support.h"

namespace teslasim {
namespace {

using test::diagnostics;
using test::kernel;
using test::places;
using test::underlined;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(TextFile, the_smallest_kernel) {
  const Kernel k = kernel("return");
  EXPECT_EQ(k.name, "test");
  EXPECT_EQ(k.registers, 1U);
  EXPECT_EQ(k.shared_bytes, 16U);
  EXPECT_EQ(k.barriers, 0U);
  EXPECT_EQ(k.local_bytes, 0U);
}

TEST(TextFile, resources_are_computed_from_the_code) {
  const Kernel k = kernel("mov.b64 $r6, g[$r1]\nbar.sync 2\nadd.u32 $r3, $r124, $r1\nreturn");
  EXPECT_EQ(k.registers, 8U) << "$r6 and $r7; $r124 is only read: a zero";
  EXPECT_EQ(k.barriers, 3U);
}

TEST(TextFile, resources_can_be_declared) {
  const Kernel k = kernel(".reg 20\n.smem 0x100\n.lmem 8*4\n.bar 5\nreturn");
  EXPECT_EQ(k.registers, 20U);
  EXPECT_EQ(k.shared_bytes, 256U);
  EXPECT_EQ(k.local_bytes, 32U);
  EXPECT_EQ(k.barriers, 5U);
}

TEST(TextFile, declared_resources_must_suffice) {
  EXPECT_THAT(test::warned_places(".entry k {\n.reg 2\nmov.b32 $r5, $r1\nreturn\n}"),
              ElementsAre("ASM-REGISTER@3:1+16"));
  EXPECT_THAT(places(".entry k {\n.param u32 n\n.smem 16\nreturn\n}"), ElementsAre("ASM-RANGE@3:7+2"));
  EXPECT_THAT(test::warned_places(".entry k {\n.bar 1\nbar.sync 1\nreturn\n}"), ElementsAre("ASM-RANGE@2:6+1"));
  EXPECT_THAT(places(".entry k {\nmov.u32 $r1, l[0]\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@2:1+17"));
}

TEST(TextFile, parameters_are_naturally_aligned_behind_the_header) {
  const Kernel k = kernel(
      ".param u8 a\n.param u16 b\n.param ptr c\n.param f64 d\n.param u8 e\n"
      "mov.b32 $r1, s[c]\nmov.b32 $r2, s[d+4]\nreturn");
  ASSERT_EQ(k.parameters.size(), 5U);
  EXPECT_EQ(k.parameters[0].offset, 0U);
  EXPECT_EQ(k.parameters[1].offset, 2U);
  EXPECT_EQ(k.parameters[2].offset, 4U);
  EXPECT_EQ(k.parameters[3].offset, 8U);
  EXPECT_EQ(k.parameters[4].offset, 16U);
  EXPECT_EQ(k.code[0].source[0].offset, 0x14);
  EXPECT_EQ(k.code[1].source[0].offset, 0x1c);
  EXPECT_EQ(k.shared_bytes, 16U + 17U);
}

TEST(TextFile, parameters_of_binaries_have_sizes_and_places) {
  const Kernel k = kernel(
      ".smem 16\n.param bytes x, 8, 0x10\n.param bytes pair, 12, 0x18\n.param bytes n, 4, 0x28\nmov.b32 $r1, s[n]\n"
      "return");
  EXPECT_FALSE(k.parameters_named);
  ASSERT_EQ(k.parameters.size(), 3U);
  EXPECT_EQ(k.parameters[0].type, ValueType::b64);
  EXPECT_EQ(k.parameters[1].offset, 8U);
  EXPECT_EQ(k.parameters[1].bytes, 12U);
  EXPECT_EQ(k.parameters[1].type, ValueType::none);
  EXPECT_EQ(k.parameters[2].offset, 24U);
  EXPECT_EQ(k.code[0].source[0].offset, 0x28);
  EXPECT_EQ(k.shared_bytes, 16U) << "as the file says";
  EXPECT_EQ(kernel(".param bytes x, 8, 0x20\nreturn").shared_bytes, 0x28U);
}

TEST(TextFile, places_of_parameters_are_checked) {
  EXPECT_THAT(places(".entry k {\n.param bytes a, 8, 0x10\n.param bytes b, 4, 0x14\nreturn\n}"),
              ElementsAre("ASM-RANGE@3:20+4"));
  EXPECT_THAT(places(".entry k {\n.param bytes a, 8, 8\nreturn\n}"), ElementsAre("ASM-RANGE@2:20+1"));
  EXPECT_THAT(places(".entry k {\n.param bytes a, 0, 16\nreturn\n}"), ElementsAre("ASM-RANGE@2:17+1"));
}

TEST(TextFile, shared_variables_follow_the_parameters) {
  const Kernel k = kernel(
      ".param u8 a\n.shared tile, 64, 16\n.shared flag, 2\n.shared dynamic, 0\n"
      "mov.b32 $r1, tile\nmov.b32 s[flag+0], $r1\nmov.b32 $r1, dynamic\nreturn");
  EXPECT_EQ(k.code[0].source[0].immediate, 0x20U);
  EXPECT_EQ(k.code[1].store_target.offset, 0x60);
  EXPECT_EQ(k.code[2].source[0].immediate, 0x64U);
  EXPECT_EQ(k.shared_bytes, 0x64U);
}

TEST(TextFile, constants_are_bytes_of_their_bank) {
  const Module m = assemble_text(
      ".const table = c0 : u16 1, -1\n"
      ".const c0[8] : f32 1, 0.5, 0x3f800000\n"
      ".entry k {\n.const taps c1 : f64 2\n.const c1[8] : u8 1, 2\nmov.u32.u16 $r1, c0[table+2]\nreturn\n}\n");
  ASSERT_EQ(m.constants.size(), 2U);
  EXPECT_THAT(m.constants[0].bytes, ElementsAre(1, 0, 0xff, 0xff));
  EXPECT_EQ(m.constants[1].offset, 8U);
  EXPECT_THAT(m.constants[1].bytes, ElementsAre(0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f));
  ASSERT_EQ(m.kernels[0].constants.size(), 2U);
  EXPECT_THAT(m.kernels[0].constants[0].bytes, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0x40));
  EXPECT_EQ(m.kernels[0].code[0].source[0].offset, 2);
}

TEST(TextFile, computed_integers_are_no_floats_in_constants) {
  const Module m = assemble_text(".rept 2, i\n.const c0[4*i] : f32 \\i\n.endr\n.entry k {\nreturn\n}\n");
  ASSERT_EQ(m.constants.size(), 2U);
  EXPECT_THAT(m.constants[1].bytes, ElementsAre(0, 0, 0x80, 0x3f));
  const auto all = diagnostics(
      ".equ N, 2\n.equ HALF, 0.5\n.const c0 : f32 HALF, N+1\n.const c0 : f64 N\n.const c0 : f32 (2)\n.const c0 : f32 "
      "+2\n");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].code, "ASM-TYPE");
  EXPECT_EQ(underlined(all[0]), "N+1");
  EXPECT_EQ(underlined(all[1]), "N");
  EXPECT_EQ(underlined(all[2]), "(2)");
  EXPECT_EQ(underlined(all[3]), "+2");
}

TEST(TextFile, labels_and_addresses) {
  const Kernel k = kernel(
      "start: mov.half.b32 $r1, $r2\nmiddle:\nmov.half.b32 $r1, $r2\nbra.label end\nbra start\n@$p0.ne bra "
      "middle\nend: return");
  EXPECT_EQ(k.code[1].pc, 4U);
  EXPECT_EQ(k.code[2].pc, 8U);
  EXPECT_EQ(k.code[2].branch().target, 32U);
  EXPECT_EQ(k.code[2].branch().target_index, 5U);
  EXPECT_EQ(k.code[3].branch().target, 0U);
  EXPECT_EQ(k.code[4].branch().target_index, 1U);
  EXPECT_EQ(k.labels.at(4), "middle");
  EXPECT_EQ(k.code[4].source_line, 7U);
}

TEST(TextFile, label_errors) {
  const auto all = diagnostics(".entry k {\nbra.label lop\nloop: nop\nloop: nop\n1x: nop\nreturn\n}");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].code, "ASM-LABEL");
  EXPECT_EQ(underlined(all[0]), "lop");
  EXPECT_EQ(all[0].help, "did you mean 'loop'?");
  EXPECT_EQ(underlined(all[1]), "loop");
  EXPECT_THAT(all[1].help, HasSubstr("line 3"));
  EXPECT_EQ(underlined(all[2]), "1x");
  EXPECT_THAT(places(".entry k {\nbra end\nreturn\nend:\n}"), ElementsAre("ASM-LABEL@2:5+3"));
  EXPECT_THAT(places(".entry k {\nbra 0x4\nreturn\n}"), ElementsAre("ASM-LABEL@2:1+7"));
}

TEST(TextFile, short_instructions_come_in_pairs) {
  EXPECT_THAT(places(".entry k {\nmov.half.b32 $r1, $r2\nreturn\n}"), ElementsAre("ASM-ALIGN@2:1+21"));
  EXPECT_THAT(places(".entry k {\nreturn\n  mov.half.b32 $r1, $r2\n}"), ElementsAre("ASM-ALIGN@3:3+21"));
  EXPECT_THAT(places(".entry k {\nmov.half.b32 $r1, $r2\nmov.half.b32 $r1, $r2\nreturn\n}"), IsEmpty());
}

TEST(TextFile, a_kernel_must_not_run_past_its_end) {
  EXPECT_THAT(test::warned_places(".entry k {\nnop\n}"), ElementsAre("ASM-END@3:1+1"));
  EXPECT_THAT(test::warned_places(".entry k {\n@$p0.ne return\n}"), ElementsAre("ASM-END@3:1+1"));
  EXPECT_THAT(places(".entry k {\n}"), ElementsAre("ASM-END@1:1+10"));
  EXPECT_THAT(places(".entry k {\nnop.end\n}"), IsEmpty());
  EXPECT_THAT(places(".entry k {\nl: bra l\n}"), IsEmpty());
}

TEST(TextFile, structure_errors) {
  EXPECT_THAT(places(""), ElementsAre("ASM-END@1:1+1"));
  EXPECT_THAT(places("nop"), ElementsAre("ASM-SYNTAX@1:1+3"));
  EXPECT_THAT(places(".entry k\nnop\n{\nreturn\n}"), ElementsAre("ASM-SYNTAX@2:1+3"));
  EXPECT_THAT(places(".entry k {\nreturn"), ElementsAre("ASM-SYNTAX@1:1+10"));
  EXPECT_THAT(places(".entry k {\nreturn\n.entry j {\nreturn\n}"), ElementsAre("ASM-SYNTAX@3:8+1"));
  EXPECT_THAT(places("}"), ElementsAre("ASM-SYNTAX@1:1+1"));
  EXPECT_THAT(places("{"), ElementsAre("ASM-SYNTAX@1:1+1"));
  EXPECT_THAT(places(".entry k {\nreturn\n}\n.entry k {\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@4:8+1"));
}

TEST(TextFile, directive_errors) {
  EXPECT_THAT(places(".arch sm_20\n.entry k {\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@1:7+5"));
  EXPECT_THAT(places(".entry k {\nreturn\n}\n.arch sm_12"), ElementsAre("ASM-DIRECTIVE@4:7+5"));
  EXPECT_THAT(places(".equ N 5\n.entry k {\nreturn\n}"), ElementsAre("ASM-SYNTAX@1:8+1"));
  EXPECT_THAT(places(".parm u32 n\n.entry k {\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@1:1+5"));
  EXPECT_THAT(places(".entry k {\n.param u99 n\n.param b128 q\nreturn\n}"),
              ElementsAre("ASM-TYPE@2:8+3", "ASM-TYPE@3:8+4"));
  EXPECT_THAT(places(".entry k {\n.param u32 n\n.param u32 n\nreturn\n}"), ElementsAre("ASM-SYMBOL@3:12+1"));
  EXPECT_THAT(places(".entry k {\n.shared t, 4\n.param u32 n\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@3:12+1"));
  EXPECT_THAT(places(".entry k {\n.shared t, 20000\nreturn\n}"), ElementsAre("ASM-RANGE@2:12+5"));
  EXPECT_THAT(places(".entry k {\n.shared t, 4, 3\nreturn\n}"), ElementsAre("ASM-RANGE@2:15+1"));
  EXPECT_THAT(places(".entry k {\n.reg 129\nreturn\n}"), ElementsAre("ASM-RANGE@2:6+3"));
  EXPECT_THAT(places(".const c1[0] : u32 1\n.entry k {\nreturn\n}"), ElementsAre("ASM-SYNTAX@1:8+2"));
  EXPECT_THAT(places(".const c0[2] : u32 1\n.entry k {\nreturn\n}"), ElementsAre("ASM-ALIGN@1:8+2"));
  EXPECT_THAT(places(".const c0 : u8 256\n.entry k {\nreturn\n}"), ElementsAre("ASM-RANGE@1:16+3"));
  EXPECT_THAT(places(".alias x, 5\n.entry k {\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@1:11+1"));
  EXPECT_THAT(places(".rept 3\n.entry k {\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@1:1+7"));
}

TEST(TextFile, many_parameters_do_not_fit) {
  std::string text = ".entry k {\n";
  for (int i = 0; i < 65; ++i) text += ".param u32 p" + std::to_string(i) + "\n";
  EXPECT_THAT(places(text + "return\n}"), ElementsAre("ASM-RANGE@66:12+3"));
}

TEST(TextFile, parameters_are_not_values) {
  EXPECT_THAT(places(".entry k {\n.param u32 n\nmov.b32 $r1, n\nreturn\n}"), ElementsAre("ASM-OPERAND@3:14+1"));
}

TEST(TextFile, aliases_name_registers) {
  const Kernel k = kernel(
      ".alias sum, $r7\n.alias low, $r3.lo\n.alias at, $ofs2\n"
      "add.u32 sum, sum, 1\nmov.b16 low, sum.hi\nmov.b32 s[at+4], sum\nmov.u32 sum, g[sum]\nmax.f32 sum, -sum, "
      "|$r1|\nreturn");
  EXPECT_EQ(k.code[0].destination[0].index, 7);
  EXPECT_EQ(k.code[1].destination[0].half, Operand::Half::low);
  EXPECT_EQ(k.code[1].source[0].half, Operand::Half::high);
  EXPECT_EQ(k.code[2].store_target.address_register, 2);
}

TEST(TextFile, all_errors_are_reported_in_order_and_nothing_follows_from_them) {
  EXPECT_THAT(places(".entry k {\nbra nowhere\nad.u32 $r1\nadd.u32 $r1, $r2\nmov.half.b32 $r1, $r2\n}"),
              ElementsAre("ASM-LABEL@2:5+7", "ASM-OPCODE@3:1+2", "ASM-OPERAND@4:1+3"));
}

TEST(TextFile, raw_words_are_decoded) {
  const Kernel k = kernel("d.u32 0x1100e804, 0x1100e000\nd.u32 0xd00e0201, 0xa0c00780\nreturn");
  ASSERT_EQ(k.code.size(), 4U);
  EXPECT_EQ(k.code[1].pc, 4U);
  EXPECT_EQ(k.code[2].opcode, Opcode::store_global);
  EXPECT_THAT(places(".entry k {\nd.u32 0xd00e0201\nreturn\n}"), ElementsAre("ASM-OPERAND@2:1+16"));
}

TEST(TextFile, comments_and_line_ends) {
  EXPECT_THAT(places("# comment\r\n.entry k { // here\r\n  return # there\r\n}\r\n"), IsEmpty());
  EXPECT_EQ(assemble_text("// 1\n.entry k {\n\nnop\nreturn\n}", "x").source_lines.size(), 6U);
}

TEST(TextFile, a_missing_file_is_an_input_error) {
  try {
    (void)assemble_file("/nonexistent/kernel.asm");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::input);
    EXPECT_EQ(error.diagnostics().at(0).where.file, "/nonexistent/kernel.asm");
  }
}

}  // namespace
}  // namespace teslasim
