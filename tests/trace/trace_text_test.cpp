// SPDX-License-Identifier: Apache-2.0
// The text twin: what is written is what is read, and what is wrong is named with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "isa/disassembler.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/trace_text.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;

/// A load, a texture read, a shared store, an end.
Module module() {
  Module module;
  Kernel& kernel = module.kernels.emplace_back();
  kernel.name = "k";
  kernel.registers = 8;
  kernel.code.resize(4);
  const auto operand = [](Operand::Kind kind, ValueType type) {
    Operand made;
    made.kind = kind;
    made.type = type;
    made.index = 2;
    return made;
  };
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) kernel.code[i].pc = 8 * i;
  kernel.code[0].opcode = Opcode::load_global;
  kernel.code[0].destination[0] = operand(Operand::Kind::gpr, ValueType::b32);
  kernel.code[0].source[0] = operand(Operand::Kind::global, ValueType::u32);
  kernel.code[0].type = ValueType::u32;
  kernel.code[1].opcode = Opcode::tex;
  kernel.code[1].destination[0] = kernel.code[1].source[0] = operand(Operand::Kind::gpr, ValueType::b32);
  kernel.code[1].texture().coordinates = kernel.code[1].texture().result_mask = 1;
  kernel.code[2].opcode = Opcode::store_shared;
  kernel.code[2].store_target = operand(Operand::Kind::shared, ValueType::b32);
  kernel.code[2].source[0] = operand(Operand::Kind::gpr, ValueType::b32);
  kernel.code[3].opcode = Opcode::nop;
  kernel.code[3].exit = true;
  finish_kernel(kernel);
  return module;
}

constexpr const char* header = R"(teslasim.trace-text/2
{
 "name": "k", "code": ["code"],
 "launches": [{"kernel": "k", "grid": [2, 1, 1], "block": [64, 1, 1], "shared_bytes": 16, "parameter_bytes": 0}]
}
)";

TraceTextReader reader_of(const std::string& lines) {
  return {"t.txt", std::make_unique<std::istringstream>(header + lines), [](const std::string& text) {
            return TraceCode{module(), text};
          }};
}

/// All instructions of a text.
std::vector<InstructionRecord> records_of(const std::string& lines) {
  TraceTextReader reader = reader_of(lines);
  std::vector<InstructionRecord> records;
  static const Module code = module();
  while (reader.next_segment()) {
    SegmentDecoder decoder(code.kernels[0]);
    decoder.open(std::string(reader.bytes()), reader.instructions());
    while (!decoder.at_end()) decoder.next(records.emplace_back());
  }
  return records;
}

std::string problem_of(const std::string& lines) {
  try {
    (void)records_of(lines);
  } catch (const InputError& error) {
    return render(error.diagnostics());
  }
  return "nothing";
}

