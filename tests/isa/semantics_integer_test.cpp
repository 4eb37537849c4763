// SPDX-License-Identifier: Apache-2.0
// Datasheet of the integer operations: values and flags.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ostream>

#include "tests/isa/semantics_harness.h"

namespace teslasim::semantics_test {

void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << std::hex << "0x" << outcome.value << " flags 0x" << outcome.flags;
}

namespace {

constexpr unsigned no_flags = 0, z = 1, s = 2, c = 4, o = 8;

struct Row {
  Opcode opcode;
  ValueType type;
  std::uint32_t a, b;
  Outcome expected;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(run(operation(row.opcode, row.type), row.a, row.b), row.expected)
        << info(row.opcode).name << std::hex << " 0x" << row.a << ", 0x" << row.b;
  }
}

TEST(IntegerAdd, carry_is_the_carry_out_and_overflow_the_signed_one) {
  expect_rows({{Opcode::add, ValueType::u32, 1, 2, {3, no_flags}},
               {Opcode::add, ValueType::u32, 0xffffffff, 1, {0, z | c}},
               {Opcode::add, ValueType::u32, 0x7fffffff, 1, {0x80000000, s | o}},
               {Opcode::add, ValueType::u32, 0x80000000, 0x80000000, {0, z | c | o}},
               {Opcode::add, ValueType::u16, 0xffff, 1, {0, z | c}},
               {Opcode::add, ValueType::u16, 0x7fff, 1, {0x8000, s | o}}});
}

TEST(IntegerAdd, a_subtraction_sets_carry_when_nothing_is_borrowed) {
  expect_rows({{Opcode::sub, ValueType::u32, 5, 3, {2, c}},
               {Opcode::sub, ValueType::u32, 3, 5, {0xfffffffe, s}},
               {Opcode::sub, ValueType::u32, 7, 7, {0, z | c}},
               {Opcode::sub, ValueType::u32, 0x80000000, 1, {0x7fffffff, c | o}},
               {Opcode::subr, ValueType::u32, 3, 5, {2, c}},
               {Opcode::subr, ValueType::u32, 5, 3, {0xfffffffe, s}},
               {Opcode::sub, ValueType::u16, 0, 1, {0xffff, s}},
               {Opcode::subr, ValueType::u16, 1, 0x8000, {0x7fff, c | o}}});
}

TEST(IntegerAdd, addc_takes_the_carry_of_its_flag_register) {
  const Instruction addc = operation(Opcode::addc, ValueType::u32);
  EXPECT_EQ(run(addc, 1, 2, 0, c), (Outcome{4, no_flags}));
  EXPECT_EQ(run(addc, 1, 2, 0, z | s | o), (Outcome{3, no_flags}));
  EXPECT_EQ(run(addc, 0xffffffff, 0, 0, c), (Outcome{0, z | c}));
  EXPECT_EQ(run(operation(Opcode::addc, ValueType::u16), 0x7fff, 0, 0, c), (Outcome{0x8000, s | o}));
}

TEST(IntegerAdd, saturation_clamps_signed_overflow) {
  Instruction add = operation(Opcode::add, ValueType::s32);
  add.saturate = true;
  EXPECT_EQ(run(add, 0x7fffffff, 1), (Outcome{0x7fffffff, o}));
  EXPECT_EQ(run(add, 0x80000000, 0xffffffff), (Outcome{0x80000000, s | c | o}));
  add.type = ValueType::s16;
  EXPECT_EQ(run(add, 0x7fff, 1), (Outcome{0x7fff, o}));
  EXPECT_EQ(run(add, 0x8000, 0xffff), (Outcome{0x8000, s | c | o}));
}

RC_GTEST_PROP(IntegerAdd, flags_agree_with_64_bit_arithmetic, (std::uint32_t a, std::uint32_t b, bool carry)) {
  const std::uint64_t wide = std::uint64_t{a} + b + (carry ? 1 : 0);
  const std::int64_t exact =
      std::int64_t{static_cast<std::int32_t>(a)} + static_cast<std::int32_t>(b) + (carry ? 1 : 0);
  const auto sum = static_cast<std::uint32_t>(wide);
  const unsigned flags = (sum == 0 ? z : 0) | (sum >> 31 != 0 ? s : 0) | (wide >> 32 != 0 ? c : 0) |
                         (exact != static_cast<std::int32_t>(sum) ? o : 0);
  RC_ASSERT(run(operation(Opcode::addc, ValueType::u32), a, b, 0, carry ? c : no_flags) == (Outcome{sum, flags}));
}

