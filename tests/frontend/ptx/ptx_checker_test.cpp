// SPDX-License-Identifier: Apache-2.0
// Names, instructions and operands of PTX: what a module that can be compiled may hold, and each mistake at its place.
#include "frontend/ptx/ptx_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/ptx/ptx_operand_checker.h"
#include "frontend/ptx/ptx_operations.h"
#include "frontend/ptx/ptx_reader.h"
#include "frontend/ptx/ptx_symbols.h"
#include "sim/base/diagnostic.h"

namespace teslasim::ptx {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A kernel with registers of all types and variables in all spaces, around `body`, which begins in line 18.
std::string program(const std::string& body) {
  return R"(.version 1.4
.target sm_13
.tex .u32 image;
.const .align 4 .b8 table[64];
.global .u32 counter;
.shared .align 4 .b8 tile[64];
.func (.reg .f32 %result) half (.reg .f32 %number) { ret; }
.entry kernel (.param .u64 output, .param .u32 count)
{
.reg .pred %p<4>;
.reg .u16 %h<4>;
.reg .u32 %r<10>;
.reg .u64 %rd<4>;
.reg .f32 %f<8>;
.reg .f64 %d<4>;
.reg .v4 .f32 %quad;
.local .align 4 .b8 stack[16];
)" + body +
         "\n}\n";
}

/// "line:column code message" of each mistake; lines count from the first of `body`.
std::vector<std::string> mistakes_in(const std::string& body) {
  std::vector<std::string> found;
  for (const PtxMistake& one : check_ptx(read_ptx(program(body), "k.ptx"))) {
    found.push_back(std::to_string(one.place.line - 17) + ":" + std::to_string(one.place.column) + " " + one.code +
                    " " + one.message);
  }
  return found;
}

class Accepted : public ::testing::TestWithParam<const char*> {};
TEST_P(Accepted, HasNoMistake) {
  EXPECT_THAT(mistakes_in(GetParam()), SizeIs(0)) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, Accepted,
    ::testing::Values("add.s32 %r1, %r2, -5;", "add.rn.ftz.sat.f32 %f1, %f2, 0f3F800000;", "add.f64 %d1, %d2, 1.5;",
                      "sub.cc.u32 %r1, %r2, %r3;", "mul.wide.u16 %r1, %h1, %h2;", "mad.wide.s32 %rd1, %r1, 4, %rd2;",
                      "mul.lo.u64 %rd1, %rd2, 4;", "mul24.lo.s32 %r1, %r2, 16;", "mad24.hi.sat.s32 %r1, %r2, %r3, %r4;",
                      "mad.f32 %f1, %f2, %f3, %f4;", "fma.rn.f32 %f1, %f2, %f3, %f4;", "sad.u32 %r1, %r2, %r3, %r4;",
                      "div.full.f32 %f1, %f2, %f3;", "ex2.approx.ftz.f32 %f1, %f2;", "rcp.f32 %f1, %f2;",
                      "popc.b64 %r1, %rd1;", "and.b32 %r1, %f1, 0xFFFFFFFF;", "xor.pred %p1, %p2, %p3;",
                      "shl.b64 %rd1, %rd2, %r1;", "shr.s16 %h1, %h2, 3;", "bfe.u64 %rd1, %rd2, 3, %r1;"));
INSTANTIATE_TEST_SUITE_P(ComparingAndMoving, Accepted,
                         ::testing::Values("setp.lt.and.u32 %p1|%p2, %r1, 5, !%p3;", "set.gt.u32.f32 %r1, %f1, %f2;",
                                           "setp.eq.b32 %p1, %r1, %f1;", "selp.f32 %f1, %f2, 0f00000000, %p1;",
                                           "slct.f32.s32 %f1, %f2, %f3, %r1;", "mov.pred %p1, -1;",
                                           "mov.u64 %rd1, tile;", "mov.u32 %r1, tile+8;", "mov.u32 %r1, %tid.x;",
                                           "mov.u16 %h1, %ctaid.y;", "mov.u32 %r1, WARP_SZ;",
                                           "mov.b64 {%r1, %r2}, %d1;", "mov.b32 %r1, {%h1, %h2};",
                                           "mov.f32 %quad.x, %quad.w;", "cvt.u32.u16 %r1, %tid.x;",
                                           "cvt.u8.u32 %r1, %r2;", "cvt.rzi.s32.f32 %r1, %f1;",
                                           "cvta.to.global.u64 %rd1, %rd2;"));
INSTANTIATE_TEST_SUITE_P(MemoryAndControl, Accepted,
                         ::testing::Values("ld.param.u64 %rd1, [output];", "ld.global.s32 %rd1, [%rd2+-8];",
                                           "ld.volatile.shared.v2.f32 {%f1, _}, [tile+8];",
                                           "ld.global.cg.v2.u32 {%r1, %r2}, [%rd1];", "st.global.wt.u32 [%rd1], %r1;",
                                           "ld.const[1].u32 %r1, [table];", "ld.shared.v4.f32 %quad, [%r1];",
                                           "st.global.u8 [counter], %r1;", "st.local.f32 [stack+4], 0f00000000;",
                                           "st.u32 [%rd1], %r1;", "atom.global.cas.b32 %r1, [%rd1], %r2, %r3;",
                                           "red.shared.add.u32 [tile], 1;",
                                           "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1, %r2, %r3, %r4}];",
                                           "tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [image, {%f1, %f2}];",
                                           "@!%p1 bra.uni later; later:", "{ .reg .u32 %inner; mov.u32 %inner, %r1; }",
                                           "call (%f1), half, (%f2);", "bar.sync 0;", "membar.gl;",
                                           "vote.any.pred %p1, !%p2;", "vote.ballot.b32 %r1, %p2;", "exit;"));

TEST(PtxNameMistakes, UndeclaredOnesAreReportedOnce) {
  EXPECT_THAT(mistakes_in("add.u32 %r1, %r10, %r2;\nadd.u32 %r1, %r10, %x;"),
              ::testing::ElementsAre("1:14 PTX-NAME '%r10' is not declared", "2:20 PTX-NAME '%x' is not declared"))
      << "%r<10> ends at %r9";
  EXPECT_THAT(mistakes_in("add.u32 %r1, %r01, 1;"), SizeIs(1));
}

TEST(PtxNameMistakes, ScopesEndWhatTheyDeclare) {
  EXPECT_THAT(mistakes_in("{ .reg .u32 %t; inner: }\nmov.u32 %r1, %t;\nbra inner;"),
              ::testing::ElementsAre("2:14 PTX-NAME '%t' is not declared", "3:5 PTX-NAME 'inner' is not declared"));
  EXPECT_THAT(mistakes_in("bra outer; { bra outer; } outer:"), SizeIs(0));
  EXPECT_THAT(mistakes_in("mov.u32 %late, 1;\n.reg .u32 %late;"), SizeIs(1))
      << "registers are declared before their use";
}

TEST(PtxPlaceMistakes, VariablesOfTheModuleStandOutsideOfFunctions) {
  EXPECT_THAT(mistakes_in(".tex .u64 a;\n.global .u32 b;\n.const .u32 c = 5;\n{ .global .texref d; }"),
              ::testing::ElementsAre("1:11 PTX-DIRECTIVE 'a' must be declared outside of functions",
                                     "2:14 PTX-DIRECTIVE 'b' must be declared outside of functions",
                                     "3:13 PTX-DIRECTIVE 'c' must be declared outside of functions",
                                     "4:19 PTX-DIRECTIVE 'd' must be declared outside of functions"));
  EXPECT_THAT(mistakes_in(".local .u32 a; .shared .u32 b; .reg .u32 c; .param .u32 d;"), SizeIs(0));
}

TEST(PtxNameMistakes, DeclaredTwice) {
  EXPECT_THAT(mistakes_in("same:\nsame:"), ::testing::ElementsAre("2:1 PTX-NAME 'same' is declared twice"));
  EXPECT_THAT(mistakes_in(".reg .u32 %r<4>;"), SizeIs(1));
  EXPECT_THAT(mistakes_in("{ .reg .u32 %r<4>; }"), SizeIs(0)) << "an inner scope may hide a name";
  const auto again = [](const char* text) { return check_ptx(read_ptx(text, "k.ptx")).size(); };
  EXPECT_EQ(0U, again(".extern .func f (); .func f () { ret; } .func g () { call f; ret; }"));
  EXPECT_EQ(1U, again(".func f () { ret; } .func f (); .func f () { ret; }"));
}

TEST(PtxOperationMistakes, AtTheModifierThatIsWrong) {
  EXPECT_THAT(mistakes_in("frobnicate.b32 %r1, %r2, 3;"),
              ::testing::ElementsAre("1:1 PTX-OPERATION there is no instruction 'frobnicate'"));
  EXPECT_THAT(mistakes_in("add.u32.foo %r1, %r2, %r3;"),
              ::testing::ElementsAre("1:8 PTX-OPERATION 'add' has no such type or modifier: '.foo'"));
  EXPECT_THAT(mistakes_in("mul.u32 %r1, %r2, %r3;"), ::testing::ElementsAre(HasSubstr("1:4 PTX-OPERATION")));
  EXPECT_THAT(mistakes_in("setp.u32 %p1, %r2, %r3;"), ::testing::ElementsAre(HasSubstr("1:5 PTX-OPERATION")));
  EXPECT_THAT(mistakes_in("ld.global.pred %p1, [%rd1];"), ::testing::ElementsAre(HasSubstr("1:10 PTX-OPERATION")));
  EXPECT_THAT(mistakes_in("mov %r1, %r2;"), ::testing::ElementsAre(HasSubstr("1:1 PTX-OPERATION")));
}

struct Wrong {
  const char* line;
  const char* expected;
};
class Refused : public ::testing::TestWithParam<Wrong> {};
TEST_P(Refused, AtItsPlace) {
  EXPECT_THAT(mistakes_in(GetParam().line), ::testing::ElementsAre(::testing::StartsWith(GetParam().expected)));
}

INSTANTIATE_TEST_SUITE_P(
    Operands, Refused,
    ::testing::Values(Wrong{"add.u32 %r1, %r2;", "1:1 PTX-OPERAND 'add' takes 3 operands, not 2"},
                      Wrong{"bar.sync;", "1:1 PTX-OPERAND 'bar' takes 1 or 2 operands, not 0"},
                      Wrong{"add.u32 5, %r2, %r3;", "1:9 PTX-OPERAND expected a register"},
                      Wrong{"mov.u32 %tid.x, %r1;", "1:9 PTX-OPERAND '%tid' cannot be written"},
                      Wrong{"mov.u32 %r1, %tid;", "1:14 PTX-OPERAND '%tid' is a vector"},
                      Wrong{"mov.u32 %r1, %laneid.x;", "1:14 PTX-OPERAND '%laneid' is no vector"},
                      Wrong{"add.u32 %r1, counter, 1;", "1:14 PTX-OPERAND 'counter' is no register"},
                      Wrong{"mov.f32 %f1, %quad;", "1:14 PTX-OPERAND '%quad' is a vector"},
                      Wrong{"mov.f32 %f1, %f2.x;", "1:14 PTX-OPERAND '%f2' is no vector"},
                      Wrong{"add.u32 %r1, _, 1;", "1:14 PTX-OPERAND '_' has no value"},
                      Wrong{"ld.global.u32 %r1, %rd1;", "1:20 PTX-OPERAND expected an address"},
                      Wrong{"ld.global.v2.u32 %r1, [%rd1];", "1:18 PTX-OPERAND expected a vector of 2 elements"},
                      Wrong{"ld.global.u32 {%r1, %r2}, [%rd1];", "1:15 PTX-OPERAND a vector needs .v2"},
                      Wrong{"bra %r1;", "1:5 PTX-OPERAND '%r1' is no label"},
                      Wrong{"ld.shared.u32 %r1, [kernel];", "1:20 PTX-OPERAND 'kernel' is no variable"},
                      Wrong{"call half, (%f1);", "1:1 PTX-OPERAND the function has 1 results, not 0"},
                      Wrong{"call (%f1), half, (%f2, %f3);", "1:19 PTX-OPERAND the function has 1 arguments, not 2"},
                      Wrong{"call %rd1, (%f1);", "1:6 PTX-OPERAND '%rd1' is no function"},
                      Wrong{"tex.2d.v4.f32.f32 %quad, [image, {%f1}];", "1:34 PTX-OPERAND a texture of 2 dimensions"},
                      Wrong{"tex.1d.v4.f32.s32 %quad, [tile, {%r1}];", "1:26 PTX-OPERAND 'tile' is no texture"}));
INSTANTIATE_TEST_SUITE_P(
    Types, Refused,
    ::testing::Values(Wrong{"add.u32 %rd1, %r2, %r3;", "1:9 PTX-TYPE '%rd1' is .u64, and the instruction takes .u32"},
                      Wrong{"add.f32 %f1, %r2, %f3;", "1:14 PTX-TYPE '%r2' is .u32"},
                      Wrong{"mul.wide.u32 %r1, %r2, %r3;", "1:14 PTX-TYPE '%r1' is .u32"},
                      Wrong{"ld.global.u64 %r1, [%rd1];", "1:15 PTX-TYPE '%r1' is .u32"},
                      Wrong{"ld.global.f32 %d1, [%rd1];", "1:15 PTX-TYPE '%d1' is .f64"},
                      Wrong{"shl.b64 %rd1, %rd2, %rd3;", "1:21 PTX-TYPE '%rd3' is .u64"},
                      Wrong{"@%r1 ret;", "1:2 PTX-TYPE '%r1' is .u32, and the instruction takes .pred"},
                      Wrong{"selp.u32 %r1, %r2, %r3, %r4;", "1:25 PTX-TYPE '%r4' is .u32"},
                      Wrong{"add.f32 %f1, %f2, 1;", "1:19 PTX-TYPE a whole number where .f32"},
                      Wrong{"add.u32 %r1, %r2, 1.0;", "1:19 PTX-TYPE a float where .u32"},
                      Wrong{"mov.u16 %h1, 65536;", "1:14 PTX-TYPE the number does not fit into .u16"},
                      Wrong{"mov.u16 %h1, tile;", "1:14 PTX-TYPE an address does not fit into .u16"},
                      Wrong{"ld.global.u32 %r1, [%h1];", "1:20 PTX-TYPE '%h1' is .u16, and an address has"},
                      Wrong{"ld.global.u32 %r1, [tile];", "1:20 PTX-TYPE 'tile' stands in .shared"},
                      Wrong{"mov.b64 {%r1, %h2}, %rd1;", "1:15 PTX-TYPE '%h2' is .u16"}));

TEST(PtxChecks, InitialValuesFit) {
  const auto wrong = [](const char* text) { return check_ptx(read_ptx(text, "k.ptx")); };
  EXPECT_THAT(wrong(".global .b8 a[2] = {255, -128};\n.global .u64 p = a;"), SizeIs(0));
  EXPECT_EQ("PTX-TYPE", wrong(".global .b8 a[2] = {256};").at(0).code);
  EXPECT_EQ("PTX-TYPE", wrong(".global .b8 a[2] = {-129};").at(0).code);
  EXPECT_EQ("PTX-OPERAND", wrong(".global .b8 a[2] = {1, 2, 3};").at(0).code);
  EXPECT_EQ("PTX-NAME", wrong(".global .u64 p = nothing;").at(0).code);
}

TEST(PtxChecks, AllMistakesOfAFileInOneError) {
  try {
    (void)read_checked_ptx(program("add.u32 %r1, %x, 1;\nbra nowhere;"), "k.ptx");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(ExitCode::input, error.exit_code());
    const std::string text = render(error.diagnostics());
    EXPECT_THAT(text, HasSubstr("k.ptx:18:14"));
    EXPECT_THAT(text, HasSubstr("k.ptx:19:5"));
    EXPECT_THAT(text, HasSubstr("declare it in this function, such as .reg .u32 %x;"));
  }
}

TEST(PtxChecks, MistakesAreBounded) {
  std::string body;
  for (int i = 0; i < 3000; ++i) body += "frob;\n";
  EXPECT_THAT(mistakes_in(body), SizeIs(most_ptx_mistakes));
}

TEST(PtxOperations, RowsOfANameStandTogether) {
  std::vector<std::string_view> names;
  for (const PtxOperation& row : ptx_operations()) {
    EXPECT_LE(row.fewest, row.most) << row.name;
    if (names.empty() || names.back() != row.name) names.push_back(row.name);
  }
  std::vector<std::string_view> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted.end(), std::unique(sorted.begin(), sorted.end()));
}

