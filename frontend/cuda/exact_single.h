// SPDX-License-Identifier: Apache-2.0
// f32 operations that round as IEEE 754 says, which the chip's own do not: divide, square root, multiply-add, sums and
// products up and down. Integer arithmetic on significands: the remainder decides (Markstein 2000; Muller et al. 2010,
// chapter 10).
#pragma once

#include "single.h"

namespace teslasim_device {

enum class RoundTo { nearest, zero, up, down };

/// `units` of 2^(field - 150 - `surplus`), and whether something is left below: rounded to a float. Small results are
/// zero.
struct ExactValue {
  Word sign;
  LongWord units;  ///< not zero
  int field;
  int surplus;
  bool more;
};

TESLASIM_DEVICE Single rounded(ExactValue value, RoundTo mode) {
  const int drop = 40 - leading_zeros(value.units);  // bits beyond 24
  LongWord kept = drop > 0 ? value.units >> static_cast<Word>(drop) : value.units << static_cast<Word>(-drop);
  const LongWord lost = drop > 0 ? value.units & ((1ULL << static_cast<Word>(drop)) - 1) : 0;
  const LongWord half = drop > 0 ? 1ULL << static_cast<Word>(drop - 1) : 0;
  const bool inexact = lost != 0 || value.more;
  const bool beyond_half = drop > 0 && (lost > half || (lost == half && (value.more || (kept & 1U) != 0)));
  const bool away = mode == RoundTo::up ? value.sign == 0 : mode == RoundTo::down && value.sign != 0;
  if (mode == RoundTo::nearest ? beyond_half : (away && inexact)) ++kept;
  int field = value.field + drop - value.surplus;
  if (kept >> 24U != 0) {
    kept >>= 1U;
    ++field;
  }
  if (field <= 0) return single_of(value.sign);
  const bool stays_finite = mode == RoundTo::zero || (mode != RoundTo::nearest && !away);
  if (field >= 255) return single_of(value.sign | (stays_finite ? 0x7f7fffffU : 0x7f800000U));
  return single_of(value.sign | static_cast<Word>(field) << 23U | (static_cast<Word>(kept) & 0x7fffffU));
}

TESLASIM_DEVICE int field_of(Single x) {
  return static_cast<int>(bits_of(x) >> 23U & 0xffU);
}
TESLASIM_DEVICE Word significand_of(Single x) {
  return (bits_of(x) & 0x7fffffU) | 0x800000U;
}

/// An estimate by the chip's reciprocal is at most a few units off in 26 bits; the remainder puts it right.
TESLASIM_DEVICE Single exact_divide(Single a, Single b, RoundTo mode) {
  if (is_nan(a) || is_nan(b) || is_zero(b) || is_zero(a) || is_infinite(a) || is_infinite(b)) {
    const bool nonsense = (is_zero(a) && is_zero(b)) || (is_infinite(a) && is_infinite(b)) || is_nan(a) || is_nan(b);
    const Single size = is_zero(a) || is_infinite(b) ? Single(0.0F) : infinity();
    return nonsense ? not_a_number() : single_of(bits_of(size) | (sign_bit(a) ^ sign_bit(b)));
  }
  const Word p = significand_of(a);
  const Word q = significand_of(b);
  const LongWord numerator = static_cast<LongWord>(p) << 26U;
  const Single guess = static_cast<float>(p) * reciprocal(static_cast<float>(q));
  LongWord units = static_cast<Word>((guess * 67108864.0F).value);
  auto rest = static_cast<long long>(numerator - units * q);
  while (rest < 0) {
    --units;
    rest += q;
  }
  while (rest >= static_cast<long long>(q)) {
    ++units;
    rest -= q;
  }
  return rounded({sign_bit(a) ^ sign_bit(b), units, field_of(a) - field_of(b) + 150, 26, rest != 0}, mode);
}

TESLASIM_DEVICE Single exact_root(Single x, RoundTo mode) {
  if (is_zero(x) || is_nan(x)) return x;
  if (sign_bit(x) != 0) return not_a_number();
  if (is_infinite(x)) return x;
  const int exponent = field_of(x) - 150;  // x = significand 2^exponent
  const Word odd = static_cast<Word>(exponent) & 1U;
  const LongWord radicand = static_cast<LongWord>(significand_of(x)) << (28U + odd);
  const Single approximate = Single(static_cast<float>(significand_of(x))) * power_of_two(28 + static_cast<int>(odd));
  LongWord root = static_cast<Word>((approximate * reciprocal_root(approximate)).value);
  auto rest = static_cast<long long>(radicand - root * root);
  while (rest < 0) {
    --root;
    rest += static_cast<long long>(2 * root + 1);
  }
  while (rest > static_cast<long long>(2 * root)) {
    rest -= static_cast<long long>(2 * root + 1);
    ++root;
  }
  const int half = (exponent - 28 - static_cast<int>(odd)) / 2;
  return rounded({0, root, half + 150, 0, rest != 0}, mode);
}

/// a b + c with one rounding: the product has 48 bits; both are aligned in 64 with what falls off kept as "more".
TESLASIM_DEVICE Single exact_multiply_add(Single a, Single b, Single c, RoundTo mode) {
  const bool plain = is_zero(a) || is_zero(b) || field_of(a) == 255 || field_of(b) == 255 || field_of(c) == 255;
  if (plain) return a * b + c;
  const Word sign = sign_bit(a) ^ sign_bit(b);
  const LongWord product = static_cast<LongWord>(significand_of(a)) * significand_of(b);
  const int exponent = field_of(a) + field_of(b) - 300;
  if (is_zero(c)) return rounded({sign, product, exponent + 150, 0, false}, mode);
  const LongWord addend = significand_of(c);
  const int addend_exponent = field_of(c) - 150;
  // Both with the top bit at 61 or 62; 14 and 38 are exact shifts.
  LongWord big = product << 14U;
  LongWord small = addend << 38U;
  int scale = exponent - 14;
  int distance = scale - (addend_exponent - 38);
  Word big_sign = sign;
  Word small_sign = sign_bit(c);
  if (distance < 0 || (distance == 0 && big < small)) {
    const LongWord kept = big;
    big = small;
    small = kept;
    big_sign = small_sign;
    small_sign = sign;
    scale = addend_exponent - 38;
    distance = -distance;
  }
  const LongWord lost = distance > 63 ? small : small & ((1ULL << static_cast<Word>(distance)) - 1);
  const LongWord shifted = distance > 63 ? 0 : small >> static_cast<Word>(distance);
  const bool more = lost != 0;
  LongWord sum = big + shifted;
  if (big_sign != small_sign) {
    sum = big - shifted - (more ? 1U : 0U);
    if (sum == 0 && !more) return single_of(mode == RoundTo::down ? 0x80000000U : 0U);
    if (sum >> 63U != 0 && !more) {
      sum = 0 - sum;
      big_sign = small_sign;
    }
  }
  return rounded({big_sign, sum, scale + 150, 0, more}, mode);
}

TESLASIM_DEVICE Single fmaf(Single a, Single b, Single c) {
  return exact_multiply_add(a, b, c, RoundTo::nearest);
}

/// The sign of a zero that two numbers cancel to depends on the direction; sums with a zero are those of the chip.
TESLASIM_DEVICE Single exact_add(Single a, Single b, RoundTo mode) {
  if (is_zero(a) || is_zero(b)) {
    const bool signs_differ = is_zero(a) && is_zero(b) && sign_bit(a) != sign_bit(b);
    return signs_differ && mode == RoundTo::down ? Single(-0.0F) : a + b;
  }
  return exact_multiply_add(a, 1.0F, b, mode);
}
TESLASIM_DEVICE Single exact_multiply(Single a, Single b, RoundTo mode) {
  return exact_multiply_add(a, b, is_zero(a) || is_zero(b) ? single_of(sign_bit(a) ^ sign_bit(b)) : Single(0.0F), mode);
}

}  // namespace teslasim_device