RC_GTEST_PROP(IntegerAdd, subtraction_is_the_addition_of_the_complement, (std::uint32_t a, std::uint32_t b)) {
  const Outcome expected = run(operation(Opcode::addc, ValueType::u32), a, ~b, 0, c);
  RC_ASSERT(run(operation(Opcode::sub, ValueType::u32), a, b) == expected);
  RC_ASSERT(run(operation(Opcode::subr, ValueType::u32), b, a) == expected);
}

TEST(IntegerCompare, set_gives_all_ones_with_flags_2_or_zero_with_flags_1) {
  Instruction set = operation(Opcode::set, ValueType::s32);
  set.compare = Relations::less;
  EXPECT_EQ(run(set, 0xffffffff, 0), (Outcome{0xffffffff, s}));
  EXPECT_EQ(run(set, 0, 0xffffffff), (Outcome{0, z}));
  set.type = ValueType::u32;
  EXPECT_EQ(run(set, 0xffffffff, 0), (Outcome{0, z}));
  set.type = ValueType::u16;
  set.compare = static_cast<Relations>(5);  // less or greater
  EXPECT_EQ(run(set, 1, 2), (Outcome{0xffff, s}));
}

TEST(IntegerCompare, every_mask_selects_its_relations) {
  for (unsigned mask = 0; mask < 8; ++mask) {
    Instruction set = operation(Opcode::set, ValueType::s16);
    set.compare = static_cast<Relations>(mask);
    EXPECT_EQ(run(set, 0xfffe, 3).value != 0, (mask & 1U) != 0) << mask;  // -2 < 3
    EXPECT_EQ(run(set, 3, 3).value != 0, (mask & 2U) != 0) << mask;
    EXPECT_EQ(run(set, 3, 0xfffe).value != 0, (mask & 4U) != 0) << mask;
  }
}

TEST(IntegerCompare, minimum_and_maximum_follow_size_and_sign) {
  expect_rows({{Opcode::max, ValueType::s32, 0xffffffff, 1, {1, no_flags}},
               {Opcode::max, ValueType::u32, 0xffffffff, 1, {0xffffffff, s}},
               {Opcode::min, ValueType::s32, 0xffffffff, 1, {0xffffffff, s}},
               {Opcode::min, ValueType::u32, 0, 1, {0, z}},
               {Opcode::max, ValueType::s16, 0x8000, 1, {1, no_flags}},
               {Opcode::min, ValueType::s16, 0x8000, 1, {0x8000, s}},
               {Opcode::max, ValueType::u16, 0x8000, 1, {0x8000, s}}});
}

TEST(Shift, counts_beyond_the_word_clear_or_fill_with_the_sign) {
  expect_rows({{Opcode::shl, ValueType::u32, 1, 31, {0x80000000, s}},
               {Opcode::shl, ValueType::u32, 0xffffffff, 32, {0, z}},
               {Opcode::shl, ValueType::u32, 0xffffffff, 0x80000001, {0, z}},
               {Opcode::shr, ValueType::u32, 0x80000000, 31, {1, no_flags}},
               {Opcode::shr, ValueType::u32, 0x80000000, 32, {0, z}},
               {Opcode::shr, ValueType::s32, 0x80000000, 32, {0xffffffff, s}},
               {Opcode::shr, ValueType::s32, 0x40000000, 40, {0, z}},
               {Opcode::shr, ValueType::s16, 0x8000, 20, {0xffff, s}},
               {Opcode::shr, ValueType::u16, 0x8000, 16, {0, z}},
               {Opcode::shl, ValueType::u16, 0xffff, 16, {0, z}}});
}

TEST(Shift, carry_is_the_last_bit_out_and_overflow_a_sign_change_by_one) {
  expect_rows({{Opcode::shl, ValueType::u32, 0xc0000000, 1, {0x80000000, s | c}},
               {Opcode::shl, ValueType::u32, 0x40000000, 1, {0x80000000, s | o}},
               {Opcode::shl, ValueType::u32, 0x40000000, 2, {0, z | c}},
               {Opcode::shr, ValueType::u32, 3, 1, {1, c}},
               {Opcode::shr, ValueType::u32, 0x80000000, 1, {0x40000000, o}},
               {Opcode::shr, ValueType::s32, 0x80000001, 1, {0xc0000000, s | c}},
               {Opcode::shr, ValueType::u32, 0xffffffff, 32, {0, z}},
               {Opcode::shr, ValueType::u16, 0xffff, 16, {0, z}},
               {Opcode::shl, ValueType::u32, 5, 0, {5, no_flags}}});
}

