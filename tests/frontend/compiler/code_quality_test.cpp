// SPDX-License-Identifier: Apache-2.0
// Datasheet of the code that is made of a few lines of PTX: which instructions are not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "frontend/compiler/compile.h"
#include "frontend/ptx/ptx_reader.h"
#include "isa/disassembler.h"

namespace teslasim::compiler {
namespace {

Kernel compiled(const std::string& body) {
  const std::string text =
      ".version 3.2\n.target sm_20\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) {\n"
      "  .reg .pred %p<4>;\n  .reg .b32 %r<40>;\n  .reg .f32 %f<40>;\n  .reg .b64 %d<20>;\n"
      "  .shared .align 4 .b8 words[4096];\n"
      "  ld.param.u64 %d1, [p];\n  cvta.to.global.u64 %d1, %d1;\n  ld.param.u64 %d2, [q];\n  cvta.to.global.u64 %d2, "
      "%d2;\n"
      "  ld.param.u32 %r1, [n];\n  mov.u32 %r2, %tid.x;\n  mov.u32 %r3, %ctaid.x;\n" +
      body + "  ret;\n}\n";
  return compile_ptx(ptx::read_checked_ptx(text, "k.ptx"), "k.ptx", {}, text).module.kernels.front();
}

std::ptrdiff_t count(const Kernel& kernel, Opcode opcode) {
  return std::count_if(kernel.code.begin(), kernel.code.end(),
                       [opcode](const Instruction& one) { return one.opcode == opcode; });
}

std::ptrdiff_t position(const Kernel& kernel, Opcode opcode) {
  const auto found = std::find_if(kernel.code.begin(), kernel.code.end(),
                                  [opcode](const Instruction& one) { return one.opcode == opcode; });
  return found - kernel.code.begin();
}

/// A loop that goes on while %p1 holds.
std::string loop(const std::string& body) {
  return "  mov.u32 %r9, 0;\nL:\n" + body + "  add.u32 %r9, %r9, 1;\n  setp.lt.u32 %p1, %r9, %r1;\n  @%p1 bra L;\n";
}

TEST(CodeQuality, ComparisonsInARowShareOneFlagRegister) {
  const Kernel kernel = compiled(R"(
  setp.lt.s32 %p1, %r2, 7;
  setp.lt.s32 %p2, %r3, 9;
  and.pred %p3, %p1, %p2;
  @%p3 st.global.u32 [%d1], %r2;
)");
  EXPECT_EQ(count(kernel, Opcode::set), 2) << listing(kernel);
  EXPECT_EQ(count(kernel, Opcode::logic_and), 1) << "of the thread index alone\n" << listing(kernel);
  const auto last = std::find_if(kernel.code.rbegin(), kernel.code.rend(),
                                 [](const Instruction& one) { return one.opcode == Opcode::set; });
  EXPECT_TRUE(last->predicated()) << listing(kernel);
}

TEST(CodeQuality, ConstantsOfALoopAreMovedOnce) {
  const Kernel kernel = compiled("  mov.f32 %f1, 0f3F800000;\n" +
                                 loop("  fma.rn.f32 %f1, %f1, 0f3F000000, 0f4039999A;\n"
                                      "  fma.rn.f32 %f1, %f1, 0f3F000000, 0f4039999A;\n") +
                                 "  st.global.f32 [%d1], %f1;\n");
  const auto is_constant = [](const Instruction& one) {
    return one.opcode == Opcode::mov && one.source[0].kind == Operand::Kind::immediate &&
           one.source[0].immediate == 0x4039999aU;
  };
  EXPECT_EQ(std::count_if(kernel.code.begin(), kernel.code.end(), is_constant), 1) << listing(kernel);
  const auto at = std::find_if(kernel.code.begin(), kernel.code.end(), is_constant) - kernel.code.begin();
  const auto sum = std::find_if(kernel.code.begin(), kernel.code.end(),
                                [](const Instruction& one) { return one.opcode == Opcode::fmad; }) -
                   kernel.code.begin();
  EXPECT_LT(at, sum) << listing(kernel);
}

TEST(CodeQuality, TheReciprocalOfARootIsOneInstruction) {
  const Kernel kernel = compiled(R"(
  ld.global.f32 %f1, [%d1];
  sqrt.rn.f32 %f2, %f1;
  rcp.rn.f32 %f3, %f2;
  st.global.f32 [%d2], %f3;
)");
  EXPECT_EQ(count(kernel, Opcode::rsqrt), 1) << listing(kernel);
  EXPECT_EQ(count(kernel, Opcode::rcp), 0) << listing(kernel);
}

TEST(CodeQuality, ShortBranchesAreGuards) {
  const Kernel kernel = compiled(R"(
  setp.ge.u32 %p1, %r2, 7;
  @%p1 bra DONE;
  st.shared.u32 [words+16], %r3;
DONE:
  bar.sync 0;
)");
  EXPECT_EQ(count(kernel, Opcode::bra), 0) << listing(kernel);
  EXPECT_EQ(count(kernel, Opcode::joinat), 0) << listing(kernel);
  const auto store = kernel.code.begin() + position(kernel, Opcode::store_shared);
  ASSERT_NE(store, kernel.code.end());
  EXPECT_TRUE(store->predicated());
}

TEST(CodeQuality, ALoopEndsWithOneBranch) {
  const Kernel kernel = compiled(loop("  add.u32 %r10, %r9, %r3;\n  bar.sync 0;\n  st.shared.u32 [words], %r10;\n"));
  EXPECT_EQ(count(kernel, Opcode::bra), 1) << listing(kernel);
}

TEST(CodeQuality, ALoopThatThreadsEndInHasOneBranchInEachTurn) {
  const Kernel kernel = compiled(loop("  st.shared.u32 [words], %r9;\n"));
  ASSERT_EQ(count(kernel, Opcode::bra), 1) << listing(kernel);
  EXPECT_EQ(position(kernel, Opcode::bra) + 2, static_cast<std::ptrdiff_t>(kernel.code.size())) << listing(kernel);
}

TEST(CodeQuality, PointersIntoOneMemoryAreComparedByTheirLowerWords) {
  const Kernel kernel = compiled(R"(
  setp.ne.s64 %p1, %d1, %d2;
  @%p1 st.global.u32 [%d1], %r2;
)");
  EXPECT_EQ(count(kernel, Opcode::logic_xor), 0) << listing(kernel);
  EXPECT_EQ(count(kernel, Opcode::set), 1) << listing(kernel);
}

TEST(CodeQuality, NumbersOf64BitsAreComparedWhole) {
  const Kernel kernel = compiled(R"(
  mul.wide.u32 %d3, %r2, %r3;
  mul.wide.u32 %d4, %r1, %r3;
  setp.lt.u64 %p1, %d3, %d4;
  @%p1 st.global.u32 [%d1], %r2;
)");
  EXPECT_GE(count(kernel, Opcode::set), 3) << listing(kernel);
}

TEST(CodeQuality, ConstantsOfAddressesBecomeOffsets) {
  // words[thread + 5] and words[thread + 6]: one address register for both.
  const Kernel kernel = compiled(R"(
  mov.u64 %d3, words;
  add.u32 %r10, %r2, 5;
  mul.wide.u32 %d4, %r10, 4;
  add.s64 %d5, %d3, %d4;
  st.shared.u32 [%d5], %r1;
  add.u32 %r11, %r2, 6;
  mul.wide.u32 %d6, %r11, 4;
  add.s64 %d7, %d3, %d6;
  st.shared.u32 [%d7], %r3;
)");
  EXPECT_EQ(count(kernel, Opcode::shift_to_address), 1) << listing(kernel);
}

TEST(CodeQuality, OperandsFarAwayShareTheAddressRegisterOfTheirWindow) {
  std::string body = "  mov.f32 %f1, 0f00000000;\n  cvt.rn.f32.u32 %f2, %r2;\n";
  for (unsigned i = 0; i < 16; ++i) {
    body += "  ld.shared.f32 %f3, [words+" + std::to_string(1024 + 4 * i) + "];\n  mul.rn.f32 %f4, %f3, %f2;\n";
    body += "  add.rn.f32 %f1, %f1, %f4;\n";
  }
  const Kernel kernel = compiled(body + "  st.global.f32 [%d1], %f1;\n");
  EXPECT_EQ(count(kernel, Opcode::load_shared), 0) << listing(kernel);
  EXPECT_LE(count(kernel, Opcode::add_address), 2) << listing(kernel);
  EXPECT_EQ(count(kernel, Opcode::fmad), 16) << listing(kernel);
}

TEST(CodeQuality, AddressRegistersOfALoopAreSetBeforeIt) {
  const Kernel kernel = compiled(R"(
  mov.u64 %d3, words;
  mul.wide.u32 %d4, %r2, 4;
  add.s64 %d5, %d3, %d4;
)" + loop("  ld.shared.u32 %r10, [%d5];\n  add.u32 %r10, %r10, %r9;\n  st.shared.u32 [%d5+64], %r10;\n  bar.sync "
          "0;\n"));
  EXPECT_EQ(count(kernel, Opcode::shift_to_address), 1) << listing(kernel);
  std::uint32_t header = 0;
  for (const Instruction& one : kernel.code) {
    if (one.opcode == Opcode::bra) header = one.branch().target;
  }
  EXPECT_LT(kernel.code[static_cast<std::size_t>(position(kernel, Opcode::shift_to_address))].pc, header)
      << listing(kernel);
}

