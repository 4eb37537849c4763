// SPDX-License-Identifier: Apache-2.0
// Arithmetic against exact integers: every f32 and f64 operation in every mode, on operands rich in zeros, denormals,
// infinities, NaN and rounding borders. TESLASIM_LONG_TESTS: millions of operand triples for each.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/isa/exact_comparison.h"

namespace teslasim::semantics_test {
namespace {

using exact::Format;
using exact::Operands;
using exact::single;
using exact::twice;

constexpr std::uint64_t nan32 = 0x7fffffffU;
constexpr std::uint64_t invalid64 = 0xfff8000000000000U;
constexpr std::uint64_t quiet64 = 0x0008000000000000U;
constexpr std::uint64_t one32 = 0x3f800000U;

std::uint64_t flush32(std::uint64_t bits) {
  return (bits & single.infinity()) == 0 ? bits & single.sign() : bits;
}

// --- the chip's single precision by its rules

std::uint64_t finish32(std::uint64_t bits, bool saturate) {
  bits = flush32(bits);
  if (!saturate || single.is_nan(bits)) return bits;
  if (single.is_negative(bits)) return 0;
  return std::min(bits, one32);
}

std::uint64_t finished32(std::uint64_t bits, const Instruction& instruction) {
  return finish32(bits, instruction.saturate);
}

bool any_nan(const Format& format, std::initializer_list<std::uint64_t> operands) {
  return std::any_of(operands.begin(), operands.end(), [&](std::uint64_t bits) { return format.is_nan(bits); });
}

std::uint64_t add32(std::uint64_t a, std::uint64_t b, Rounding mode) {
  if (any_nan(single, {a, b})) return nan32;
  return exact::added(flush32(a), flush32(b), single, mode, nan32);
}

/// Rounded with an unlimited exponent before it is flushed.
std::uint64_t mul32(std::uint64_t a, std::uint64_t b, Rounding mode) {
  if (any_nan(single, {a, b})) return nan32;
  a = flush32(a);
  b = flush32(b);
  const bool finite = !single.is_infinite(a) && !single.is_infinite(b);
  if (!finite || single.is_zero(a) || single.is_zero(b)) return exact::multiplied(a, b, single, mode, nan32);
  const exact::Number product = exact::product(exact::value_of(a, single), exact::value_of(b, single));
  const bool negative = single.is_negative(a) != single.is_negative(b);
  constexpr int unlimited = -100'000;
  const exact::Number number = exact::rounded(product, single.precision, unlimited, mode);
  const exact::Integer magnitude = negative ? exact::Integer(-number.significand) : number.significand;
  const int top = number.exponent + static_cast<int>(msb(magnitude));
  if (top < 1 - single.bias()) return negative ? single.sign() : 0;
  return exact::encoded(number, negative, single, mode);
}

/// The product is cut to 24 bits, unless an operand is zero.
std::uint64_t mad32(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (any_nan(single, {a, b, c})) return nan32;
  a = flush32(a);
  b = flush32(b);
  c = flush32(c);
  const bool finite = !single.is_infinite(a) && !single.is_infinite(b) && !single.is_infinite(c);
  if (!finite) return exact::fused(a, b, c, single, Rounding::nearest, nan32);
  if (single.is_zero(a) || single.is_zero(b) || single.is_zero(c))
    return add32(flush32(mul32(a, b, Rounding::nearest)), c, Rounding::nearest);
  const exact::Number product = exact::product(exact::value_of(a, single), exact::value_of(b, single));
  constexpr int unlimited = -100'000;
  const exact::Number cut = exact::rounded(product, single.precision, unlimited, Rounding::zero);
  return exact::to_format(exact::sum(cut, exact::value_of(c, single)), false, single, Rounding::nearest);
}

void compare32(const Comparison& comparison) {
  compare(comparison, single);
}

void compare64(const Comparison& comparison) {
  compare(comparison, twice);
}

TEST(ExactSingle, addition) {
  for (const Rounding mode : {Rounding::nearest, Rounding::zero}) {
    compare32({.instructions = clamped_or_not(with(Opcode::fadd, ValueType::f32, mode)),
               .exact = [=](auto a, auto b, auto) { return add32(a, b, mode); },
               .result = finished32});
  }
}

TEST(ExactSingle, multiplication) {
  for (const Rounding mode : {Rounding::nearest, Rounding::zero}) {
    compare32({.instructions = clamped_or_not(with(Opcode::fmul, ValueType::f32, mode)),
               .exact = [=](auto a, auto b, auto) { return mul32(a, b, mode); },
               .result = finished32});
  }
}

/// A whole warp in the range of the fast way, at its lower border, and about 1.
TEST(ExactSingle, multiply_add_of_middle_sizes) {
  for (const auto& [least, most] : {std::pair{-34, 31}, std::pair{-4, 4}, std::pair{-52, -30}, std::pair{28, 33}}) {
    compare32({.instructions = {with(Opcode::fmad, ValueType::f32, Rounding::nearest)},
               .exact = [](auto a, auto b, auto c) { return mad32(a, b, c); },
               .result = finished32,
               .next = [range = std::pair{least, most}](
                           Operands& operands) { return operands.next_of_middle_size(range.first, range.second); }});
  }
}

TEST(ExactSingle, multiply_add) {
  for (const unsigned negate : {0U, 1U, 2U, 3U}) {
    Instruction mad = with(Opcode::fmad, ValueType::f32, Rounding::nearest);
    mad.source[0].negate = (negate & 1U) != 0;
    mad.source[2].negate = (negate & 2U) != 0;
    compare32({.instructions = clamped_or_not(mad),
               .exact =
                   [=](auto a, auto b, auto c) {
                     const std::uint64_t first = (negate & 1U) != 0 ? a ^ single.sign() : a;
                     const std::uint64_t third = (negate & 2U) != 0 ? c ^ single.sign() : c;
                     return mad32(first, b, third);
                   },
               .result = finished32});
  }
}

/// -0 < +0; of one NaN the other operand is returned.
std::uint64_t extreme(std::uint64_t a, std::uint64_t b, const Format& format, bool maximum) {
  const auto rank = [&](std::uint64_t bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & ~format.sign());
    return format.is_negative(bits) ? -magnitude - 1 : magnitude;
  };
  return (rank(a) < rank(b)) == maximum ? b : a;
}

TEST(ExactSingle, minimum_and_maximum) {
  for (const bool maximum : {false, true}) {
    const auto exact = [=](auto a, auto b, auto) {
      if (single.is_nan(a) && single.is_nan(b)) return nan32;
      if (single.is_nan(a)) return flush32(b);
      if (single.is_nan(b)) return flush32(a);
      return extreme(flush32(a), flush32(b), single, maximum);
    };
    compare32({.instructions = {operation(maximum ? Opcode::fmax : Opcode::fmin, ValueType::f32)}, .exact = exact});
  }
}

std::uint64_t relation(std::uint64_t a, std::uint64_t b, const Format& format) {
  if (any_nan(format, {a, b})) return 8;
  if (format.is_infinite(a) || format.is_infinite(b)) {
    if (a == b) return 2;
    const bool less =
        (format.is_infinite(a) && format.is_negative(a)) || (format.is_infinite(b) && !format.is_negative(b));
    return less ? 1 : 4;
  }
  const exact::Number minus{-exact::value_of(b, format).significand, exact::value_of(b, format).exponent};
  const exact::Integer difference = exact::sum(exact::value_of(a, format), minus).significand;
  return difference < 0 ? 1 : difference == 0 ? 2 : 4;
}

std::uint64_t whether_asked_for(std::uint64_t relation, const Instruction& set) {
  return (relation & static_cast<std::uint64_t>(set.compare)) != 0 ? 0xffffffffU : 0U;
}

TEST(ExactSingle, comparison) {
  compare32({.instructions = with_all_relations(operation(Opcode::fset, ValueType::f32)),
             .exact = [](auto a, auto b, auto) { return relation(flush32(a), flush32(b), single); },
             .result = whether_asked_for});
}

TEST(WideLanes, of_doubles_touch_only_the_lanes_that_execute_and_their_flags) {
  for (const Opcode opcode : {Opcode::dadd, Opcode::dmul, Opcode::dfma}) {
    for (const LaneMask lanes : {0x00000001U, 0x80000000U, 0x0f0ff3c5U, 0xfffffffeU}) {
      Warp warp(operation(opcode, ValueType::f64));
      const auto words = [](double value) { return std::bit_cast<std::uint64_t>(value); };
      warp.operand(0, words(1.5)).operand(1, words(-2.0)).operand(2, words(3.0)).lanes(lanes).run();
      const double want = opcode == Opcode::dadd ? -0.5 : opcode == Opcode::dmul ? -3.0 : 0.0;
      constexpr unsigned zero = 1, sign = 2;
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        const bool executes = (lanes >> lane & 1U) != 0;
        EXPECT_EQ(warp.pair(lane), executes ? words(want) : untouched | std::uint64_t{untouched} << 32U) << lane;
        EXPECT_EQ(warp.flags(lane), !executes ? 0U : opcode == Opcode::dfma ? zero : sign) << lane;
      }
    }
  }
}

