// SPDX-License-Identifier: Apache-2.0
// Text cubins: what is read from them, what is written, and what is said about damaged ones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "frontend/cubin/text_cubin.h"
#include "isa/encoding/encoding.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// c = 2 * x in a kernel with one literal, one user constant, one texture reference and a block nobody knows.
constexpr std::string_view example = R"(architecture {sm_12}
abiversion   {1}
modname {cubin}
consts  {
	name = table
	segname = const
	segnum = 0
	offset = 8
	bytes = 6
	mem  {
		0x04030201 0x00000605
	}
}
sampler { name = image texunit = 3 }
surprise { inside = 1 more { deep } }
code  {
	name = doubled
	lmem = 4
	smem = 24
	reg = 2
	bar = 1
	bincode  {
		0x1000c805 0x0423c780 0x10001003 0x00000280
		0x20000001 0x04000780 0xf0000001 0xe0000001
	}
	const  {
		segname = const
		segnum = 1
		offset = 0
		bytes = 4
		mem  {
			0x80000000
		}
	}
}
)";

std::vector<Diagnostic> problems_of_text(std::string_view text) {
  try {
    (void)read_text_cubin("test.cubin", text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::input);
    return error.diagnostics();
  }
  return {};
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

auto problem(const std::string& code, const std::string& message) {
  return AllOf(Field(&Diagnostic::code, code), Field(&Diagnostic::message, HasSubstr(message)));
}

TEST(TextCubin, IsRecognisedByItsFirstWord) {
  EXPECT_TRUE(looks_like_text_cubin(example));
  EXPECT_TRUE(looks_like_text_cubin("\n  architecture{sm_10}"));
  EXPECT_FALSE(looks_like_text_cubin(".entry architecture"));
  EXPECT_FALSE(looks_like_text_cubin(""));
}

TEST(TextCubin, ResourcesCodeAndConstantsAreRead) {
  const Module module = read_text_cubin("test.cubin", example);
  EXPECT_EQ(module.sm, 12);
  ASSERT_THAT(module.kernels, SizeIs(1));
  const Kernel& kernel = module.kernels[0];
  EXPECT_EQ(kernel.name, "doubled");
  EXPECT_EQ(kernel.registers, 2U);
  EXPECT_EQ(kernel.shared_bytes, 24U);
  EXPECT_EQ(kernel.local_bytes, 4U);
  EXPECT_EQ(kernel.barriers, 1U);
  ASSERT_THAT(kernel.code, SizeIs(4));
  EXPECT_EQ(kernel.code[0].opcode, Opcode::mov);
  EXPECT_EQ(kernel.code[2].pc, 16U);
  EXPECT_TRUE(kernel.code[3].exit);
  ASSERT_THAT(kernel.constants, SizeIs(1));
  EXPECT_EQ(kernel.constants[0].bank, 1);
  EXPECT_THAT(kernel.constants[0].bytes, ElementsAre(0, 0, 0, 0x80));
  ASSERT_THAT(module.constants, SizeIs(1));
  EXPECT_EQ(module.constants[0].name, "table");
  EXPECT_EQ(module.constants[0].offset, 8U);
  EXPECT_THAT(module.constants[0].bytes, ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_THAT(module.textures, SizeIs(1));
  EXPECT_EQ(module.textures[0].slot, 3U);
}

TEST(TextCubin, BranchTargetsAreLabelledAndResolved) {
  const Kernel kernel = read_text_cubin("test.cubin", example).kernels[0];
  EXPECT_EQ(kernel.code[1].branch().target, 8U);
  EXPECT_EQ(kernel.code[1].branch().target_index, 1U);
  EXPECT_THAT(kernel.labels, ElementsAre(::testing::Pair(8U, "label0")));
}

TEST(TextCubin, RegistersThatTheKernelDoesNotHaveAreNotRead) {
  const Kernel kernel = read_text_cubin("test.cubin", replaced(std::string(example), "reg = 2", "reg = 1")).kernels[0];
  EXPECT_TRUE(kernel.code[0].writes.empty()) << "$r1 does not exist";
}

TEST(TextCubin, ConstantsWithoutBytesAreZero) {
  const Module module = read_text_cubin("t",
                                        "architecture {sm_10} consts { name = x segnum = 0 offset = 0 bytes = 3 } "
                                        "code { name = k reg = 1 bincode { 0xf0000001 0xe0000001 } }");
  EXPECT_THAT(module.constants[0].bytes, ElementsAre(0, 0, 0));
}

TEST(TextCubin, WhatIsWrittenReadsBackTheSame) {
  const Module module = read_text_cubin("test.cubin", example);
  const std::string text = write_text_cubin(module);
  EXPECT_THAT(text, HasSubstr("0x1000c805 0x0423c780"));
  const Module again = read_text_cubin("test.cubin", text);
  EXPECT_EQ(write_text_cubin(again), text);
  EXPECT_EQ(again.constants[0].bytes, module.constants[0].bytes);
  EXPECT_EQ(again.kernels[0].shared_bytes, 24U);
}

TEST(TextCubin, AllUnknownInstructionsAreListedAtOnce) {
  const std::string text = replaced(replaced(std::string(example), "0x20000001 0x04000780", "0xc0000001 0xc0000780"),
                                    "0x1000c805 0x0423c780", "0xe0000c11 0x60028780");
  const auto problems = problems_of_text(text);
  ASSERT_THAT(problems, ElementsAre(problem("ISA-UNKNOWN-OP", "2 instructions cannot be decoded")));
  EXPECT_THAT(problems[0].details, ElementsAre("kernel doubled, pc 0x0000: e0000c11 60028780",
                                               "kernel doubled, pc 0x0010: c0000001 c0000780"));
  EXPECT_THAT(problems[0].notes, ElementsAre("the other 2 instructions are known"));
}

TEST(TextCubin, AnInstructionOfALaterLevelIsNamedAsSuch) {
  const auto problems =
      problems_of_text(replaced(std::string(example), "0x20000001 0x04000780", "0xe0000c11 0x60028780"));
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].help, "this opcode first appears in sm_13; the file says sm_12. Use --retarget sm_13");
}