/// ... and ends the loop by the flags of its shift.
TEST(CodeQuality, ANumberThatALoopHalvesTakesOneRegister) {
  const Kernel kernel = compiled(R"(
L:
  shr.u32 %r10, %r1, 1;
  st.shared.u32 [words], %r10;
  bar.sync 0;
  setp.gt.u32 %p1, %r1, 3;
  mov.u32 %r1, %r10;
  @%p1 bra L;
)");
  EXPECT_EQ(count(kernel, Opcode::set), 0) << listing(kernel);
  const auto shift = std::find_if(kernel.code.begin(), kernel.code.end(),
                                  [](const Instruction& one) { return one.flag_destination >= 0; });
  ASSERT_NE(shift, kernel.code.end());
  EXPECT_EQ(shift->opcode, Opcode::shr) << listing(kernel);
  EXPECT_EQ(shift->destination[0].index, shift->source[0].index) << "without a move between\n" << listing(kernel);
}

TEST(CodeQuality, RowsOfATileAreOffsetsOfOneAddress) {
  // tile[y], tile[y + 1] and tile[y + 2] with rows of 72 bytes.
  std::string body = "  mov.u64 %d3, words;\n  mov.u32 %r4, %tid.y;\n";
  for (const char* row : {"1", "2"}) {
    body += std::string("  add.u32 %r1") + row + ", %r4, " + row + ";\n  mul.wide.u32 %d4, %r1" + row + ", 72;\n";
    body += "  add.s64 %d5, %d3, %d4;\n  st.shared.u32 [%d5], %r1;\n";
  }
  const Kernel kernel =
      compiled(body + "  mul.wide.u32 %d4, %r4, 72;\n  add.s64 %d5, %d3, %d4;\n  st.shared.u32 [%d5], %r1;\n");
  EXPECT_EQ(count(kernel, Opcode::mul), 1) << listing(kernel);
  EXPECT_EQ(count(kernel, Opcode::shift_to_address), 1) << listing(kernel);
}

