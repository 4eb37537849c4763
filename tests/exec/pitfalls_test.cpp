// SPDX-License-Identifier: Apache-2.0
// The 25 points that implementers of this instruction set get wrong, one test each, in the words of the machine and in
// running code. (The list follows the reference that this project was written from; sources: van der Laan 2008,
// envytools documentation and hardware tests.)
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "isa/encoding/encoding.h"
#include "isa/semantics/flags.h"
#include "tests/exec/program.h"

namespace teslasim {
namespace {

using exec_test::Program;
using Kind = Operand::Kind;

const std::string store = "\nmov.u32 g[$r2], $r3\nreturn\n";

/// The words of one instruction in assembly.
EncodedWords words_of(const std::string& text) {
  const Module module = assemble_text(".arch sm_13\n.entry k {\n.reg 128\n" + text + "\nreturn\n}\n", "k.asm");
  const Encoding encoding = encode(module.kernels.front().code.front());
  EXPECT_TRUE(encoding.words.has_value()) << encoding.problem;
  return encoding.words.value_or(EncodedWords{});
}
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2U << (high - low)) - 1U);
}
Instruction decoded(std::uint32_t first, std::uint32_t second, std::uint8_t sm = 13) {
  const std::optional<Instruction> instruction = decode(first, second, sm);
  EXPECT_TRUE(instruction.has_value());
  return instruction.value_or(Instruction{});
}
std::uint32_t f(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
/// $r3 of thread 0 after `body`.
std::uint32_t result(const std::string& body, const std::string& declarations = "") {
  return Program(body + store, declarations).run()[0];
}
std::string hex(std::uint32_t value) {
  return std::to_string(value);
}

TEST(Pitfall01, exit_is_1_join_is_2_and_the_join_pops_before_the_instruction) {
  EXPECT_EQ(field(words_of("add.end.u32 $r1, $r2, $r3").second, 1, 0), 1U);
  EXPECT_EQ(field(words_of("add.join.u32 $r1, $r2, $r3").second, 1, 0), 2U);
  Program program(
      "mov.b32 $r4, 16\n"
      "mov.b32 $r3, 0\n"
      "set.lt.u32 $p0|$o127, $r1, $r4\n"
      "join.label done\n"
      "@$p0.ne bra.label done\n"
      "add.u32 $r3, $r3, 10\n"
      "done: add.join.u32 $r3, $r3, $r1" +
      store);
  const auto out = program.run();
  EXPECT_EQ(out[3], 3U);
  EXPECT_EQ(out[20], 30U);
  EXPECT_EQ(program.lanes_at(7), std::vector<LaneMask>{all_lanes}) << "not executed while it pops a parked path";
}

TEST(Pitfall02, add_takes_its_second_operand_from_the_third_field_and_set_from_the_second) {
  const EncodedWords add = words_of("add.u32 $r1, $r2, $r5");
  EXPECT_EQ(field(add.second, 20, 14), 5U);
  const EncodedWords set = words_of("set.lt.u32 $r1, $r2, $r5");
  EXPECT_EQ(field(set.first, 22, 16), 5U);
  EXPECT_EQ(field(words_of("shl.u32 $r1, $r2, $r5").first, 22, 16), 5U);
  EXPECT_EQ(field(words_of("mul24.lo.u32 $r1, $r2, $r5").first, 22, 16), 5U);
}

TEST(Pitfall03, red_takes_its_operand_from_the_destination_field_and_its_segment_from_elsewhere_than_atom) {
  const EncodedWords red = words_of("red.add.u32 g[$r4], $r9");
  EXPECT_EQ(field(red.first, 8, 2), 9U);
  EXPECT_EQ(field(red.first, 15, 9), 4U);
  EXPECT_EQ(field(red.first, 19, 16), 14U);
  const EncodedWords atom = words_of("atom.add.u32 $r9, g[$r4], $r5");
  EXPECT_EQ(field(atom.first, 26, 23), 14U);
  EXPECT_EQ(field(atom.first, 22, 16), 5U);
}

TEST(Pitfall04, conditions_are_truth_tables_over_four_flags_and_nan_is_zero_and_sign) {
  // lt: S without Z and O differing, or Z with O. Both values of O matter, with Z as well.
  for (const auto& [code, flags, holds] : {std::tuple{1, 0b0010U, true},
                                           {1, 0b1010U, false},
                                           {1, 0b1000U, true},
                                           {1, 0b1001U, true},
                                           {2, 0b0001U, true},
                                           {2, 0b0011U, false},
                                           {5, 0b0011U, false},
                                           {8, 0b0011U, true},
                                           {13, 0b0011U, true},
                                           {18, 0b0100U, true},
                                           {18, 0b0101U, false},
                                           {29, 0b0001U, true},
                                           {20, 0b1111U, false},
                                           {15, 0b0000U, true}}) {
    FlagPlanes planes;
    planes.zero = (flags & 1U) != 0 ? 1 : 0;
    planes.sign = (flags & 2U) != 0 ? 1 : 0;
    planes.carry = (flags & 4U) != 0 ? 1 : 0;
    planes.overflow = (flags & 8U) != 0 ? 1 : 0;
    EXPECT_EQ((condition_function(static_cast<unsigned>(code))(planes) & 1U) != 0, holds) << code << ' ' << flags;
  }
  EXPECT_EQ(result("mov.b32 $r4, 0x7fffffff\n"
                   "set.lt.u32.f32.f32 $p0|$o127, $r4, $r4\n"
                   "mov.b32 $r4, 0x7fffffff\n"
                   "add.f32 $p1|$r4, $r4, $r4\n"
                   "mov.b32 $r3, $p1"),
            3U)
      << "the flags of a NaN";
}

TEST(Pitfall05, carry_after_sub_means_no_borrow_and_addc_names_its_register) {
  EXPECT_EQ(result("mov.b32 $r4, 5\nmov.b32 $r5, 3\nsub.u32 $p1|$r6, $r4, $r5\nmov.b32 $r3, $p1"), 4U);
  EXPECT_EQ(result("mov.b32 $r4, 3\nmov.b32 $r5, 5\nsub.u32 $p1|$r6, $r4, $r5\nmov.b32 $r3, $p1") & 4U, 0U);
  const std::string carries =
      "mov.b32 $r4, 0xffffffff\nmov.b32 $r5, 1\n"
      "add.u32 $p0|$r6, $r5, $r5\n"  // $c0: no carry
      "add.u32 $p2|$r6, $r4, $r5\n"  // $c2: carry
      "mov.b32 $r7, 0\n";
  EXPECT_EQ(result(carries + "addc.u32 $r3, $r7, $r7, $p2"), 1U);
  EXPECT_EQ(result(carries + "addc.half.u32 $r3, $r7, $r7\nmov.half.b32 $r8, $r8"), 0U) << "the short form: $c0";
  EXPECT_EQ(field(words_of("addc.u32 $r1, $r2, $r3, $p2").second, 13, 12), 2U);
}

TEST(Pitfall06, integer_conversion_saturates_and_never_wraps) {
  EXPECT_EQ(result("mov.b32 $r4, 0x00012345\nmov.b32 $r3, 0\ncvt.rn.u16.u32 $r3.lo, $r4"), 0xffffU);
  EXPECT_EQ(result("mov.b32 $r4, -5\ncvt.rn.u32.s32 $r3, $r4"), 0U);
  EXPECT_EQ(result("mov.b32 $r4, -70000\nmov.b32 $r3, 0\ncvt.rn.s16.s32 $r3.lo, $r4"), 0x8000U);
}

TEST(Pitfall07, mad_cuts_its_product_denormals_are_flushed_and_nan_has_one_pattern) {
  // (1 + 2^-12 + 2^-23)^2: the cut product is one unit below the rounded one.
  const std::string operands = "mov.b32 $r4, 0x3f800801\nmov.b32 $r5, 0x3f800801\n";
  const std::uint32_t rounded = result(operands + "mov.b32 $r6, 0\nmad.f32 $r3, $r4, $r5, $r6");
  const double exact = static_cast<double>(std::bit_cast<float>(0x3f800801U)) * std::bit_cast<float>(0x3f800801U);
  EXPECT_EQ(rounded, f(static_cast<float>(exact))) << "with a zero addend the product is rounded";
  const std::string cancel = operands + "mov.b32 $r6, " + hex(rounded ^ 0x80000000U) + "\nmad.f32 $r3, $r4, $r5, $r6";
  EXPECT_EQ(result(cancel), exact < static_cast<double>(std::bit_cast<float>(rounded)) ? f(-0x1p-23F) : 0U);
  EXPECT_EQ(result("mov.b32 $r4, 0x80000001\nmov.b32 $r5, 0x00000001\nadd.f32 $r3, $r4, $r4"), 0x80000000U);
  EXPECT_EQ(result("mov.b32 $r4, 0x7fc12345\nadd.f32 $r3, $r4, $r4"), 0x7fffffffU);
}

TEST(Pitfall08, nop_call_join_bar_and_breakaddr_ignore_a_condition_of_never) {
  Program program(
      "call function\n"
      "join.label done\n"
      "breakaddr out\n"
      "bar.sync.u32 0\n"
      "nop\n"
      "break\n"
      "out:\n"
      "done: nop.join\n" +
      std::string("add.u32 $r3, $r3, 1") + store + "function: mov.b32 $r3, 41\nreturn\n");
  for (Instruction& instruction : program.kernel().code) {
    if (instruction.ignores_condition()) instruction.condition = condition_never;
  }
  EXPECT_EQ(program.run()[0], 42U);
}

TEST(Pitfall09, registers_beyond_the_allocation_read_zero_and_r124_is_the_zero) {
  Program program("mov.b32 $r30, 7\nadd.u32 $r3, $r30, $r124\nadd.u32 $r3, $r3, 1" + store);
  program.kernel().registers = 8;
  finish_kernel(program.kernel());
  EXPECT_EQ(program.run()[0], 1U);
}

TEST(Pitfall10, modifier_bits_of_short_forms_are_not_register_bits) {
  const EncodedWords sub = words_of("sub.half.b32 $r5, $r6, $r7\nmov.half.b32 $r8, $r8");
  EXPECT_EQ(sub.bytes, 4);
  const Instruction back = decoded(sub.first, 0);
  EXPECT_EQ(back.opcode, Opcode::sub);
  EXPECT_EQ(back.destination[0].index, 5);
  EXPECT_EQ(back.source[0].index, 6);
  EXPECT_EQ(back.source[1].index, 7);
  const Instruction sum = decoded(sub.first & ~(1U << 22U), 0);
  EXPECT_EQ(sum.opcode, Opcode::add) << "bit 22 is the operation";
  EXPECT_EQ(sum.source[1].index, 7);
}

TEST(Pitfall11, a_shared_operand_has_its_own_access_type) {
  const EncodedWords words = words_of("cvt.rn.s32.s8 $r1, s[0x13].u8");
  EXPECT_EQ(field(words.first, 15, 14), 0U) << "u8";
  EXPECT_EQ(field(words.first, 13, 9), 0x13U) << "in units of the access";
  EXPECT_EQ(result("mov.b32 $r4, 0x00f00000\nmov.b32 s[data], $r4\ncvt.rn.s32.s8 $r3, s[data+2].u8", ".shared data, 4"),
            0xfffffff0U);
}

TEST(Pitfall12, the_address_register_belongs_to_the_first_memory_operand_and_increments_afterwards) {
  EXPECT_EQ(result("mov.b32 $r4, 100\nmov.b32 s[data+4], $r4\n"
                   "mov.b32 $ofs1, 4\n"
                   "add.b32 $ofs1, $ofs1, data\n"
                   "add.u32 $r3, s[$ofs1+0], c1[0x0]",
                   ".shared data, 8\n.const c1[0] : u32 7, 1000"),
            107U)
      << "c1 is taken at its plain offset";
  EXPECT_EQ(result("mov.b32 $r4, 11\nmov.b32 s[data], $r4\n"
                   "mov.b32 $ofs1, data\n"
                   "mov.b32 $r3, s[$ofs1+=-4]\n"
                   "mov.b32 $r5, $ofs1\n"
                   "shl.u32 $r5, $r5, 8\n"
                   "add.u32 $r3, $r3, $r5",
                   ".shared data, 4"),
            11U + (0x14U << 8U))
      << "the old value is the address, the offset is signed";
}

TEST(Pitfall13, local_memory_has_immediates_and_address_registers_only) {
  EXPECT_THROW((void)assemble_text(".arch sm_13\n.entry k {\n.lmem 16\nmov.u32 $r1, l[$r2]\nreturn\n}\n", "k.asm"),
               InputError);
  EXPECT_EQ(result("mov.b32 $ofs1, 8\nmov.b32 $r4, 9\nmov.u32 l[$ofs1+4], $r4\nmov.u32 $r3, l[0xc]", ".lmem 16"), 9U);
}

TEST(Pitfall14, thread_numbers_are_packed_and_the_header_holds_half_words) {
  Program program(
      "mov.b32 $r3, $r0\nadd.u32 $r2, s[out], 0\nand.b32 $r4, $r0, 0x0000ffff\nshl.u32 $r4, $r4, 2\n"
      "add.u32 $r2, $r2, $r4" +
      store);
  program.block(4, 2, 2);
  EXPECT_EQ(program.run()[3], 3U | 1U << 16U | 1U << 26U) << "of several stores to one address the highest lane wins";
  EXPECT_EQ(result("mov.u16 $r3.hi, %ntid.x\nmov.u16 $r3.lo, s[0x2]"), 32U | 32U << 16U);
  EXPECT_EQ(result("mov.b32 $r3, s[0x10]\nsub.u32 $r3, $r3, $r2"), 0U) << "the first parameter lies at 0x10";
}

TEST(Pitfall15, f32_has_two_rounding_modes) {
  // 1 + 3/4 of a unit
  const std::string operands = "mov.b32 $r4, 0x3f800000\nmov.b32 $r5, 0x33c00000\n";
  EXPECT_EQ(result(operands + "add.rn.f32 $r3, $r4, $r5"), 0x3f800001U);
  EXPECT_EQ(result(operands + "add.rz.f32 $r3, $r4, $r5"), 0x3f800000U);
  EXPECT_EQ(field(words_of("add.rz.f32 $r1, $r2, $r3").first, 17, 16), 3U);
  EXPECT_EQ(field(words_of("mul.rz.f32 $r1, $r2, $r3").second, 15, 14), 3U);
  EXPECT_THROW((void)words_of("add.rm.f32 $r1, $r2, $r3"), InputError);
}

TEST(Pitfall16, f64_rounding_sits_in_three_places_and_min_and_max_are_swapped) {
  EXPECT_EQ(field(words_of("mad.rp.f64 $r2, $r4, $r6, $r8").second, 23, 22), 2U);
  EXPECT_EQ(field(words_of("add.rp.f64 $r2, $r4, $r6").first, 17, 16), 2U);
  EXPECT_EQ(field(words_of("mul.rp.f64 $r2, $r4, $r6").second, 18, 17), 2U);
  EXPECT_EQ(field(words_of("min.f64 $r2, $r4, $r6").second, 31, 29), 5U);
  EXPECT_EQ(field(words_of("max.f64 $r2, $r4, $r6").second, 31, 29), 6U);
  EXPECT_EQ(field(words_of("max.f32 $r2, $r4, $r6").second, 31, 29), 4U);
}

TEST(Pitfall17, results_of_pre_sin_and_pre_ex2_are_fixed_point_numbers) {
  EXPECT_EQ(result("mov.b32 $r4, 1.0f\npre.ex2.f32 $r3, $r4"), 0x00800000U) << "a denormal, were it a float";
  EXPECT_EQ(result("mov.b32 $r4, 0.25f\npre.ex2.f32 $r4, $r4\nmov.b32 $r5, $r4\nex2.f32 $r3, $r5"), 0x3f9837f1U)
      << "the fourth root of two as the tables give it";
  EXPECT_EQ(result("mov.b32 $r4, 1.0f\npre.sin.f32 $r3, $r4"), 0xa2f983U >> 1U);
}

TEST(Pitfall18, slct_takes_the_second_on_nan_and_minus_one_is_a_nan) {
  const std::string sources = "mov.b32 $r4, 1\nmov.b32 $r5, 2\n";
  for (const auto& [selector, want] : {std::pair{"0xffffffff", 2U},
                                       {"0x7fc00000", 2U},
                                       {"0xbf800000", 2U},
                                       {"0x3f800000", 1U},
                                       {"0x80000000", 1U},
                                       {"0x80000001", 1U},
                                       {"0", 1U}}) {
    EXPECT_EQ(result(sources + "mov.b32 $r6, " + selector + "\nslct.b32.f32 $r3, $r4, $r5, $r6"), want) << selector;
  }
}

TEST(Pitfall19, texture_results_are_packed_by_the_mask_from_the_first_coordinate_register_on) {
  const EncodedWords words = words_of("tex.2d.b32.f32 {$r8,_,_,$r9}, $tex3, {$r8,$r9}");
  const Instruction tex = decoded(words.first, words.second);
  EXPECT_EQ(tex.texture().result_mask, 0b1001);
  EXPECT_EQ(tex.destination[0].index, 8);
  EXPECT_EQ(tex.source[0].index, 8);
  EXPECT_EQ(tex.writes.words[0], 3U << 8U) << "$r8 and $r9, no other";
}

TEST(Pitfall20, return_outside_of_a_function_ends_the_thread) {
  Program program(
      "mov.b32 $r4, 8\nset.ge.u32 $p0|$o127, $r1, $r4\n"
      "@$p0.ne return\n"
      "mov.b32 $r3, 5" +
      store);
  const auto out = program.run();
  EXPECT_EQ(out[7], 5U);
  EXPECT_EQ(out[8], 0U);
}

TEST(Pitfall21, a_divergent_loop_needs_an_entry_for_each_trip) {
  Program program(
      "mov.b32 $r3, 0\n"
      "join.label done\n"
      "again: add.u32 $r3, $r3, 1\n"
      "set.le.u32 $p0|$o127, $r3, $r1\n"
      "@$p0.ne bra.label again\n"
      "done: nop.join" +
      store);
  program.options.divergence_stack = ExecutionStreamOptions{}.divergence_stack;
  EXPECT_EQ(program.run()[31], 32U);
}

TEST(Pitfall22, writing_half_a_register_keeps_the_other_half) {
  EXPECT_EQ(result("mov.b32 $r3, 0xaaaabbbb\nmov.b32 $r4, 0x00001234\nadd.u16 $r3.lo, $r4.lo, $r4.lo"), 0xaaaa2468U);
  EXPECT_EQ(result("mov.b32 $r3, 0xaaaabbbb\nmov.b32 $r4, 0x00001234\nmov.b16 $r3.hi, $r4.lo"), 0x1234bbbbU);
}

TEST(Pitfall23, saturation_of_mul_is_ignored_before_sm_12) {
  for (const std::uint8_t sm : {std::uint8_t{10}, std::uint8_t{11}, std::uint8_t{12}, std::uint8_t{13}}) {
    Program program("mov.b32 $r4, 3.0f\nmul.rn.sat.f32 $r3, $r4, $r4" + store);
    program.launch.machine_sm = sm;
    EXPECT_EQ(program.run()[0], sm >= 12 ? f(1.0F) : f(9.0F)) << int{sm};
  }
}

TEST(Pitfall24, there_are_sixteen_barriers_and_compilers_use_one_pair_of_words) {
  const Instruction bar = decoded(0x861ffe03U, 0);
  EXPECT_EQ(bar.opcode, Opcode::bar);
  EXPECT_EQ(bar.barrier().number, 0);
  EXPECT_TRUE(bar.barrier().arrive && bar.barrier().wait);
  EXPECT_EQ(bar.barrier().threads, 0xfff);
  EXPECT_EQ(words_of("bar.sync.u32 0"), (EncodedWords{0x861ffe03U, 0, 8}));
  EXPECT_EQ(field(words_of("bar.sync.u32 15").first, 24, 21), 15U);
}

TEST(Pitfall25, immediates_are_split_and_only_mov_has_a_seven_bit_destination) {
  const EncodedWords mov = words_of("mov.b32 $r100, 0x12345678");
  EXPECT_EQ(field(mov.first, 21, 16) | field(mov.second, 27, 2) << 6U, 0x12345678U);
  EXPECT_EQ(field(mov.first, 8, 2), 100U);
  const EncodedWords add = words_of("add.b32 $r5, $r6, 0xfedcba98");
  EXPECT_EQ(field(add.first, 21, 16) | field(add.second, 27, 2) << 6U, 0xfedcba98U);
  EXPECT_EQ(field(add.first, 7, 2), 5U);
  EXPECT_THROW((void)words_of("add.b32 $r100, $r6, 0xfedcba98"), InputError);
}

}  // namespace
}  // namespace teslasim
