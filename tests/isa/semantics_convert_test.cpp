// SPDX-License-Identifier: Apache-2.0
// Datasheet of the four classes of conversion, and of double precision.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/isa/semantics_harness.h"

namespace teslasim::semantics_test {
namespace {

using enum ValueType;

constexpr unsigned z = 1, s = 2, o = 8;
constexpr std::uint32_t minus = 0x80000000, infinity = 0x7f800000, quiet_nan = 0x7fffffff;

Instruction conversion(Opcode opcode, ValueType to, ValueType from, Rounding rounding = Rounding::nearest) {
  Instruction cvt = operation(opcode, to);
  cvt.source_type[0] = from;
  cvt.rounding = rounding;
  return cvt;
}

// --- integer to integer

struct IntegerRow {
  ValueType to, from;
  std::uint32_t source;
  std::uint32_t expected;
  unsigned flags;
};

TEST(ConvertIntegers, saturates_and_never_wraps) {
  const std::vector<IntegerRow> rows{{u32, s32, 0xffffffff, 0, z},
                                     {u32, s32, 5, 5, 0},
                                     {s32, u32, 0xffffffff, 0x7fffffff, 0},
                                     {s32, s32, 0x80000000, 0x80000000, s},
                                     {u16, u32, 0x12345, 0xffff, s},
                                     {s16, s32, 0xffff0000, 0x8000, s},
                                     {s16, u32, 0x8000, 0x7fff, 0},
                                     {u16, s16, 0xffff, 0, z},
                                     {s32, s8, 0x1ff, 0xffffffff, s},  // only the low byte counts
                                     {u32, u8, 0x1ff, 0xff, 0},
                                     {s32, s16, 0x8000, 0xffff8000, s},
                                     {s16, s8, 0x80, 0xff80, s},
                                     {u32, u16, 0x8000, 0x8000, 0}};
  for (const IntegerRow& row : rows) {
    EXPECT_EQ(run(conversion(Opcode::convert_int_int, row.to, row.from), row.source),
              (Outcome{row.expected, row.flags}))
        << std::hex << row.source;
  }
}

RC_GTEST_PROP(ConvertIntegers, the_fast_paths_agree_with_the_general_one, (std::uint32_t x)) {
  for (const auto& [to, from] : {std::pair{u32, s32}, {s32, u32}, {s32, s16}, {u16, u8}}) {
    Instruction general = conversion(Opcode::convert_int_int, to, from);
    general.source[0].negate = true;  // never fast
    const std::uint32_t fast = run(conversion(Opcode::convert_int_int, to, from), x).value;
    const std::int64_t value = from == s32   ? std::int64_t{static_cast<std::int32_t>(x)}
                               : from == s16 ? std::int64_t{static_cast<std::int16_t>(x)}
                               : from == u8  ? std::int64_t{x & 0xffU}
                                             : std::int64_t{x};
    const std::int64_t low = to == s32 ? std::numeric_limits<std::int32_t>::min() : 0;
    const std::int64_t high = to == u32 ? 0xffffffffLL : (to == s32 ? 0x7fffffffLL : 0xffffLL);
    RC_ASSERT(fast == static_cast<std::uint32_t>(std::clamp(value, low, high)));
    RC_ASSERT(run(general, x).value ==
              (static_cast<std::uint32_t>(std::clamp(-value, low, high)) & (to == u16 ? 0xffffU : ~0U)));
  }
}

TEST(ConvertIntegers, absolute_value_comes_before_negation) {
  Instruction cvt = conversion(Opcode::convert_int_int, s32, s32);
  cvt.source[0].absolute = true;
  EXPECT_EQ(run(cvt, 0xfffffff9).value, 7U);
  EXPECT_EQ(run(cvt, 0x80000000).value, 0x7fffffffU);
  cvt.source[0].negate = true;
  EXPECT_EQ(run(cvt, 0xfffffff9).value, 0xfffffff9U);
  EXPECT_EQ(run(cvt, 0x80000000).value, 0x80000000U);
  cvt.source[0].absolute = false;
  EXPECT_EQ(run(cvt, 0x80000000).value, 0x7fffffffU);
}

TEST(ConvertIntegers, sat_clamps_to_a_byte_of_the_destination_sign) {
  Instruction cvt = conversion(Opcode::convert_int_int, u32, s32);
  cvt.saturate = true;
  EXPECT_EQ(run(cvt, 300).value, 0xffU);
  EXPECT_EQ(run(cvt, 0xfffffff0).value, 0U);
  cvt.type = s16;
  EXPECT_EQ(run(cvt, 300).value, 0x7fU);
  EXPECT_EQ(run(cvt, 0xffffff00).value, 0xff80U);
}

// --- integer to float

TEST(ConvertIntegerToFloat, rounds_once_in_the_given_direction) {
  const auto convert = [](ValueType from, Rounding mode, std::uint32_t x) {
    return run(conversion(Opcode::convert_int_float, f32, from, mode), x).value;
  };
  EXPECT_EQ(convert(u32, Rounding::nearest, 0xffffffff), bits(4294967296.0F));
  EXPECT_EQ(convert(u32, Rounding::zero, 0xffffffff), 0x4f7fffffU);
  EXPECT_EQ(convert(s32, Rounding::down, 0x80000001), bits(-2147483648.0F));
  EXPECT_EQ(convert(s32, Rounding::up, 0x80000001), 0xceffffffU);
  EXPECT_EQ(convert(s8, Rounding::nearest, 0x80), bits(-128.0F));
  EXPECT_EQ(convert(u8, Rounding::nearest, 0x180), bits(128.0F));
  EXPECT_EQ(convert(s16, Rounding::nearest, 0xffff), bits(-1.0F));
  EXPECT_EQ(convert(u32, Rounding::nearest, 0x01000001), bits(16777216.0F));  // ties to even
  EXPECT_EQ(convert(u32, Rounding::nearest, 0x01000003), bits(16777220.0F));
}

TEST(ConvertIntegerToFloat, negation_of_zero_gives_minus_zero) {
  Instruction cvt = conversion(Opcode::convert_int_float, f32, s32);
  cvt.source[0].negate = true;
  EXPECT_EQ(run(cvt, 0), (Outcome{minus, z}));
  EXPECT_EQ(run(cvt, 5), (Outcome{bits(-5.0F), s}));
}

RC_GTEST_PROP(ConvertIntegerToFloat, agrees_with_the_host_in_all_modes, (std::uint32_t x)) {
  const struct {
    Rounding mode;
    int host;
  } modes[] = {{Rounding::nearest, FE_TONEAREST},
               {Rounding::down, FE_DOWNWARD},
               {Rounding::up, FE_UPWARD},
               {Rounding::zero, FE_TOWARDZERO}};
  for (const auto& [mode, host] : modes) {
    const volatile auto integer = static_cast<std::int32_t>(x);
    std::fesetround(host);
    const volatile float expected = static_cast<float>(integer);
    std::fesetround(FE_TONEAREST);
    RC_ASSERT(run(conversion(Opcode::convert_int_float, f32, s32, mode), x).value == bits(expected));
  }
}

// --- float to integer

TEST(ConvertFloatToInteger, clamps_and_turns_nan_into_zero) {
  const auto convert = [](ValueType to, Rounding mode, std::uint32_t x) {
    return run(conversion(Opcode::convert_float_int, to, f32, mode), x);
  };
  EXPECT_EQ(convert(s32, Rounding::zero, bits(-2.7F)), (Outcome{0xfffffffe, s}));
  EXPECT_EQ(convert(s32, Rounding::down, bits(-2.2F)), (Outcome{0xfffffffd, s}));
  EXPECT_EQ(convert(s32, Rounding::up, bits(-2.7F)), (Outcome{0xfffffffe, s}));
  EXPECT_EQ(convert(s32, Rounding::nearest, bits(2.5F)), (Outcome{2, 0}));
  EXPECT_EQ(convert(s32, Rounding::nearest, bits(3.5F)), (Outcome{4, 0}));
  EXPECT_EQ(convert(s32, Rounding::zero, quiet_nan), (Outcome{0, z}));
  EXPECT_EQ(convert(s32, Rounding::zero, infinity), (Outcome{0x7fffffff, 0}));
  EXPECT_EQ(convert(s32, Rounding::zero, infinity | minus), (Outcome{0x80000000, s}));
  EXPECT_EQ(convert(s32, Rounding::zero, bits(3e9F)), (Outcome{0x7fffffff, 0}));
  EXPECT_EQ(convert(s32, Rounding::nearest, bits(3e9F)), (Outcome{0x7fffffff, 0}));
  EXPECT_EQ(convert(u32, Rounding::zero, bits(3e9F)), (Outcome{3000000000U, s}));
  EXPECT_EQ(convert(u32, Rounding::zero, bits(-1.0F)), (Outcome{0, z}));
  EXPECT_EQ(convert(u32, Rounding::zero, bits(5e9F)), (Outcome{0xffffffff, s}));
  EXPECT_EQ(convert(s16, Rounding::zero, bits(-40000.0F)), (Outcome{0x8000, s}));
  EXPECT_EQ(convert(u16, Rounding::zero, bits(70000.0F)), (Outcome{0xffff, s}));
  EXPECT_EQ(convert(s32, Rounding::up, 1), (Outcome{0, z}));  // a denormal is zero before it is rounded
}

TEST(ConvertFloatToInteger, sign_modifiers_apply_before_rounding) {
  Instruction cvt = conversion(Opcode::convert_float_int, s32, f32, Rounding::down);
  cvt.source[0].negate = true;
  EXPECT_EQ(run(cvt, bits(2.2F)).value, 0xfffffffdU);
  cvt.rounding = Rounding::zero;
  EXPECT_EQ(run(cvt, bits(2.2F)).value, 0xfffffffeU);
}

RC_GTEST_PROP(ConvertFloatToInteger, the_fast_path_agrees_with_rounding_by_integers, ()) {
  const auto x = *rc::gen::resize(1000, rc::gen::arbitrary<std::uint32_t>());
  const std::uint32_t fast = run(conversion(Opcode::convert_float_int, s32, f32, Rounding::zero), x).value;
  const Rounding away = x >> 31 != 0 ? Rounding::up : Rounding::down;  // the same direction by another name
  RC_ASSERT(fast == run(conversion(Opcode::convert_float_int, s32, f32, away), x).value);
  RC_ASSERT(run(conversion(Opcode::convert_float_int, u32, f32, Rounding::zero), x) ==
            run(conversion(Opcode::convert_float_int, u32, f32, away), x));
}

// --- float to float

TEST(ConvertFloatToFloat, flushes_clamps_and_rounds_to_integers) {
  Instruction cvt = conversion(Opcode::convert_float_float, f32, f32);
  EXPECT_EQ(run(cvt, 0x80000001), (Outcome{minus, z}));
  EXPECT_EQ(run(cvt, 0xffc00001), (Outcome{quiet_nan, z | s}));
  cvt.saturate = true;
  EXPECT_EQ(run(cvt, bits(1.5F)).value, bits(1.0F));
  EXPECT_EQ(run(cvt, minus).value, 0U);
  EXPECT_EQ(run(cvt, 0x7fc00000).value, quiet_nan);
  cvt.saturate = false;
  cvt.round_to_integer = true;
  EXPECT_EQ(run(cvt, bits(2.5F)).value, bits(2.0F));
  EXPECT_EQ(run(cvt, bits(-0.25F)).value, minus);
  cvt.rounding = Rounding::up;
  EXPECT_EQ(run(cvt, bits(2.1F)).value, bits(3.0F));
  EXPECT_EQ(run(cvt, bits(-2.9F)).value, bits(-2.0F));
  EXPECT_EQ(run(cvt, bits(1e20F)).value, bits(1e20F));
  EXPECT_EQ(run(cvt, infinity).value, infinity);
}

TEST(ConvertFloatToFloat, half_precision_keeps_its_denormals) {
  const Instruction widen = conversion(Opcode::convert_float_float, f32, f16);
  EXPECT_EQ(run(widen, 0x3c00).value, bits(1.0F));
  EXPECT_EQ(run(widen, 0x8001).value, bits(-0x1p-24F));
  EXPECT_EQ(run(widen, 0x7c00).value, infinity);
  EXPECT_EQ(run(widen, 0x7c01).value, quiet_nan);
  const Instruction narrow = conversion(Opcode::convert_float_float, f16, f32);
  EXPECT_EQ(run(narrow, bits(65504.0F)).value, 0x7bffU);
  EXPECT_EQ(run(narrow, bits(65520.0F)).value, 0x7c00U);
  EXPECT_EQ(run(narrow, bits(0x1p-24F)).value, 1U);
  EXPECT_EQ(run(narrow, bits(-0x1p-26F)).value, 0x8000U);
  EXPECT_EQ(run(narrow, 0x7fc00000).value, 0x7fffU);
  EXPECT_EQ(run(conversion(Opcode::convert_float_float, f16, f32, Rounding::zero), bits(1e6F)).value, 0x7bffU);
}

RC_GTEST_PROP(ConvertFloatToFloat, half_precision_survives_the_round_trip, ()) {
  const auto half = *rc::gen::inRange<std::uint32_t>(0, 0x7c01);
  const std::uint32_t wide = run(conversion(Opcode::convert_float_float, f32, f16), half).value;
  RC_ASSERT(run(conversion(Opcode::convert_float_float, f16, f32), wide).value == half);
}

// --- double precision

std::uint64_t bits64(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
double real64(std::uint64_t value) {
  return std::bit_cast<double>(value);
}

Instruction double_operation(Opcode opcode, Rounding rounding = Rounding::nearest) {
  Instruction instruction = operation(opcode, f64);
  instruction.rounding = rounding;
  return instruction;
}

rc::Gen<std::uint64_t> doubles() {
  const auto borders = rc::gen::element<std::uint64_t>(0U, 0x8000000000000000U, 1U, 0x000fffffffffffffU,
                                                       0x0010000000000000U, 0x7fefffffffffffffU, 0x3ff0000000000000U,
                                                       0xbff0000000000001U, 0x3ca0000000000000U, 0x7fe0000000000000U);
  const auto near_one = rc::gen::map(rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()), [](std::uint64_t x) {
    return (x & 0x800fffffffffffffU) | (std::uint64_t{0x3fd + (x >> 52U & 7U)} << 52U);
  });
  const auto finite = rc::gen::map(rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()), [](std::uint64_t x) {
    return (x >> 52U & 0x7ffU) == 0x7ffU ? x ^ (std::uint64_t{1} << 60U) : x;
  });
  return rc::gen::oneOf(borders, near_one, finite);
}

/// The host in the same rounding mode is the reference; the code under test never changes that mode.
template <typename Function>
std::uint64_t on_host(int mode, Function function) {
  std::fesetround(mode);
  const volatile double result = function();
  std::fesetround(FE_TONEAREST);
  return bits64(result);
}

RC_GTEST_PROP(Double, agrees_with_the_host_in_all_modes, ()) {
  const volatile double a = real64(*doubles());
  const volatile double b = real64(*doubles());
  const volatile double c = real64(*doubles());
  const struct {
    Rounding mode;
    int host;
  } modes[] = {{Rounding::nearest, FE_TONEAREST},
               {Rounding::down, FE_DOWNWARD},
               {Rounding::up, FE_UPWARD},
               {Rounding::zero, FE_TOWARDZERO}};
  for (const auto& [mode, host] : modes) {
    const auto canonical = [](std::uint64_t x) { return std::isnan(real64(x)) ? 0xfff8000000000000U : x; };
    RC_ASSERT(run64(double_operation(Opcode::dadd, mode), bits64(a), bits64(b)) ==
              canonical(on_host(host, [&] { return a + b; })));
    RC_ASSERT(run64(double_operation(Opcode::dmul, mode), bits64(a), bits64(b)) ==
              canonical(on_host(host, [&] { return a * b; })));
    RC_ASSERT(run64(double_operation(Opcode::dfma, mode), bits64(a), bits64(b), bits64(c)) ==
              canonical(on_host(host, [&] { return std::fma(a, b, c); })));
  }
}

TEST(Double, nans_come_back_quieted_second_before_third_before_first) {
  const Instruction fma = double_operation(Opcode::dfma);
  const std::uint64_t a = 0x7ff0000000000001U, b = 0x7ff0000000000002U, c = 0xfff0000000000003U;
  constexpr std::uint64_t quiet = 0x0008000000000000U;
  EXPECT_EQ(run64(fma, a, b, c), b | quiet);
  EXPECT_EQ(run64(fma, a, bits64(1.0), c), c | quiet);
  EXPECT_EQ(run64(fma, a, bits64(1.0), bits64(1.0)), a | quiet);
  EXPECT_EQ(run64(double_operation(Opcode::dadd), a, b), b | quiet);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run64(double_operation(Opcode::dmul), bits64(0.0), bits64(infinite)), 0xfff8000000000000U);
}

