// SPDX-License-Identifier: Apache-2.0
// `finish`: which registers an instruction reads and writes.
#include "isa/instruction.h"

#include <gtest/gtest.h>

#include <utility>

#include "isa/program.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using Kind = Operand::Kind;

Operand gpr(unsigned index, Operand::Half half = Operand::Half::full) {
  Operand operand;
  operand.kind = Kind::gpr;
  operand.index = static_cast<std::uint8_t>(index);
  operand.half = half;
  return operand;
}

Operand shared(unsigned address_register, int offset, bool post_increment = false) {
  Operand operand;
  operand.kind = Kind::shared;
  operand.type = ValueType::b32;
  operand.address_register = static_cast<std::uint8_t>(address_register);
  operand.offset = offset;
  operand.post_increment = post_increment;
  return operand;
}

Operand global(unsigned index) {
  Operand operand;
  operand.kind = Kind::global;
  operand.index = static_cast<std::uint8_t>(index);
  operand.bank = 14;
  return operand;
}

Instruction three_operand(Opcode opcode, ValueType type, Operand destination, Operand first, Operand second) {
  Instruction i;
  i.opcode = opcode;
  i.type = type;
  i.destination[0] = destination;
  i.source[0] = first;
  i.source[1] = second;
  return i;
}

RegisterSet registers(std::initializer_list<unsigned> indices) {
  RegisterSet set;
  for (const unsigned index : indices) set.add_register(index);
  return set;
}

TEST(Finish, sources_are_read_and_the_destination_is_written) {
  Instruction i = three_operand(Opcode::add, ValueType::u32, gpr(3), gpr(1), gpr(2));
  finish(i);
  EXPECT_EQ(i.reads, registers({1, 2}));
  EXPECT_EQ(i.writes, registers({3}));
  EXPECT_EQ(i.operand_reads, 2);
}

TEST(Finish, one_register_read_twice_counts_once) {
  Instruction i = three_operand(Opcode::add, ValueType::u32, gpr(1), gpr(1), gpr(1));
  finish(i);
  EXPECT_EQ(i.operand_reads, 1);
}

TEST(Finish, halves_count_as_their_register_and_a_half_write_adds_no_read) {
  using Half = Operand::Half;
  Instruction i = three_operand(Opcode::add, ValueType::u16, gpr(5, Half::high), gpr(2, Half::low), gpr(2, Half::high));
  finish(i);
  EXPECT_EQ(i.reads, registers({2}));
  EXPECT_EQ(i.writes, registers({5}));
  EXPECT_EQ(i.operand_reads, 1);
}

TEST(Finish, wide_operands_are_groups_of_registers) {
  Instruction i = three_operand(Opcode::dadd, ValueType::f64, gpr(4), gpr(6), gpr(8));
  finish(i);
  EXPECT_EQ(i.reads, registers({6, 7, 8, 9}));
  EXPECT_EQ(i.writes, registers({4, 5}));
  EXPECT_EQ(i.operand_reads, 4);

  Instruction load;
  load.opcode = Opcode::load_global;
  load.type = ValueType::b128;
  load.destination[0] = gpr(8);
  load.source[0] = global(1);
  finish(load);
  EXPECT_EQ(load.reads, registers({1}));
  EXPECT_EQ(load.writes, registers({8, 9, 10, 11}));
}

TEST(Finish, a_store_reads_its_data_and_its_address_and_writes_nothing) {
  Instruction i;
  i.opcode = Opcode::store_global;
  i.type = ValueType::b64;
  i.source[0] = gpr(2);
  i.store_target = global(7);
  finish(i);
  EXPECT_EQ(i.reads, registers({2, 3, 7}));
  EXPECT_TRUE(i.writes.empty());
  EXPECT_EQ(i.operand_reads, 3);
}

TEST(Finish, a_guard_reads_its_flags_unless_the_operation_ignores_it) {
  Instruction i = three_operand(Opcode::add, ValueType::u32, gpr(1), gpr(1), gpr(2));
  i.condition = 5;
  i.guard_flags = 2;
  finish(i);
  RegisterSet expected = registers({1, 2});
  expected.add_flags(2);
  EXPECT_EQ(i.reads, expected);

  Instruction nop;
  nop.opcode = Opcode::nop;
  nop.condition = condition_never;
  finish(nop);
  EXPECT_FALSE(nop.predicated());
  EXPECT_TRUE(nop.reads.empty());
}

