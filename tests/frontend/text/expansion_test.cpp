// SPDX-License-Identifier: Apache-2.0
// Expressions, .equ, .rept and .macro.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

#include "frontend/text/assembler.h"
#include "frontend/text/expression.h"
#include "tests/frontend/text/support.h"

namespace teslasim {
namespace {

using test::diagnostics;
using test::kernel;
using test::places;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::int64_t evaluate(const std::string& expression) {
  text::Cursor cursor(expression);
  text::Symbols symbols;
  symbols.define("N", {text::Symbol::Kind::constant, 16, false});
  const text::Value value = text::parse_expression(cursor, symbols);
  cursor.expect_end();
  return value.number;
}

TEST(Expression, follows_the_precedence_of_c) {
  EXPECT_EQ(evaluate("1 + 2 * 3"), 7);
  EXPECT_EQ(evaluate("(1 + 2) * 3"), 9);
  EXPECT_EQ(evaluate("10 - 4 - 3"), 3);
  EXPECT_EQ(evaluate("1 << 2 + 1"), 8);
  EXPECT_EQ(evaluate("6 & 3 | 8 ^ 8"), 2);
  EXPECT_EQ(evaluate("7 % 4 * 2"), 6);
  EXPECT_EQ(evaluate("-2 - -3"), 1);
  EXPECT_EQ(evaluate("~0xf & 0xff"), 0xf0);
  EXPECT_EQ(evaluate("0b101 + N"), 21);
  EXPECT_EQ(evaluate("-7 / 2"), -3);
  EXPECT_EQ(evaluate("-8 >> 1"), -4);
}

TEST(Expression, float_literals_are_bit_patterns) {
  EXPECT_EQ(evaluate("1.5f"), 0x3fc00000);
  EXPECT_EQ(evaluate("1.5"), 0x3fc00000);
  EXPECT_EQ(evaluate("2f"), 0x40000000);
  EXPECT_EQ(evaluate("1e-3"), std::bit_cast<std::int32_t>(1e-3f));
  EXPECT_EQ(evaluate("-1.0f"), 0xbf800000);
  EXPECT_EQ(evaluate(".5"), 0x3f000000);
}

TEST(Expression, extreme_numbers_do_not_trap) {
  EXPECT_EQ(evaluate("(-0x7fffffffffffffff - 1) / -1"), INT64_MIN);
  EXPECT_EQ(evaluate("(-0x7fffffffffffffff - 1) % -1"), 0);
  EXPECT_EQ(evaluate("0x7fffffffffffffff + 1"), INT64_MIN);
  EXPECT_THROW((void)evaluate("9223372036854775808"), text::TextError);
  EXPECT_THROW((void)evaluate(std::string(1000, '(')), text::TextError);
  EXPECT_THROW((void)evaluate(std::string(1000, '-') + "1"), text::TextError);
}

RC_GTEST_PROP(Expression, sums_and_products_are_those_of_c, (std::int32_t a, std::int32_t b, std::int32_t c)) {
  const std::string text = "(" + std::to_string(a) + ") * " + std::to_string(b) + " + " + std::to_string(c);
  RC_ASSERT(evaluate(text) == std::int64_t{a} * b + c);
}

TEST(Equ, constants_can_stand_wherever_a_number_can) {
  const Kernel k = kernel(
      ".equ N, 4\n.equ M = N * 2\n.equ half = 0.5f\n"
      "mov.b32 $r(N+1), M\nadd.u32 $r1, s[M*2], $r2\nmul.f32 $r1, $r2, half\nbar.sync N\n.equ N, 5\nmov.b32 $r2, "
      "N\nreturn");
  EXPECT_EQ(k.code[0].destination[0].index, 5);
  EXPECT_EQ(k.code[0].source[0].immediate, 8U);
  EXPECT_EQ(k.code[1].source[0].offset, 16);
  EXPECT_EQ(k.code[2].source[1].immediate, 0x3f000000U);
  EXPECT_EQ(k.code[3].barrier().number, 4);
  EXPECT_EQ(k.code[4].source[0].immediate, 5U);
}

TEST(Equ, a_misspelt_name_has_a_suggestion) {
  const auto all = diagnostics(".equ width, 4\n.entry k {\nmov.b32 $r1, widht\nreturn\n}");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].code, "ASM-SYMBOL");
  EXPECT_EQ(all[0].where.column, 14U);
  EXPECT_EQ(all[0].where.length, 5U);
  EXPECT_EQ(all[0].help, "did you mean 'width'?");
}