TEST(Shift, a_constant_count_gives_what_a_register_gives) {
  Instruction constant = operation(Opcode::shr, ValueType::s32);
  constant.flag_destination = -1;
  constant.source[1].kind = Operand::Kind::immediate;
  for (const std::uint32_t count : {0U, 1U, 17U, 31U, 32U, 127U}) {
    constant.source[1].immediate = count;
    EXPECT_EQ(run(constant, 0x87654321, count).value,
              run(operation(Opcode::shr, ValueType::s32), 0x87654321, count).value);
  }
}

Instruction product(ValueType first, ValueType second, bool wide, bool high) {
  Instruction mul = operation(Opcode::mul, is_signed(first) || is_signed(second) ? ValueType::s32 : ValueType::u32);
  mul.source_type = {first, second, ValueType::none};
  mul.product_24 = wide;
  mul.high = high;
  return mul;
}

TEST(Multiply, sixteen_bit_operands_have_a_sign_each) {
  using enum ValueType;
  EXPECT_EQ(run(product(u16, u16, false, false), 0xffff, 0xffff), (Outcome{0xfffe0001, s}));
  EXPECT_EQ(run(product(s16, s16, false, false), 0xffff, 0xffff), (Outcome{1, no_flags}));
  EXPECT_EQ(run(product(s16, u16, false, false), 0xffff, 0xffff), (Outcome{0xffff0001, s}));
  EXPECT_EQ(run(product(u16, s16, false, false), 0, 0xffff), (Outcome{0, z}));
}

TEST(Multiply, twenty_four_bit_products_give_the_low_or_the_high_word_of_48_bits) {
  using enum ValueType;
  EXPECT_EQ(run(product(u32, u32, true, false), 0xff000002, 3).value, 6U);  // the top byte is ignored
  EXPECT_EQ(run(product(u32, u32, true, true), 0xffffff, 0xffffff).value, 0xfffffe00U);
  EXPECT_EQ(run(product(s32, s32, true, false), 0xffffff, 2).value, 0xfffffffeU);
  EXPECT_EQ(run(product(s32, s32, true, true), 0xffffff, 2).value, 0xffffffffU);
  EXPECT_EQ(run(product(s32, s32, true, true), 0x800000, 0x800000).value, 0x40000000U);
}

RC_GTEST_PROP(Multiply, high_and_low_words_are_cut_from_the_exact_product, (std::uint32_t a, std::uint32_t b)) {
  using enum ValueType;
  const std::int64_t x = static_cast<std::int32_t>(a << 8U) >> 8U;
  const std::int64_t y = static_cast<std::int32_t>(b << 8U) >> 8U;
  RC_ASSERT(run(product(s32, s32, true, false), a, b).value == static_cast<std::uint32_t>(x * y));
  RC_ASSERT(run(product(s32, s32, true, true), a, b).value == static_cast<std::uint32_t>((x * y) >> 16));
  const std::uint64_t unsigned_product = std::uint64_t{a & 0xffffffU} * (b & 0xffffffU);
  RC_ASSERT(run(product(u32, u32, true, true), a, b).value == static_cast<std::uint32_t>(unsigned_product >> 16));
}

TEST(MultiplyAdd, adds_subtracts_and_carries_with_the_flags_of_addition) {
  Instruction mad = operation(Opcode::mad, ValueType::u32);
  mad.source_type = {ValueType::u16, ValueType::u16, ValueType::u32};
  EXPECT_EQ(run(mad, 3, 5, 1), (Outcome{16, no_flags}));
  mad.mad_operation = AddKind::sub;
  EXPECT_EQ(run(mad, 3, 5, 16), (Outcome{0xffffffff, s}));
  mad.mad_operation = AddKind::subr;
  EXPECT_EQ(run(mad, 3, 5, 16), (Outcome{1, c}));
  mad.mad_operation = AddKind::addc;
  EXPECT_EQ(run(mad, 3, 5, 0xfffffff0, c), (Outcome{0, z | c}));
}

TEST(MultiplyAdd, saturating_kinds_clamp_the_sum) {
  Instruction mad = operation(Opcode::mad, ValueType::s32);
  mad.source_type = {ValueType::s16, ValueType::s16, ValueType::s32};
  mad.saturate = true;
  EXPECT_EQ(run(mad, 0x7fff, 0x7fff, 0x7fffffff), (Outcome{0x7fffffff, o}));
  EXPECT_EQ(run(mad, 0x8000, 0x7fff, 0x80000000), (Outcome{0x80000000, s | c | o}));
}

