// SPDX-License-Identifier: Apache-2.0
// Laws of the disassembler: what it prints is read back to the same words, for every pair of words that decodes.
#include "frontend/text/disassembly.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "frontend/cubin/kernel_code.h"
#include "frontend/frontend.h"
#include "frontend/text/assembler.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Words that decode at sm_13: shorts in pairs, then `return`.
std::vector<std::uint32_t> random_code(std::mt19937_64& random) {
  std::vector<std::uint32_t> words;
  constexpr std::size_t enough = 60;
  while (words.size() < enough) {
    const auto first = static_cast<std::uint32_t>(random());
    const auto second = static_cast<std::uint32_t>(random());
    const auto instruction = decode(first, second, highest_sm);
    if (!instruction || instruction->form == Form::control_form) continue;
    words.push_back(first);
    words.push_back(encoded_bytes(first) == 8 ? second : first);
  }
  words.push_back(0x30000003);
  words.push_back(0x00000780);
  return words;
}

Module module_of(const std::vector<std::uint32_t>& words) {
  Module module;
  module.path = "k.cubin";
  module.container = "text cubin";
  module.sm = highest_sm;
  Kernel kernel;
  kernel.name = "k";
  kernel.registers = all_registers;
  kernel.local_bytes = 65536;
  adopt_code(kernel, decode_code(words, highest_sm));
  module.kernels.push_back(std::move(kernel));
  return module;
}

std::vector<std::uint32_t> words_of(const Module& module) {
  std::vector<Diagnostic> problems;
  return encode_code(module.kernels.at(0), module.sm, problems);
}

RC_GTEST_PROP(Disassembly, assembly_reads_back_to_the_same_words, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const std::vector<std::uint32_t> words = random_code(random);
  const std::string text = disassembly(module_of(words), DisassemblyFormat::assembly);
  RC_LOG() << text;
  RC_ASSERT(words_of(read_module_bytes("k.asm", text)) == words);
}

RC_GTEST_PROP(Disassembly, listings_read_back_to_the_same_words, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const std::vector<std::uint32_t> words = random_code(random);
  for (const DisassemblyFormat format : {DisassemblyFormat::decuda, DisassemblyFormat::annotated}) {
    const Module read = read_module_bytes("k.txt", disassembly(module_of(words), format));
    RC_ASSERT(words_of(read) == words);
    RC_ASSERT(read.warnings.empty());
  }
}

/// Raw words are the exception, not the rule, even for random words (which have flag registers that nothing tests).
TEST(Disassembly, MostWordsHaveText) {
  std::mt19937_64 random(1);
  std::size_t raw = 0, all = 0;
  for (int n = 0; n < 200; ++n) {
    const Module module = module_of(random_code(random));
    for (Instruction instruction : module.kernels[0].code) {
      instruction.unused_bits = 0;
      ++all;
      if (exact_text(instruction, highest_sm).starts_with("d.u32")) ++raw;
    }
  }
  EXPECT_LT(raw, all / 10) << "of " << all;
}

TEST(Disassembly, BitsThatTextCannotSayBecomeRawWords) {
  const auto mad_rm = decode(0xe0010205, 0x00408780, 10);
  ASSERT_TRUE(mad_rm);
  EXPECT_EQ(exact_text(*mad_rm, 10), "d.u32 0xe0010205, 0x00408780  // mad.rn.f32 $r1, $r1, $r1, $r2");
}

TEST(Disassembly, ANegatedLiteralKeepsItsBits) {
  Instruction add = assemble_text(".entry k {\nadd.rn.f32 $r1, $r2, 1.0f\nreturn\n}").kernels.at(0).code.at(0);
  add.source[1].negate = true;
  EXPECT_EQ(to_text(add), "add.rn.f32 $r1, $r2, 0x3f800000.neg");
  EXPECT_EQ(exact_text(add, 10), to_text(add));
}

constexpr std::string_view program = R"(.arch sm_12
.const c0 : u32 7
.entry k
{
  .param u32 n
  .const c1 : u32 0x3ff
  .lmem 8
  mov.b32 $r1, s[n]
again:
  and.b32 $r1, $r1, c1[0]
  set.ne.u32 $p0|$r1, $r1, $r2
  @$p0.ne bra again
  bar.sync 0
  return
}
)";

TEST(Disassembly, AListingKeepsResourcesParametersAndConstants) {
  const Module module = assemble_text(program, "k.asm");
  const Module read = read_module_bytes("k.txt", disassembly(module, DisassemblyFormat::decuda));
  const Kernel &before = module.kernels.at(0), &after = read.kernels.at(0);
  EXPECT_EQ(read.sm, 12);
  EXPECT_EQ(after.name, "k");
  EXPECT_EQ(after.registers, before.registers);
  EXPECT_EQ(after.shared_bytes, before.shared_bytes);
  EXPECT_EQ(after.local_bytes, 8U);
  EXPECT_EQ(after.barriers, 1U);
  ASSERT_THAT(after.parameters, SizeIs(1));
  EXPECT_EQ(after.parameters[0].bytes, 4U);
  EXPECT_EQ(after.constants.at(0).bytes, before.constants.at(0).bytes);
  EXPECT_EQ(read.constants.at(0).bytes, module.constants.at(0).bytes);
}