TEST(TextCubin, ProblemsHaveTheirPlace) {
  const auto problems = problems_of_text(replaced(std::string(example), "reg = 2", "reg = 300"));
  ASSERT_THAT(problems, ElementsAre(problem("CUBIN-FIELD", "'reg' is 300, more than 128")));
  EXPECT_EQ(problems[0].where.file, "test.cubin");
  EXPECT_EQ(problems[0].where.line, 20U);
  EXPECT_EQ(problems[0].where.column, 8U);
  EXPECT_EQ(problems[0].excerpt, "\treg = 300");
}

TEST(TextCubin, SeveralProblemsAreReportedTogether) {
  std::string text = replaced(std::string(example), "smem = 24", "smem = many");
  text = replaced(text, "sm_12", "sm_20");
  text = replaced(text, "bytes = 4", "bytes = 8");
  EXPECT_THAT(problems_of_text(text),
              ElementsAre(problem("ISA-LEVEL", "'sm_20'"), problem("CUBIN-FIELD", "'many' is not a number"),
                          problem("CUBIN-FIELD", "1 words where 'bytes = 8' needs 2")));
}

TEST(TextCubin, BrokenStructureIsExplained) {
  EXPECT_THAT(problems_of_text(example.substr(0, example.size() - 3)),
              ElementsAre(problem("CUBIN-SYNTAX", "the block 'code' is not closed")));
  EXPECT_THAT(problems_of_text("architecture {sm_10} }"), ElementsAre(problem("CUBIN-SYNTAX", "closes nothing")));
  EXPECT_THAT(problems_of_text("architecture {sm_10} code { name = }"),
              ElementsAre(problem("CUBIN-SYNTAX", "the value of 'name' is missing")));
  EXPECT_THAT(problems_of_text("architecture {sm_10} = 3"), ElementsAre(problem("CUBIN-SYNTAX", "a name is missing")));
  EXPECT_THAT(problems_of_text("a{a{a{a{a{a{a{a{a{a{"), ElementsAre(problem("CUBIN-SYNTAX", "nested too deeply")));
}

TEST(TextCubin, FilesWithoutCodeAreRefused) {
  EXPECT_THAT(problems_of_text("architecture {sm_10}"), ElementsAre(problem("CUBIN-EMPTY", "no kernel")));
  EXPECT_THAT(problems_of_text("architecture {sm_10} code { name = k reg = 1 }"),
              ElementsAre(problem("CUBIN-FIELD", "kernel 'k' has no code")));
}

TEST(TextCubin, ABranchOutsideTheCodeIsRefused) {
  const auto problems = problems_of_text(replaced(std::string(example), "0x10001003", "0x10201003"));
  ASSERT_THAT(problems, ElementsAre(problem("CUBIN-TARGET", "where no instruction starts")));
  EXPECT_THAT(problems[0].details, ElementsAre("kernel doubled, pc 0x0008: bra to 0x1008"));
}

TEST(TextCubin, ALongInstructionCutInHalfIsRefused) {
  EXPECT_THAT(problems_of_text(replaced(std::string(example), "0xf0000001 0xe0000001", "0xf0000001")),
              ElementsAre(problem("CUBIN-CODE", "lacks its second word")));
}

TEST(TextCubin, TwoKernelsOfOneNameAreRefused) {
  constexpr std::string_view kernel = " code { name = k reg = 1 bincode { 0xf0000001 0xe0000001 } }";
  EXPECT_THAT(problems_of_text(fmt::format("architecture {{sm_10}}{0}{0}", kernel)),
              ElementsAre(problem("CUBIN-FIELD", "a second kernel 'k'")));
}

TEST(TextCubin, CodeThatTheLevelCannotHoldIsNotWritten) {
  Module module = read_text_cubin("test.cubin", example);
  Instruction wide = *decode(0xe0000c11, 0x60028780, 13);
  wide.source_line = 1;
  module.kernels[0].code[0] = wide;
  module.source_lines = {"add.rn.f64 $r4, $r6, $r10"};
  try {
    (void)write_text_cubin(module);
    FAIL() << "f64 in a module for sm_12";
  } catch (const InputError& error) {
    ASSERT_THAT(error.diagnostics(), SizeIs(1));
    EXPECT_EQ(error.diagnostics()[0].excerpt, module.source_lines[0]);
  }
}

/// Damage at one place: anything may be said about it, but nothing may break.
RC_GTEST_PROP(TextCubin, DamagedFilesAreRefusedOrRead, (std::uint16_t where, char with)) {
  std::string text{example};
  text[where % text.size()] = with;
  try {
    (void)read_text_cubin("test.cubin", text);
  } catch (const InputError& error) {
    RC_ASSERT(!error.diagnostics().empty());
  }
}

}  // namespace
}  // namespace teslasim