TEST(WideLanes, touch_only_the_lanes_that_execute) {
  for (const Opcode opcode : {Opcode::fadd, Opcode::fmul, Opcode::fmad}) {
    for (const LaneMask lanes : {0x00000001U, 0x80000000U, 0x0f0ff3c5U, 0xfffffffeU}) {
      Warp warp(operation(opcode, ValueType::f32));
      warp.operand(0, bits(1.5F)).operand(1, bits(2.0F)).operand(2, bits(0.25F)).lanes(lanes).run();
      const float want = opcode == Opcode::fadd ? 3.5F : opcode == Opcode::fmul ? 3.0F : 3.25F;
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        EXPECT_EQ(warp.value(lane), (lanes >> lane & 1U) != 0 ? bits(want) : untouched) << lane;
      }
    }
  }
}

constexpr std::array all_modes{Rounding::nearest, Rounding::down, Rounding::up, Rounding::zero};

TEST(ExactDouble, addition) {
  for (const Rounding mode : all_modes) {
    const auto exact = [=](auto a, auto b, auto) {
      if (twice.is_nan(b)) return b | quiet64;
      if (twice.is_nan(a)) return a | quiet64;
      return exact::added(a, b, twice, mode, invalid64);
    };
    compare64({.instructions = {with(Opcode::dadd, ValueType::f64, mode)}, .exact = exact});
  }
}