TEST(TraceText, lines_are_what_they_say_and_come_back_the_same) {
  const Module code = module();
  const std::vector<std::string> lines{
      "000000 ffffffff " + to_text(code.kernels[0].code[0]) + " ; global load 4 1000+4\n",
      "000000 ffffffff 0000000f " + to_text(code.kernels[0].code[0]) + " ; global load 4 1000,1040,1000,2000\n",
      "000000 ffffffff 0000000f " + to_text(code.kernels[0].code[0]) + " ; global load 4 lanes 00000003 1000-8\n",
      "000008 0000ffff " + to_text(code.kernels[0].code[1]) + " ; texture load 4 800 / 804 inside 000000ff\n",
      "000010 ffffffff " + to_text(code.kernels[0].code[2]) + " ; shared 4 10+64\n",
      "000018 ffffffff " + to_text(code.kernels[0].code[3]) + " ; divergent ; finished\n"};
  std::string text = "warp launch=0 block=1 warp=1 sm=3\n";
  for (const std::string& line : lines) text += line;
  const std::vector<InstructionRecord> records = records_of(text);
  ASSERT_EQ(records.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(trace_text_line(code.kernels[0], records[i], to_text(code.kernels[0].code[records[i].index])), lines[i]);
  EXPECT_EQ(records[0].memory.address[31], 0x107cU);
  EXPECT_EQ(records[1].memory.address[3], 0x2000U);
  EXPECT_EQ(records[2].memory.address[1], 0xff8U);
  EXPECT_EQ(records[3].texture.further[0][5], 0x804U);
}

TEST(TraceText, text_may_be_left_out_and_comments_are_skipped) {
  EXPECT_EQ(records_of("# by hand\nwarp launch=0 block=0 warp=0\n\n000018 ffffffff ; finished\n").size(), 1U);
}

TEST(TraceText, segments_know_where_they_belong) {
  TraceTextReader reader = reader_of(
      "warp launch=0 block=1 warp=0 sm=2\n000018 ffffffff ; finished\nwarp launch=0 block=1 warp=1\n"
      "000018 ffffffff ; finished\n");
  ASSERT_TRUE(reader.next_segment());
  EXPECT_EQ(reader.segment().sm, 2U);
  ASSERT_TRUE(reader.next_segment());
  EXPECT_EQ(reader.segment().warp, 1U);
  EXPECT_EQ(reader.segment().sm, no_sm);
  EXPECT_FALSE(reader.next_segment());
}

TEST(TraceText, what_is_wrong_is_named_with_its_place) {
  const std::string warp = "warp launch=0 block=0 warp=0\n";
  EXPECT_THAT(problem_of(warp + "000004 ffffffff\n"), HasSubstr("t.txt:7:1"));
  EXPECT_THAT(problem_of(warp + "000004 ffffffff\n"), HasSubstr("has no instruction at 000004"));
  EXPECT_THAT(problem_of(warp + "000000 fffffff\n"), HasSubstr("t.txt:7:8"));
  EXPECT_THAT(problem_of(warp + "000000 ffffffff nonsense\n"), HasSubstr("the code has 'mov.u32"));
  EXPECT_THAT(problem_of(warp + "000000 ffffffff ; global load 4 1000,1004\n"), HasSubstr("2 addresses for 32 lanes"));
  EXPECT_THAT(problem_of(warp + "000000 ffffffff ; global load 3 1000\n"), HasSubstr("1, 2, 4, 8 or 16"));
  EXPECT_THAT(problem_of(warp + "000000 ffffffff ; global load 4 1002\n"), HasSubstr("not multiples"));
  EXPECT_THAT(problem_of(warp + "000000 ffffffff ; global store 4 1000\n"), HasSubstr("in another way"));
  EXPECT_THAT(problem_of(warp + "000018 ffffffff ; shared 4 10\n"), HasSubstr("does not access shared memory"));
  EXPECT_THAT(problem_of(warp + "000018 0000ffff ffffffff\n"), HasSubstr("not active"));
  EXPECT_THAT(problem_of(warp + "000018 ffffffff ; finished\n000018 ffffffff\n"), HasSubstr("that has finished"));
  EXPECT_THAT(problem_of("000018 ffffffff\n"), HasSubstr("before any 'warp' line"));
  EXPECT_THAT(problem_of("warp launch=0 block=2 warp=0\n"), HasSubstr("2 blocks of 64 threads"));
  EXPECT_THAT(problem_of("warp launch=0 blok=2\n"), HasSubstr("'blok' is not known here"));
  EXPECT_THAT(problem_of(warp + "000018 ffffffff ; foo\n000018 ffffffff ; bar\n"), HasSubstr("t.txt:8:19"));
}

TEST(TraceText, a_header_that_is_wrong_is_refused) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      const TraceTextReader reader("t.txt", std::make_unique<std::istringstream>(text), [](const std::string& code) {
        return TraceCode{module(), code};
      });
    } catch (const InputError& error) {
      return render(error.diagnostics());
    }
    return "nothing";
  };
  EXPECT_THAT(refusal("nothing of the kind"), HasSubstr("begins with 'teslasim.trace-text/2'"));
  EXPECT_THAT(refusal("teslasim.trace-text/2\n{\n \"name\": \"k\",\n"), HasSubstr("the header does not end"));
  EXPECT_THAT(refusal("teslasim.trace-text/2\n{\n \"name\": oops\n}\n"), HasSubstr("t.txt:3:"));
  EXPECT_THAT(refusal("teslasim.trace-text/2\n{\n \"name\": \"k\"\n}\n"), HasSubstr("lacks something"));
}

}  // namespace
}  // namespace teslasim