TEST(Equ, names_of_a_kernel_end_with_it) {
  EXPECT_THAT(places(".entry a {\n.equ N, 4\nreturn\n}\n.entry b {\nmov.b32 $r1, N\nreturn\n}"),
              ElementsAre("ASM-SYMBOL@6:14+1"));
}

TEST(Rept, repeats_with_a_counter) {
  const Kernel k = kernel(".rept 3\nmov.b32 $r\\+, \\+ * 4\n.endr\nreturn");
  ASSERT_EQ(k.code.size(), 4U);
  EXPECT_EQ(k.code[2].destination[0].index, 2);
  EXPECT_EQ(k.code[2].source[0].immediate, 8U);
  EXPECT_EQ(k.code[2].source_line, 3U);
}

TEST(Rept, nests_with_named_counters) {
  const Kernel k = kernel(".rept 2, i\n.rept 3, j\nmov.b32 $r(i*3+j), \\i\\j\n.endr\n.endr\nreturn");
  ASSERT_EQ(k.code.size(), 7U);
  EXPECT_EQ(k.code[5].destination[0].index, 5);
  EXPECT_EQ(k.code[5].source[0].immediate, 12U);
}

TEST(Rept, an_inner_counter_belongs_to_the_inner_repetition) {
  const Kernel k = kernel(".rept 2\n.rept 2\nmov.b32 $r1, \\+\n.endr\n.endr\nreturn");
  EXPECT_EQ(k.code[0].source[0].immediate, 0U);
  EXPECT_EQ(k.code[1].source[0].immediate, 1U);
  EXPECT_EQ(k.code[2].source[0].immediate, 0U);
}

TEST(Rept, an_error_is_reported_once_at_its_line) {
  const auto all = diagnostics(".entry k {\n.rept 3\n  add.u32 $rr, $r2, $r2\n.endr\nreturn\n}");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].where.line, 3U);
  EXPECT_EQ(all[0].where.column, 11U);
  EXPECT_THAT(all[0].notes, ElementsAre("in repetition 0 of the .rept at line 2"));
}

TEST(Rept, an_error_that_comes_with_the_counter_shows_the_text) {
  const auto all = diagnostics(".entry k {\n.rept 3\n  mov.b32 $r(126+\\+), 0\n.endr\nreturn\n}");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].where.line, 3U);
  EXPECT_THAT(all[0].notes,
              ElementsAre("line 3 reads here: mov.b32 $r(126+2), 0", "in repetition 2 of the .rept at line 2"));
}

TEST(Macro, arguments_and_local_labels) {
  const Kernel k = kernel(
      ".macro spin count, step\nmov.b32 $r1, \\count\nagain\\@:\nsub.u32 $r1, $r1, \\step\nbra again\\@\n.endm\n"
      "spin 10, (1 + 1)\nspin 20, 3\nreturn");
  ASSERT_EQ(k.code.size(), 7U);
  EXPECT_EQ(k.code[1].source[1].immediate, 2U);
  EXPECT_EQ(k.code[2].branch().target, 8U);
  EXPECT_EQ(k.code[5].branch().target, 32U);
  EXPECT_EQ(k.code[5].source_line, 9U);
}

TEST(Macro, an_error_points_at_the_use_and_names_the_definition) {
  const auto all = diagnostics(".macro inc r\nadd.u33 \\r, \\r, 1\n.endm\n.entry k {\n  inc $r2\nreturn\n}");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].code, "ASM-OPCODE");
  EXPECT_EQ(all[0].where.line, 5U);
  EXPECT_EQ(all[0].where.column, 3U);
  EXPECT_EQ(all[0].where.length, 7U);
  EXPECT_EQ(all[0].excerpt, "  inc $r2");
  EXPECT_THAT(all[0].notes, ElementsAre("line 2 reads here: add.u33 $r2, $r2, 1",
                                        "in the expansion of macro 'inc', defined at line 1"));
}