TEST(ExactDouble, multiplication) {
  for (const Rounding mode : all_modes) {
    const auto exact = [=](auto a, auto b, auto) {
      if (twice.is_nan(b)) return b | quiet64;
      if (twice.is_nan(a)) return a | quiet64;
      return exact::multiplied(a, b, twice, mode, invalid64);
    };
    compare64({.instructions = {with(Opcode::dmul, ValueType::f64, mode)}, .exact = exact});
  }
}

TEST(ExactDouble, fused_multiply_add) {
  for (const Rounding mode : all_modes) {
    const auto exact = [=](auto a, auto b, auto c) {
      if (twice.is_nan(b)) return b | quiet64;
      if (twice.is_nan(c)) return c | quiet64;
      if (twice.is_nan(a)) return a | quiet64;
      return exact::fused(a, b, c, twice, mode, invalid64);
    };
    compare64({.instructions = {with(Opcode::dfma, ValueType::f64, mode)}, .exact = exact});
  }
}

/// Signs of operands that an instruction changes: bits 0 to 2 take the absolute value of an operand, bit 3 then negates
/// all but operand 1.
std::uint64_t modified(std::uint64_t bits, unsigned operand, unsigned modifiers) {
  if ((modifiers >> operand & 1U) != 0) bits &= ~twice.sign();
  return operand != 1 && (modifiers & 8U) != 0 ? bits ^ twice.sign() : bits;
}