TEST(Finish, carry_vote_and_flag_moves_read_flags) {
  RegisterSet carry;
  carry.add_flags(1);
  Instruction addc = three_operand(Opcode::addc, ValueType::u32, gpr(1), gpr(2), gpr(3));
  addc.guard_flags = 1;
  finish(addc);
  EXPECT_TRUE(addc.reads.intersects(carry));

  Instruction mad = three_operand(Opcode::mad, ValueType::u32, gpr(1), gpr(2), gpr(3));
  mad.source[2] = gpr(4);
  mad.guard_flags = 1;
  finish(mad);
  EXPECT_FALSE(mad.reads.intersects(carry));
  mad.mad_operation = AddKind::addc;
  finish(mad);
  EXPECT_TRUE(mad.reads.intersects(carry));

  Instruction vote;
  vote.opcode = Opcode::vote;
  vote.condition = 5;
  vote.guard_flags = 1;
  vote.flag_destination = 3;
  finish(vote);
  EXPECT_FALSE(vote.predicated());
  EXPECT_EQ(vote.reads, carry);
  RegisterSet result;
  result.add_flags(3);
  EXPECT_EQ(vote.writes, result);
}

TEST(Finish, address_registers_are_read_and_incremented) {
  Instruction i = three_operand(Opcode::add, ValueType::u32, gpr(1), shared(2, 4), gpr(3));
  finish(i);
  RegisterSet reads = registers({3});
  reads.add_address(2);
  EXPECT_EQ(i.reads, reads);
  EXPECT_EQ(i.writes, registers({1}));
  EXPECT_EQ(i.operand_reads, 1);
  EXPECT_TRUE(i.reads_shared_operand);
  EXPECT_TRUE(i.accesses_shared());

  i.source[0].post_increment = true;
  finish(i);
  RegisterSet writes = registers({1});
  writes.add_address(2);
  EXPECT_EQ(i.writes, writes);
}

TEST(Finish, address_register_0_reads_0_and_is_no_dependency) {
  Instruction i;
  i.opcode = Opcode::add_address;
  i.destination[0].kind = Kind::address;
  i.destination[0].index = 1;
  i.source[0].kind = Kind::address;
  i.source[1].kind = Kind::immediate;
  finish(i);
  EXPECT_TRUE(i.reads.empty());
  RegisterSet writes;
  writes.add_address(1);
  EXPECT_EQ(i.writes, writes);
}

TEST(Finish, the_bit_bucket_is_not_written) {
  Instruction i = three_operand(Opcode::set, ValueType::s32, Operand{}, gpr(1), gpr(2));
  i.destination[0].kind = Kind::discard;
  i.flag_destination = 0;
  finish(i);
  RegisterSet writes;
  writes.add_flags(0);
  EXPECT_EQ(i.writes, writes);
}

TEST(Finish, registers_beyond_the_allocation_do_not_exist) {
  Instruction i = three_operand(Opcode::add, ValueType::u32, gpr(9), gpr(1), gpr(124));
  finish(i, 8);
  EXPECT_EQ(i.reads, registers({1}));
  EXPECT_TRUE(i.writes.empty());
  EXPECT_EQ(i.operand_reads, 1);
}

TEST(Finish, a_texture_fetch_reads_its_arguments_and_writes_the_masked_components_packed) {
  Instruction i;
  i.opcode = Opcode::tex;
  i.source[0] = gpr(4);
  i.destination[0] = gpr(4);
  i.texture().coordinates = 2;
  i.texture().result_mask = 0b1101;
  finish(i);
  EXPECT_EQ(i.reads, registers({4, 5}));
  EXPECT_EQ(i.writes, registers({4, 5, 6}));
}

TEST(Finish, the_passed_operand_is_the_second) {
  Instruction i = three_operand(Opcode::logic_pass, ValueType::b32, gpr(1), gpr(2), gpr(3));
  finish(i);
  EXPECT_EQ(i.reads, registers({3}));
}