TEST(PtxOperations, AFormSaysWhatTheCompilerNeeds) {
  const PtxModule module = read_ptx(program("ld.global.v2.f32 {%f1, %f2}, [%rd1];"), "k.ptx");
  const PtxInstruction& load = std::get<PtxInstruction>(module.functions.at(1).body->statements.back());
  const PtxForm form = match_form(load).form.value();
  EXPECT_EQ(PtxOpcode::load, form.opcode());
  EXPECT_EQ(PtxType::f32, form.types[0]);
  EXPECT_EQ(PtxSpace::global, form.space);
  EXPECT_EQ(2, form.vector);
}

TEST(PtxNames, ARegisterOfARangeHasItsNumber) {
  PtxVariable registers;
  registers.space = PtxSpace::reg;
  registers.range = 10;
  PtxNames names;
  PtxSymbol symbol;
  symbol.variable = &registers;
  names.declare("%r", symbol);
  EXPECT_EQ(7U, names.find("%r7").value().number);
  EXPECT_FALSE(names.find("%r10"));
  EXPECT_FALSE(names.find("%r"));
}

TEST(PtxConstants, FitWithOrWithoutASign) {
  EXPECT_TRUE(fits_into(255, 8));
  EXPECT_FALSE(fits_into(256, 8));
  EXPECT_TRUE(fits_into(static_cast<std::uint64_t>(-128), 8));
  EXPECT_FALSE(fits_into(static_cast<std::uint64_t>(-129), 8));
  EXPECT_TRUE(fits_into(~std::uint64_t{0}, 64));
}

}  // namespace
}  // namespace teslasim::ptx
