// SPDX-License-Identifier: Apache-2.0
// f32 as sm_1x computes it: denormals are zero, sums and products round to nearest, and mad cuts its product.
#pragma once

#include "bits.h"
#include "primitives.h"

namespace teslasim_device {

/// A float whose operators are single instructions, so that no compiler fuses or reorders them.
struct Single {
  float value;
  TESLASIM_MEMBER constexpr Single(float number) : value(number) {}  // NOLINT(google-explicit-constructor)
};

TESLASIM_DEVICE Single operator+(Single a, Single b) {
  return hardware_add(a.value, b.value);
}
TESLASIM_DEVICE Single operator-(Single a) {
  return -a.value;
}
TESLASIM_DEVICE Single operator-(Single a, Single b) {
  return hardware_add(a.value, (-b).value);
}
TESLASIM_DEVICE Single operator*(Single a, Single b) {
  return hardware_multiply(a.value, b.value);
}
TESLASIM_DEVICE bool operator<(Single a, Single b) {
  return a.value < b.value;
}
TESLASIM_DEVICE bool operator>(Single a, Single b) {
  return a.value > b.value;
}
TESLASIM_DEVICE bool operator<=(Single a, Single b) {
  return a.value <= b.value;
}
TESLASIM_DEVICE bool operator>=(Single a, Single b) {
  return a.value >= b.value;
}
TESLASIM_DEVICE bool operator==(Single a, Single b) {
  return a.value == b.value;
}
TESLASIM_DEVICE bool operator!=(Single a, Single b) {
  return a.value != b.value;
}

TESLASIM_DEVICE Single mad(Single a, Single b, Single c) {
  return hardware_mad(a.value, b.value, c.value);
}
TESLASIM_DEVICE Single reciprocal(Single a) {
  return hardware_reciprocal(a.value);
}
TESLASIM_DEVICE Single reciprocal_root(Single a) {
  return hardware_reciprocal_root(a.value);
}

TESLASIM_DEVICE Word bits_of(Single a) {
  return bits_of(a.value);
}
TESLASIM_DEVICE Single single_of(Word bits) {
  return float_of(bits);
}
TESLASIM_DEVICE Single not_a_number() {
  return float_of(0x7fffffffU);
}
TESLASIM_DEVICE Single infinity() {
  return float_of(0x7f800000U);
}
TESLASIM_DEVICE Single absolute(Single a) {
  return float_of(bits_of(a) & 0x7fffffffU);
}
TESLASIM_DEVICE Word sign_bit(Single a) {
  return bits_of(a) & 0x80000000U;
}
/// The magnitude of the first, the sign of the second.
TESLASIM_DEVICE Single with_sign(Single magnitude, Single sign) {
  return float_of((bits_of(magnitude) & 0x7fffffffU) | sign_bit(sign));
}
TESLASIM_DEVICE bool is_nan(Single a) {
  return (bits_of(a) & 0x7fffffffU) > 0x7f800000U;
}
TESLASIM_DEVICE bool is_infinite(Single a) {
  return (bits_of(a) & 0x7fffffffU) == 0x7f800000U;
}
/// Zero or a denormal, which the chip takes for zero.
TESLASIM_DEVICE bool is_zero(Single a) {
  return (bits_of(a) & 0x7f800000U) == 0;
}
TESLASIM_DEVICE Single nearest(Single a) {
  return __builtin_rintf(a.value);
}

/// 2^exponent for -126 <= exponent <= 127.
TESLASIM_DEVICE Single power_of_two(int exponent) {
  return float_of(static_cast<Word>(exponent + 127) << 23U);
}
/// a * 2^exponent for -250 <= exponent <= 250 in two steps, of which only the last one overflows or becomes zero, when
/// a is about 1.
TESLASIM_DEVICE Single scaled(Single a, int exponent) {
  const int half = exponent >> 1;
  return a * power_of_two(half) * power_of_two(exponent - half);
}

/// a0 + z (a1 + z (a2 + ...)): Horner's scheme on mad.
TESLASIM_DEVICE Single horner(Single, Single last) {
  return last;
}
template <typename... More>
TESLASIM_DEVICE Single horner(Single z, Single first, More... more) {
  return mad(horner(z, more...), z, first);
}

/// An unevaluated sum; `low` is at most half a unit in the last place of `high`.
struct SinglePair {
  Single high;
  Single low;
};

/// a + b without error, for |a| >= |b| or a = 0 (Dekker 1971).
TESLASIM_DEVICE SinglePair ordered_sum(Single a, Single b) {
  const Single sum = a + b;
  return {sum, b - (sum - a)};
}
/// a + b without error (Knuth 1969).
TESLASIM_DEVICE SinglePair exact_sum(Single a, Single b) {
  const Single sum = a + b;
  const Single part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// The upper twelve bits, so that products of two such halves are exact, also in a mad.
TESLASIM_DEVICE Single upper_half(Single a) {
  return float_of(bits_of(a) & 0xfffff000U);
}
/// a * b without error, unless parts become denormal (Dekker 1971, with halves cut instead of rounded).
TESLASIM_DEVICE SinglePair exact_product(Single a, Single b) {
  const Single product = a * b;
  const Single a_high = upper_half(a);
  const Single b_high = upper_half(b);
  const Single a_low = a - a_high;
  const Single b_low = b - b_high;
  const Single cross = mad(a_low, b_high, mad(a_high, b_low, mad(a_high, b_high, -product)));
  return {product, mad(a_low, b_low, cross)};
}

}  // namespace teslasim_device