TEST(Disassembly, TextForTheAssemblerKeepsTheParametersOfABinary) {
  Module module = assemble_text(program, "k.asm");
  Kernel& before = module.kernels.at(0);
  before.parameters = {{"x", ValueType::b64, 0, 8}, {"", ValueType::none, 8, 12}, {"n", ValueType::b32, 20, 4}};
  before.parameters_named = false;
  before.shared_bytes = 48;
  const std::string text = disassembly(module, DisassemblyFormat::assembly);
  const Module again = assemble_text(text);
  const Kernel& after = again.kernels.at(0);
  EXPECT_FALSE(after.parameters_named);
  ASSERT_THAT(after.parameters, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(after.parameters[i].type, before.parameters[i].type);
    EXPECT_EQ(after.parameters[i].offset, before.parameters[i].offset);
    EXPECT_EQ(after.parameters[i].bytes, before.parameters[i].bytes);
  }
  EXPECT_EQ(after.parameters[1].name, "p1");
  EXPECT_EQ(after.shared_bytes, 48U);
  EXPECT_EQ(disassembly(again, DisassemblyFormat::assembly), text);
}

TEST(Disassembly, ParametersThatNoKernelCanHaveAreRemarks) {
  Module module = assemble_text(program, "k.asm");
  Kernel& kernel = module.kernels.at(0);
  kernel.parameters = {{"a", ValueType::b64, 8, 8}, {"b", ValueType::b32, 0, 4}, {"a", ValueType::b32, 16, 4}};
  kernel.parameters_named = false;
  const Module again = assemble_text(disassembly(module, DisassemblyFormat::assembly));
  EXPECT_THAT(again.kernels.at(0).parameters, SizeIs(1));
}

TEST(Disassembly, AnnotationsNameParametersAndLiterals) {
  const std::string text = disassembly(assemble_text(program, "k.asm"), DisassemblyFormat::annotated);
  EXPECT_THAT(text, HasSubstr("0x10 is parameter n"));
  EXPECT_THAT(text, HasSubstr("c1[0x0] holds 0x3ff"));
}

TEST(Disassembly, TsvHasOneRowPerInstruction) {
  const std::string text = disassembly(assemble_text(program, "k.asm"), DisassemblyFormat::tsv);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
  EXPECT_THAT(text, HasSubstr("k\t000028\t30000003\t00000780\treturn\n"));
}

TEST(Disassembly, NamesOfAnyKindAreReadBack) {
  Module module = assemble_text(program, "k.asm");
  module.kernels[0].name = "a.b$c<int>";
  EXPECT_EQ(assemble_text(disassembly(module, DisassemblyFormat::assembly)).kernels.at(0).name, "a.b$c<int>");
}

TEST(Disassembly, WhatCompilersDoIsAWarningAndNotAnError) {
  const Module module = assemble_text(R"(.entry k
{
.reg 2
.bar 0
.const c14[0] : u32 0
bar.sync 0
mov.b32 $r9, $r1
nop
}
)");
  EXPECT_THAT(module.warnings, SizeIs(3));
  EXPECT_EQ(module.kernels.at(0).registers, 2U);
  EXPECT_EQ(module.kernels.at(0).constants.at(0).bank, 14);
}

TEST(Disassembly, OddAddressesNeedADirective) {
  const std::string head = ".entry k\n{\n", code = "mov.half.b32 $r1, $r2\nadd.u32 $r1, $r1, $r2\nreturn\n}\n";
  EXPECT_ANY_THROW((void)assemble_text(head + code));
  const Module module = assemble_text(head + ".unaligned\n" + code);
  EXPECT_EQ(module.kernels.at(0).code.at(1).pc, 4U);
  EXPECT_THAT(disassembly(module, DisassemblyFormat::assembly), HasSubstr(".unaligned"));
}

TEST(Listing, WordsCountAndDifferentTextIsNamed) {
  const Module module = read_module_bytes("k.txt",
                                          "000000: 10008004          mov.half.b32 $r2, $r0\n"
                                          "000004: 10008004          mov.half.b32 $r1, $r0\n"
                                          "000008: 30000003 00000780 return\n");
  EXPECT_EQ(module.kernels.at(0).name, "k");
  ASSERT_THAT(module.warnings, SizeIs(1));
  EXPECT_EQ(module.warnings[0].code, "LISTING-TEXT");
  EXPECT_THAT(module.warnings[0].details, ::testing::ElementsAre(HasSubstr("line 1:")));
}

TEST(Listing, TheTextOfABranchBesideOtherWordsIsNamed) {
  const Module module = read_module_bytes("k.txt",
                                          "000000: 10008005 00000003 bra.label loop\n"
                                          "000008: 30000003 00000780 bra.label loop\n");
  ASSERT_THAT(module.warnings, SizeIs(1));
  EXPECT_THAT(module.warnings[0].details, ::testing::ElementsAre(HasSubstr("line 1:"), HasSubstr("line 2:")));
}

TEST(Listing, LinesThatAreNoneAreNamedWithTheirPlace) {
  try {
    (void)read_module_bytes("k.txt",
                            "000000: 30000003 00000780 return\nhello there\n000010: 30000003 00000780 return\n");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    ASSERT_THAT(error.diagnostics(), SizeIs(2));
    EXPECT_EQ(error.diagnostics()[0].code, "LISTING-LINE");
    EXPECT_EQ(error.diagnostics()[0].where.line, 2U);
    EXPECT_THAT(error.diagnostics()[1].message, HasSubstr("0x10 where 0x8 is next"));
  }
}

}  // namespace
}  // namespace teslasim