TEST(Double, minimum_maximum_and_comparison) {
  const std::uint64_t signalling = 0x7ff0000000000001U;
  EXPECT_EQ(run64(double_operation(Opcode::dmin), bits64(2.0), bits64(-3.0)), bits64(-3.0));
  EXPECT_EQ(run64(double_operation(Opcode::dmax), bits64(-0.0), bits64(0.0)), bits64(0.0));
  EXPECT_EQ(run64(double_operation(Opcode::dmax), signalling, bits64(1.0)), bits64(1.0));
  EXPECT_EQ(run64(double_operation(Opcode::dmin), signalling, signalling + 1), signalling + 1 + (1ULL << 51U));
  Instruction set = double_operation(Opcode::dset);
  set.compare = static_cast<Relations>(8 | 1);
  const auto holds = [&](std::uint64_t a, std::uint64_t b) {
    return Warp(set).operand(0, a).operand(1, b).run().value() == 0xffffffffU;
  };
  EXPECT_TRUE(holds(bits64(1.0), bits64(2.0)));
  EXPECT_FALSE(holds(bits64(2.0), bits64(1.0)));
  EXPECT_TRUE(holds(signalling, bits64(1.0)));
  EXPECT_TRUE(holds(1, 2));  // denormals are numbers
}

TEST(Double, conversions_keep_denormals_and_flag_overflow) {
  EXPECT_EQ(run64(conversion(Opcode::convert_float_float, f64, f32), 1), bits64(0x1p-149));
  EXPECT_EQ(run(conversion(Opcode::convert_float_float, f64, f32), 0xff812345).flags, z | s);
  EXPECT_EQ(run64(conversion(Opcode::convert_float_float, f64, f32), 0xff812345), 0xfff82468a0000000U);
  Warp narrow(conversion(Opcode::convert_float_float, f32, f64));
  EXPECT_EQ(narrow.operand(0, bits64(0x1p-149)).run().value(), 1U);
  Warp integer(conversion(Opcode::convert_float_int, s32, f64, Rounding::zero));
  integer.operand(0, bits64(-3e9)).run();
  EXPECT_EQ(integer.value(), 0x80000000U);
  EXPECT_EQ(integer.flags(), s | o);
  Warp of_nan(conversion(Opcode::convert_float_int, s64, f64));
  of_nan.operand(0, 0x7ff8000000000000U).run();
  EXPECT_EQ(of_nan.pair(), 0x8000000000000000U);
  EXPECT_EQ(of_nan.flags(), s | o);
  EXPECT_EQ(run64(conversion(Opcode::convert_int_float, f64, u32), 0xffffffff), bits64(4294967295.0));
  EXPECT_EQ(run64(conversion(Opcode::convert_int_float, f64, s64, Rounding::up), 0x7fffffffffffffffU), bits64(0x1p63));
  EXPECT_EQ(run64(conversion(Opcode::convert_float_int, s64, f64, Rounding::nearest), bits64(2.5)), 2U);
}

}  // namespace
}  // namespace teslasim::semantics_test
