// SPDX-License-Identifier: Apache-2.0
// What a line means: one test per rule of the language that is more than spelling.
#include <gtest/gtest.h>

#include "isa/disassembler.h"
#include "tests/frontend/text/support.h"

namespace teslasim {
namespace {

using test::instruction;
using Kind = Operand::Kind;

TEST(TextInstruction, add_has_its_fields) {
  const Instruction i = instruction("@$p1.lt add.join.u32 $p2|$r3, s[$ofs1+0x20], $r4");
  EXPECT_EQ(i.opcode, Opcode::add);
  EXPECT_TRUE(i.join);
  EXPECT_EQ(i.condition, 1);
  EXPECT_EQ(i.guard_flags, 1);
  EXPECT_EQ(i.flag_destination, 2);
  EXPECT_EQ(i.destination[0].index, 3);
  EXPECT_EQ(i.source[0].kind, Kind::shared);
  EXPECT_EQ(i.source[0].address_register, 1);
  EXPECT_EQ(i.source[0].offset, 0x20);
  EXPECT_EQ(i.source[1].index, 4);
}

/// Different spellings of one instruction.
TEST(TextInstruction, aliases_mean_the_same) {
  const std::pair<const char*, const char*> rows[] = {
      {"add.b32 $r1, $r2, $r3", "add.u32 $r1, $r2, $r3"},
      {"add.s32 $r1, $r2, $r3", "add.u32 $r1, $r2, $r3"},
      {"shl.s32 $r1, $r2, 3", "shl.u32 $r1, $r2, 0x00000003"},
      {"mov.b32 $r1, $c2", "mov.b32 $r1, $p2"},
      {"mov.b32 $a1, 4", "mov.b32 $ofs1, 0x00000004"},
      {"set.lt.s32 $p0|_, $r1, $r2", "set.lt.s32 $p0|$o127, $r1, $r2"},
      {"norn.b32 $r1, $r2, $r3", "and.b32 $r1, ~$r2, $r3"},
      {"nandn.b32 $r1, $r2, $r3", "or.b32 $r1, ~$r2, $r3"},
      {"orn.b32 $r1, $r2, $r3", "or.b32 $r1, $r2, ~$r3"},
      {"nxor.b32 $r1, $r2, $r3", "xor.b32 $r1, $r2, ~$r3"},
      {"delta.f32 $r1, $r2", "cvt.neg.rn.f32 $r1, $r2"},
      {"cvt.rn.f32 $r1, -$r2", "cvt.neg.rn.f32 $r1, $r2"},
      {"cvt.scale.rn.f32.u32 $r1, $r2", "cvt.neg.rn.f32.u32 $r1, $r2"},
      {"cvt.rz.s32.f32 $r1, $r2", "cvt.rzi.s32.f32 $r1, $r2"},
      {"sub.f32 $r1, $r2, $r3", "add.rn.f32 $r1, $r2, -$r3"},
      {"mad.f32 $r1, -$r2, -$r3, $r4", "mad.rn.f32 $r1, $r2, $r3, $r4"},
      {"mad.f32 $r1, $r2, -$r3, $r4", "mad.rn.f32 $r1, -$r2, $r3, $r4"},
      {"mad.f32 $r1, $r2, 1.0f, $r1", "mac.rn.f32 $r1, $r2, 0x3f800000"},
      {"fma.rn.f64 $r2, $r4, $r6, $r8", "mad.rn.f64 $r2, $r4, $r6, $r8"},
      {"mul24.u32 $r1, $r2, $r3", "mul24.lo.u32 $r1, $r2, $r3"},
      {"set.gt.u16.f32.f32 $p0|$o127, $r0, $r1", "set.gt.u32.f32.f32 $p0|$o127, $r0, $r1"},
      {"set.gt.f32 $r2, $r0, $r1", "set.gt.u32.f32.f32 $r2, $r0, $r1"},
      {"mov.f32 $r1, g[$r2]", "mov.u32 $r1, g14[$r2]"},
      {"mov.b32 $r1, -1", "mov.b32 $r1, 0xffffffff"},
      {"mov.b32 $r1, -1.5f", "mov.b32 $r1, 0xbfc00000"},
      {"add.f32 $r1, $r2, -1.5", "add.rn.f32 $r1, $r2, 0xbfc00000"},
      {"@$p0 mov.b32 $r1, $r2", "@$p0.ne mov.b32 $r1, $r2"},
      {"@!$p0.lt mov.b32 $r1, $r2", "@$p0.geu mov.b32 $r1, $r2"},
      {"ret", "return"},
      {"ssy 0x40", "join.u32 0x000040"},
      {"bar.sync 3", "bar.sync.u32 0x00000003"},
      {"red.add.b32 g[$r1], $r2", "red.add.u32 g[$r1], $r2"},
      {"mov.u32.u16 $r1, s[0x2]", "mov.u32.u16 $r1, %ntid.x"},
      {"mov.b32 $r1, %ntid.x", "mov.u32.u16 $r1, %ntid.x"},
      {"add.u32 $r1, s[6].u16, $r2", "add.u32 $r1, %ntid.z, $r2"},
      {"mov.b32 $r1, s[4+$ofs2]", "mov.b32 $r1, s[$ofs2+0x4]"},
  };
  for (const auto& [written, canonical] : rows) {
    EXPECT_TRUE(equivalent(instruction(written), instruction(canonical)))
        << written << "  " << to_text(instruction(written));
  }
}

TEST(TextInstruction, the_form_follows_from_the_operands) {
  EXPECT_EQ(instruction("add.u32 $r1, $r2, $r3").form, Form::long_form);
  EXPECT_EQ(instruction("add.u32 $r1, $r2, 5").form, Form::immediate_form);
  EXPECT_EQ(instruction("add.half.u32 $r1, $r2, $r3").bytes, 4);
  EXPECT_EQ(instruction("shl.u32 $r1, $r2, 5").form, Form::long_form) << "shift counts have a field of their own";
  EXPECT_EQ(instruction("bra 0x10").form, Form::control_form);
  EXPECT_EQ(instruction("trap.half").form, Form::short_form);
}

TEST(TextInstruction, a_store_to_shared_memory_keeps_its_address_register) {
  const Instruction i = instruction("mov.b32 s[$ofs1+0x20], $r1");
  EXPECT_EQ(i.opcode, Opcode::store_shared);
  EXPECT_EQ(i.store_target.address_register, 1);
  EXPECT_EQ(i.store_target.offset, 0x20);
}

TEST(TextInstruction, mov_from_shared_memory_is_an_ordinary_mov_while_it_reaches) {
  EXPECT_EQ(instruction("mov.b32 $r1, s[0x7c]", 10).opcode, Opcode::mov);
  EXPECT_EQ(instruction("mov.b32 $r1, s[0x7c]", 11).opcode, Opcode::mov);
  EXPECT_EQ(instruction("mov.b32 $r1, s[0x80]", 11).opcode, Opcode::load_shared);
  EXPECT_EQ(instruction("mov.ld.b32 $r1, s[0x10]", 11).opcode, Opcode::load_shared);
  EXPECT_EQ(instruction("mov.u32.u16 $r1, s[0x3e]", 10).opcode, Opcode::mov);
  EXPECT_EQ(instruction("mov.u32.u8 $r1, s[0x1f]", 10).opcode, Opcode::mov);
  EXPECT_NE(test::line_error("mov.b32 $r1, s[0x80]", 10), "");
  EXPECT_NE(test::line_error("mov.u32.u16 $r1, s[0x40]", 10), "");
  EXPECT_NE(test::line_error("mov.u32.u8 $r1, s[0x20]", 10), "");
}

TEST(TextInstruction, conversions_from_shared_memory_read_the_width_of_their_source) {
  const Instruction i = instruction("cvt.rn.s32.s8 $r1, s[3]");
  EXPECT_EQ(i.source[0].type, ValueType::u8);
  EXPECT_EQ(i.source_type[0], ValueType::s8);
  EXPECT_EQ(instruction("cvt.rn.s32.s16 $r1, s[2]").source[0].type, ValueType::s16);
}

TEST(TextInstruction, the_carry_input_is_a_flag_register) {
  EXPECT_EQ(instruction("addc.u32 $r1, $r2, $r3, $p2").guard_flags, 2);
  EXPECT_EQ(instruction("addc.u32 $r1, $r2, $r3").guard_flags, 0);
  EXPECT_EQ(instruction("@$p1.ne addc.u32 $r1, $r2, $r3").guard_flags, 1);
  EXPECT_EQ(instruction("mad24.lo.addc.u32 $r1, $r2, $r3, $r4, $p3").guard_flags, 3);
}

TEST(TextInstruction, saturation_makes_an_addition_signed) {
  const Instruction i = instruction("add.sat.s32 $r1, $r2, $r3");
  EXPECT_TRUE(i.saturate);
  EXPECT_EQ(i.type, ValueType::s32);
}

TEST(TextInstruction, vote_reads_the_predicate_as_its_input) {
  const Instruction i = instruction("vote.all $p1, $p2.lt");
  EXPECT_EQ(i.flag_destination, 1);
  EXPECT_EQ(i.guard_flags, 2);
  EXPECT_EQ(i.condition, 1);
  EXPECT_EQ(i.vote().kind, VoteKind::all);
  EXPECT_FALSE(i.predicated());
}

TEST(TextInstruction, textures_name_results_arguments_and_samplers) {
  const Instruction i = instruction("tex.2d.b32.f32 {$r4,_,$r5,_}, $tex3, $smp1, {$r4,$r5}");
  EXPECT_EQ(i.texture().result_mask, 0b0101);
  EXPECT_EQ(i.texture().coordinates, 2);
  EXPECT_EQ(i.texture().texture, 3);
  EXPECT_EQ(i.texture().sampler, 1);
  EXPECT_EQ(instruction("tex.1d.b32.s32 {$r4,_,_,_}, $tex3, {$r4}").texture().texel_fetch, true);
}

TEST(TextInstruction, names_may_shadow_nothing_but_numbers) {
  const Kernel k = test::kernel(".equ s, 4\n.equ add, 3\nadd.u32 $r1, $r2, add\nmov.b32 $r1, s[s]\nreturn");
  EXPECT_EQ(k.code[0].source[1].immediate, 3U);
  EXPECT_EQ(k.code[1].source[0].offset, 4);
}

}  // namespace
}  // namespace teslasim