Instruction with_modifiers(Opcode opcode, unsigned modifiers) {
  Instruction result = with(opcode, ValueType::f64, Rounding::nearest);
  for (unsigned i = 0; i < 3; ++i) {
    result.source[i].absolute = (modifiers >> i & 1U) != 0;
    result.source[i].negate = i != 1 && (modifiers & 8U) != 0;
  }
  return result;
}

/// Warps without NaN, which the fast way takes whole. Each set of modifiers has other operands, and in a long run
/// fewer: signs that change do not make new ones.
void compare_operations_on_numbers(int least_exponent, int most_exponent, unsigned modifiers) {
  const auto numbers = [=](Operands& operands) {
    Triple triple = operands.next_of_middle_size(least_exponent, most_exponent);
    if (twice.is_nan(triple[2])) triple[2] = twice.infinity();
    return triple;
  };
  const auto check = [=](Opcode opcode, const auto& exact) {
    compare64({.instructions = {with_modifiers(opcode, modifiers)},
               .exact = exact,
               .next = numbers,
               .warps = warps_to_try() / (long_run() ? 4 : 1),
               .seed = modifiers});
  };
  const auto operand = [=](std::uint64_t bits, unsigned number) { return modified(bits, number, modifiers); };
  constexpr Rounding nearest = Rounding::nearest;
  const auto fused = [=](auto a, auto b, auto c) {
    return exact::fused(operand(a, 0), operand(b, 1), operand(c, 2), twice, nearest, invalid64);
  };
  check(Opcode::dfma, fused);
  if ((modifiers & 4U) != 0) return;  // these have no third operand
  const auto sum = [=](auto a, auto b, auto) {
    return exact::added(operand(a, 0), operand(b, 1), twice, nearest, invalid64);
  };
  check(Opcode::dadd, sum);
  const auto product = [=](auto a, auto b, auto) {
    return exact::multiplied(operand(a, 0), operand(b, 1), twice, nearest, invalid64);
  };
  check(Opcode::dmul, product);
}

/// About 1, with denormal results, and beyond the largest number.
TEST(ExactDouble, operations_on_numbers_alone) {
  for (const auto& [least, most] : {std::pair{-34, 31}, std::pair{-560, -510}, std::pair{490, 530}}) {
    for (unsigned modifiers = 0; modifiers < 16; modifiers += long_run() ? 1 : 5) {
      compare_operations_on_numbers(least, most, modifiers);
    }
  }
}

TEST(ExactDouble, minimum_and_maximum) {
  for (const bool maximum : {false, true}) {
    const auto exact = [=](auto a, auto b, auto) {
      const std::uint64_t x = twice.is_nan(a) ? a | quiet64 : a;
      const std::uint64_t y = twice.is_nan(b) ? b | quiet64 : b;
      if (twice.is_nan(y)) return twice.is_nan(x) ? y : x;
      if (twice.is_nan(x)) return y;
      return extreme(x, y, twice, maximum);
    };
    compare64({.instructions = {operation(maximum ? Opcode::dmax : Opcode::dmin, ValueType::f64)}, .exact = exact});
  }
}

TEST(ExactDouble, comparison) {
  compare64({.instructions = with_all_relations(operation(Opcode::dset, ValueType::f64)),
             .exact = [](auto a, auto b, auto) { return relation(a, b, twice); },
             .result = whether_asked_for});
}

TEST(ExactDouble, narrowing_keeps_denormals_and_payloads) {
  for (const Rounding mode : all_modes) {
    Instruction convert = operation(Opcode::convert_float_float, ValueType::f32);
    convert.source_type[0] = ValueType::f64;
    convert.rounding = mode;
    const auto exact = [=](auto a, auto, auto) -> std::uint64_t {
      const std::uint64_t sign = twice.is_negative(a) ? single.sign() : 0;
      // The payload is cut and the result quiet.
      if (twice.is_nan(a)) return sign | 0x7fc00000U | (a >> 29U & 0x003fffffU);
      if (twice.is_infinite(a)) return sign | single.infinity();
      return exact::to_format(exact::value_of(a, twice), sign != 0, single, mode);
    };
    compare64({.instructions = {convert}, .exact = exact});
  }
}

}  // namespace
}  // namespace teslasim::semantics_test