TEST(Macro, macros_use_macros_and_repetitions) {
  const Kernel k = kernel(
      ".macro one r\nmov.b32 $r\\r, \\r\n.endm\n.macro all n\n.rept \\n, i\none \\i\n.endr\n.endm\nall 4\nreturn");
  ASSERT_EQ(k.code.size(), 5U);
  EXPECT_EQ(k.code[3].destination[0].index, 3);
  EXPECT_EQ(k.code[3].source_line, 10U) << "the line of the outermost use";
}

TEST(Macro, errors) {
  EXPECT_THAT(places(".macro m a\n.endm\n.entry k {\nm\nm 1, 2\nreturn\n}"),
              ElementsAre("ASM-MACRO@4:1+1", "ASM-MACRO@5:1+1"));
  EXPECT_THAT(places(".macro add a\n.endm\n.entry k {\nreturn\n}"), ElementsAre("ASM-MACRO@1:8+3"));
  EXPECT_THAT(places(".macro m\n.endm\n.macro m\n.endm\n.entry k {\nreturn\n}"), ElementsAre("ASM-MACRO@3:8+1"));
  EXPECT_THAT(places(".macro m\nm\n.endm\n.entry k {\nm\nreturn\n}"), ElementsAre("ASM-MACRO@5:1+1"));
  EXPECT_THAT(places(".entry k {\nmov.b32 $r1, \\x\nreturn\n}"), ElementsAre("ASM-MACRO@2:14+2"));
  EXPECT_THAT(places(".endm\n.entry k {\nreturn\n}"), ElementsAre("ASM-DIRECTIVE@1:1+5"));
}

TEST(Limits, endless_expansions_end) {
  EXPECT_THAT(places(".entry k {\n.rept 1000\n.rept 1000\nnop\n.endr\n.endr\nreturn\n}"),
              ElementsAre("ASM-LIMIT@3:1+10"));
  EXPECT_THAT(places(".entry k {\n.rept 200000\n.rept 200000\n.endr\n.endr\nreturn\n}"),
              ElementsAre("ASM-LIMIT@3:1+12"));
  EXPECT_THAT(places(".rept 300000\n.endr\n.entry k {\nreturn\n}"), ElementsAre("ASM-RANGE@1:7+6"));
  EXPECT_THAT(places(".entry k {\nreturn\n" + std::string(5000, ' ') + "x\n}"), ElementsAre("ASM-LIMIT@3:5001+1"));
}

TEST(Rept, ends_at_its_first_repetition_with_a_mistake) {
  // Labels of the repetitions left out are not missed; mistakes elsewhere are reported all the same.
  const auto all = diagnostics(
      ".entry k {\n.rept 200000, i\nat\\i: mov.b32 $r(126+\\i), 0\n.endr\nbra.label at150000\nadd.u33 $r1, $r1, 1\n"
      "return\n}");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].where.line, 3U);
  EXPECT_THAT(all[0].notes.back(), HasSubstr("in repetition 2 of"));
  EXPECT_EQ(all[1].where.line, 6U);
}

TEST(Limits, of_lines_and_characters) {
  const std::string text = ".entry k {\n.rept 100, i\nmov.b32 $r1, \\i\n.endr\nreturn\n}";
  EXPECT_EQ(assemble_text(text, "k.asm").kernels.at(0).code.size(), 101U);
  EXPECT_THROW((void)assemble_text(text, "k.asm", {150, 10000}), InputError);
  EXPECT_EQ(assemble_text(text, "k.asm", {300, 10000}).kernels.at(0).code.size(), 101U);
  EXPECT_THROW((void)assemble_text(text, "k.asm", {300, 1000}), InputError);
}

TEST(Limits, lines_that_are_skipped_count) {
  std::string block;
  for (unsigned i = 0; i < 1000; ++i) block += "nop\n";
  EXPECT_THAT(places(".entry k {\n.rept 200000\n.rept 0\n" + block + ".endr\n.endr\nreturn\n}"),
              ElementsAre("ASM-LIMIT@3:1+7"));
}

TEST(Limits, missing_labels_are_named_up_to_a_number) {
  const auto all = diagnostics(".entry k {\n.rept 100000, i\nhere\\i: bra.label there\\i\n.endr\nreturn\n}");
  EXPECT_EQ(all.size(), 50U);
  EXPECT_EQ(all[0].code, "ASM-LABEL");
}

}  // namespace
}  // namespace teslasim