TEST(Finish, operand_types_follow_from_the_operation) {
  Instruction i;
  i.opcode = Opcode::fset;
  i.type = ValueType::f32;
  i.destination[0] = gpr(1);
  i.source[0] = gpr(2);
  i.source[1] = gpr(3);
  finish(i);
  EXPECT_EQ(i.destination[0].type, ValueType::u32);
  EXPECT_EQ(i.source[1].type, ValueType::f32);

  Instruction cvt;
  cvt.opcode = Opcode::convert_int_int;
  cvt.type = ValueType::s32;
  cvt.source_type[0] = ValueType::s8;
  cvt.destination[0] = gpr(1);
  cvt.source[0] = shared(0, 3);
  cvt.source[0].type = ValueType::u8;
  finish(cvt);
  EXPECT_EQ(cvt.source[0].type, ValueType::u8) << "the access of s[] is not that of the operation";
  EXPECT_EQ(cvt.source_type[0], ValueType::s8);
}

TEST(FinishKernel, indices_and_targets_are_resolved) {
  Kernel kernel;
  kernel.registers = 4;
  const std::array<std::uint32_t, 4> addresses{0, 8, 12, 16};
  for (const std::uint32_t address : addresses) {
    Instruction i;
    i.pc = address;
    i.bytes = address == 8 || address == 12 ? 4 : 8;
    kernel.code.push_back(i);
  }
  kernel.code[0].opcode = Opcode::bra;
  kernel.code[0].branch().target = 12;
  kernel.code[3].opcode = Opcode::bra;
  kernel.code[3].branch().target = 20;
  finish_kernel(kernel);
  EXPECT_EQ(kernel.code[2].index, 2U);
  EXPECT_EQ(kernel.code[0].branch().target_index, 2U);
  EXPECT_EQ(kernel.code[3].branch().target_index, no_index);
}

TEST(Equivalent, looks_at_everything_but_the_place) {
  Instruction left = three_operand(Opcode::add, ValueType::u32, gpr(1), gpr(2), gpr(3));
  Instruction right = left;
  right.pc = 64;
  right.index = 9;
  right.source_line = 12;
  EXPECT_TRUE(equivalent(left, right));
  right.source[1].index = 4;
  EXPECT_FALSE(equivalent(left, right));
}

TEST(Equivalent, looks_at_the_details_but_not_at_the_place_of_a_target) {
  Instruction left;
  left.opcode = Opcode::bra;
  Instruction right = left;
  right.branch().target_index = 3;
  EXPECT_TRUE(equivalent(left, right)) << "details that nobody set are the usual ones";
  right.branch().target = 8;
  EXPECT_FALSE(equivalent(left, right));
}

TEST(Details, are_those_of_the_operation) {
  Instruction i;
  i.opcode = Opcode::bar;
  EXPECT_EQ(std::as_const(i).barrier().threads, 0xfff);
  i.barrier().number = 3;
  EXPECT_EQ(std::as_const(i).barrier().number, 3);
  EXPECT_THROW((void)std::as_const(i).texture(), InternalError);
  EXPECT_THROW((void)i.branch(), InternalError);
  i.opcode = Opcode::tex;
  EXPECT_THROW(finish(i), InternalError) << "details of a barrier in a texture fetch";
}

TEST(Details, finish_fills_in_the_usual_ones) {
  Instruction i;
  i.opcode = Opcode::vote;
  finish(i);
  EXPECT_EQ(i.details, InstructionDetails(VoteDetails{}));
  i = Instruction{};
  finish(i);
  EXPECT_EQ(i.details, InstructionDetails()) << "nop says nothing";
}

TEST(RequiredSm, depends_on_modifiers_too) {
  Instruction i = three_operand(Opcode::fmul, ValueType::f32, gpr(1), gpr(2), gpr(3));
  EXPECT_EQ(required_sm(i), 10);
  i.saturate = true;
  EXPECT_EQ(required_sm(i), 12);
  i.opcode = Opcode::red;
  i.type = ValueType::u32;
  EXPECT_EQ(required_sm(i), 11);
  i.type = ValueType::u64;
  EXPECT_EQ(required_sm(i), 12);
  i.opcode = Opcode::convert_float_float;
  i.type = ValueType::f32;
  i.source_type[0] = ValueType::f64;
  EXPECT_EQ(required_sm(i), 13);
}

}  // namespace
}  // namespace teslasim