TEST(Sad, adds_the_absolute_difference) {
  EXPECT_EQ(run(operation(Opcode::sad, ValueType::u32), 3, 10, 100), (Outcome{107, no_flags}));
  EXPECT_EQ(run(operation(Opcode::sad, ValueType::s32), 0xffffffff, 1, 0), (Outcome{2, no_flags}));
  EXPECT_EQ(run(operation(Opcode::sad, ValueType::u32), 0xffffffff, 1, 2), (Outcome{0, z | c}));
  EXPECT_EQ(run(operation(Opcode::sad, ValueType::s16), 0x8000, 0x7fff, 0x10000), (Outcome{0x1ffff, no_flags}));
}

TEST(Logic, operands_may_be_complemented) {
  Instruction logic = operation(Opcode::logic_and, ValueType::b32);
  EXPECT_EQ(run(logic, 0xff00ff00, 0xf0f0f0f0), (Outcome{0xf000f000, s}));
  logic.source[0].invert = true;
  EXPECT_EQ(run(logic, 0xff00ff00, 0xf0f0f0f0), (Outcome{0x00f000f0, no_flags}));
  logic.opcode = Opcode::logic_xor;
  EXPECT_EQ(run(logic, 0, 0xffffffff), (Outcome{0, z}));
  Instruction pass = operation(Opcode::logic_pass, ValueType::b16);
  pass.source[1].invert = true;
  EXPECT_EQ(run(pass, 0x1234, 0), (Outcome{0xffff, s}));
}

TEST(Lanes, others_keep_their_result_and_their_flags) {
  Warp warp(operation(Opcode::add, ValueType::u32));
  warp.operand(0, 5).operand(1, 0xfffffffb).lanes(0x0000ff01).run();
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool runs = (0x0000ff01U >> lane & 1U) != 0;
    EXPECT_EQ(warp.value(lane), runs ? 0U : untouched) << lane;
    EXPECT_EQ(warp.flags(lane), runs ? z | c : no_flags) << lane;
  }
}

TEST(Vote, everybody_gets_the_same_answer) {
  Instruction vote = operation(Opcode::vote, ValueType::none);
  vote.vote().kind = VoteKind::any;
  EXPECT_EQ(Warp(vote).predicate(0x10).lanes(0xff).run().flags(3), s);
  EXPECT_EQ(Warp(vote).predicate(0x100).lanes(0xff).run().flags(3), z);  // lanes that do not take part do not count
  vote.vote().kind = VoteKind::all;
  EXPECT_EQ(Warp(vote).predicate(0xffff).lanes(0xff).run().flags(0), s);
  EXPECT_EQ(Warp(vote).predicate(0x7f).lanes(0xff).run().flags(0), z);
}

TEST(Moves, flag_registers_travel_as_four_bits) {
  Instruction from = operation(Opcode::mov_from_flags, ValueType::b32);
  EXPECT_EQ(Warp(from).guard(0xb).run().value(), 0xbU);
  EXPECT_EQ(run(operation(Opcode::mov_to_flags, ValueType::b32), 0xfffffff6).flags, 6U);
}

TEST(Moves, address_registers_have_16_bits) {
  Instruction shift = operation(Opcode::shift_to_address, ValueType::b32);
  shift.source[1].immediate = 4;
  EXPECT_EQ(run(shift, 0x12345).value, 0x3450U);
  Instruction add = operation(Opcode::add_address, ValueType::b32);
  add.source[1].immediate = 0xfff0;
  EXPECT_EQ(run(add, 0x20).value, 0x10U);
}

/// The definition: bit v of the table is the answer for flag value v.
TEST(Conditions, every_code_follows_its_truth_table_for_every_flag_value) {
  for (unsigned code = 0; code < 32; ++code) {
    FlagPlanes flags;
    for (unsigned lane = 0; lane < 16; ++lane) {
      flags.zero |= (lane & 1U) << lane;
      flags.sign |= (lane >> 1U & 1U) << lane;
      flags.carry |= (lane >> 2U & 1U) << lane;
      flags.overflow |= (lane >> 3U & 1U) << lane;
    }
    EXPECT_EQ(condition_function(code)(flags) & 0xffffU, condition_truth_tables[code]) << "code " << code;
  }
}

TEST(Conditions, signed_comparison_by_subtraction_uses_them) {
  const auto holds = [](unsigned code, std::uint32_t a, std::uint32_t b) {
    const Outcome difference = run(operation(Opcode::sub, ValueType::u32), a, b);
    return (condition_function(code)(planes_of(difference.flags)) & 1U) != 0;
  };
  EXPECT_TRUE(holds(1, 0x80000000, 1));   // lt, although the difference overflows
  EXPECT_FALSE(holds(4, 0x80000000, 1));  // gt
  EXPECT_TRUE(holds(18, 0xffffffff, 1));  // ab: unsigned above
  EXPECT_TRUE(holds(29, 1, 1));           // ble
}

}  // namespace
}  // namespace teslasim::semantics_test
