// SPDX-License-Identifier: Apache-2.0
// Canonical texts of a few instructions; that all are read back is tested in tests/frontend/text/round_trip_test.cpp.
#include "isa/disassembler.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

using Kind = Operand::Kind;

Operand operand(Kind kind, unsigned index) {
  Operand result;
  result.kind = kind;
  result.index = static_cast<std::uint8_t>(index);
  return result;
}

Instruction add() {
  Instruction i;
  i.opcode = Opcode::add;
  i.type = ValueType::u32;
  i.destination[0] = operand(Kind::gpr, 3);
  i.source[0] = operand(Kind::gpr, 1);
  i.source[1] = operand(Kind::gpr, 4);
  finish(i);
  return i;
}

TEST(Disassembler, prints_guard_markers_flags_and_operands) {
  Instruction i = add();
  EXPECT_EQ(to_text(i), "add.u32 $r3, $r1, $r4");
  i.join = true;
  EXPECT_EQ(to_text(i), "add.join.u32 $r3, $r1, $r4");
  i.condition = 13;
  i.guard_flags = 1;
  i.flag_destination = 0;
  EXPECT_EQ(to_text(i), "@$p1.neu add.join.u32 $p0|$r3, $r1, $r4");
  i.destination[0] = operand(Kind::discard, 0);
  EXPECT_EQ(to_text(i), "@$p1.neu add.join.u32 $p0|$o127, $r1, $r4");
}

TEST(Disassembler, marks_short_forms_and_not_immediate_ones) {
  Instruction i = add();
  i.form = Form::short_form;
  i.bytes = 4;
  EXPECT_EQ(to_text(i), "add.half.b32 $r3, $r1, $r4");
  i = add();
  i.form = Form::immediate_form;
  i.source[1] = operand(Kind::immediate, 0);
  i.source[1].immediate = 0xfffffffe;
  finish(i);
  EXPECT_EQ(to_text(i), "add.b32 $r3, $r1, 0xfffffffe");
}

TEST(Disassembler, names_header_words_at_their_bytes) {
  Instruction i;
  i.opcode = Opcode::mov;
  i.destination[0] = operand(Kind::gpr, 1);
  i.source[0] = operand(Kind::shared, 0);
  i.source[0].type = ValueType::u16;
  i.source[0].offset = 12;
  finish(i);
  EXPECT_EQ(to_text(i), "mov.u32.u16 $r1, %ctaid.x");
  i.source[0].type = ValueType::b32;
  EXPECT_EQ(to_text(i), "mov.b32 $r1, s[0x000c]");
}

Kernel loop() {
  Kernel kernel;
  kernel.name = "loop";
  kernel.registers = 5;
  kernel.shared_bytes = 16;
  kernel.code = {add(), add()};
  kernel.code[1] = Instruction{};
  kernel.code[1].opcode = Opcode::bra;
  kernel.code[1].form = Form::control_form;
  kernel.code[1].pc = 8;
  kernel.code[1].branch().target = 0;
  finish_kernel(kernel);
  return kernel;
}

TEST(Disassembler, a_listing_has_addresses_and_labels) {
  Kernel kernel = loop();
  EXPECT_EQ(listing(kernel), "000000: add.u32 $r3, $r1, $r4\n000008: bra.u32 0x000000\n");
  name_targets(kernel);
  EXPECT_EQ(listing(kernel), "000000: label0: add.u32 $r3, $r1, $r4\n000008: bra.label label0\n");
}

TEST(Disassembler, invented_labels_avoid_existing_names) {
  Kernel kernel = loop();
  kernel.labels[8] = "label0";
  name_targets(kernel);
  EXPECT_EQ(kernel.labels.at(0), "label1");
}

TEST(Disassembler, a_module_is_a_file_for_the_assembler) {
  Module module;
  module.sm = 12;
  module.constants.push_back({0, 4, {1, 2}});
  module.kernels.push_back(loop());
  EXPECT_EQ(listing(module),
            ".arch sm_12\n.const c0[0x0004] : u8 0x01, 0x02\n.entry loop\n{\n.lmem 0\n.smem 16\n.reg 5\n.bar 0\n"
            "label0: add.u32 $r3, $r1, $r4\nbra.label label0\n}\n");
}

}  // namespace
}  // namespace teslasim