TEST(CodeQuality, AValueThatOneWayChangesIsComputedInItsPlace) {
  const Kernel kernel = compiled(loop(R"(
  setp.gt.u32 %p2, %r2, %r9;
  @%p2 bra NEXT;
  add.u32 %r3, %r3, %r1;
NEXT:
  bar.sync 0;
)") + "  st.global.u32 [%d1], %r3;\n");
  const auto guarded = std::count_if(kernel.code.begin(), kernel.code.end(), [](const Instruction& one) {
    return one.predicated() && one.opcode == Opcode::add;
  });
  EXPECT_EQ(guarded, 1) << listing(kernel);
}

TEST(CodeQuality, ShortFormsStandSideBySide) {
  const Kernel kernel = compiled(R"(
  cvt.rn.f32.u32 %f1, %r2;
  cvt.rn.f32.u32 %f2, %r3;
  mul.rn.f32 %f3, %f1, %f2;
  fma.rn.f32 %f4, %f1, 0f3f000000, %f2;
  mul.rn.f32 %f5, %f1, %f1;
  fma.rn.f32 %f6, %f2, 0f3f100000, %f1;
  st.global.v4.f32 [%d1], {%f3, %f4, %f5, %f6};
)");
  // A product and what stands before it: neither has a neighbour in the source that could be short.
  const auto short_ones = std::count_if(kernel.code.begin(), kernel.code.end(),
                                        [](const Instruction& one) { return one.form == Form::short_form; });
  EXPECT_EQ(short_ones, 2) << listing(kernel);
}

TEST(CodeQuality, CodeLargerThanTheCacheReadsSharedWordsInShortForms) {
  std::string body = "  cvt.rn.f32.u32 %f2, %r2;\n";
  for (unsigned k = 0; k < 8; ++k) body += "  cvt.rn.f32.u32 %f" + std::to_string(10 + k) + ", %r3;\n";
  for (unsigned i = 0; i < 800; ++i) {
    const std::string sum = "%f" + std::to_string(10 + i % 8);
    body +=
        "  ld.shared.f32 %f3, [words+" + std::to_string(4 * i) + "];\n  mad.f32 " + sum + ", %f3, %f2, " + sum + ";\n";
  }
  for (unsigned k = 0; k < 8; ++k)
    body += "  st.global.f32 [%d1+" + std::to_string(4 * k) + "], %f" + std::to_string(10 + k) + ";\n";
  const Kernel kernel = compiled(body);
  const auto short_products = std::count_if(kernel.code.begin(), kernel.code.end(), [](const Instruction& one) {
    return one.opcode == Opcode::fmad && one.form == Form::short_form;
  });
  EXPECT_GT(short_products, 700) << listing(kernel);
}

TEST(CodeQuality, AnEndThatThreadsReachApartIsNotShared) {
  const Kernel kernel = compiled(R"(
  setp.eq.s32 %p1, %r2, 0;
  @%p1 bra FIRST;
  setp.ne.s32 %p2, %r2, 15;
  @%p2 bra DONE;
  sub.u32 %r10, %r1, 2;
  max.u32 %r11, %r10, %r3;
  mul.lo.u32 %r11, %r11, %r10;
  mov.u32 %r12, 100;
  bra TAIL;
FIRST:
  add.u32 %r10, %r1, 5;
  min.u32 %r11, %r10, %r3;
  mul.lo.u32 %r11, %r11, %r10;
  mov.u32 %r12, 200;
TAIL:
  st.shared.u32 [words+4], %r11;
  add.u32 %r13, %r12, %r3;
  st.shared.u32 [words+8], %r13;
DONE:
  bar.sync 0;
)");
  EXPECT_EQ(count(kernel, Opcode::store_shared), 4) << listing(kernel);
}

TEST(CodeQuality, WhatTheLaunchGivesIsMadeAgainBehindALoop) {
  const Kernel kernel = compiled("  shl.b32 %r20, %r3, 5;\n  st.shared.u32 [words+64], %r20;\n" +
                                 loop("  st.shared.u32 [words], %r9;\n  bar.sync 0;\n") +
                                 "  add.u32 %r21, %r20, %r9;\n  st.global.u32 [%d1], %r21;\n");
  EXPECT_EQ(count(kernel, Opcode::shl), 2) << listing(kernel);
}

}  // namespace
}  // namespace teslasim::compiler
