// SPDX-License-Identifier: Apache-2.0
// f32 division and roots as sm_1x does them, cbrt, hypot, pow.
#pragma once

#include "exponential_single.h"
#include "logarithm_single.h"
#include "series_single.h"
#include "single.h"

namespace teslasim_device {

/// a / b over the whole range: a (1/b), with both brought down where 1/b would be a denormal.
TESLASIM_DEVICE Single divide(Single a, Single b) {
  const Single factor = absolute(b) > 8.50705917e37F ? Single(0.25F) : Single(1.0F);
  return (a * factor) * reciprocal(b * factor);
}
/// 1/(1/sqrt(x)): zero and infinity come out right by themselves.
TESLASIM_DEVICE Single sqrtf(Single x) {
  return reciprocal(reciprocal_root(x));
}
TESLASIM_DEVICE Single rsqrtf(Single x) {
  return reciprocal_root(x);
}

/// A guess by 2^(log2(x)/3), then a step of Newton's method on it.
TESLASIM_DEVICE Single cbrtf(Single x) {
  if (is_zero(x) || is_nan(x) || is_infinite(x)) return x;
  const bool small = absolute(x) < 1.0e-17F;
  const Single a = absolute(x) * (small ? 1.15292150e18F : 1.0F);  // 2^60, so that no product becomes denormal
  const Single guess = hardware_exp2((Single(hardware_log2(a.value)) * 0.333333343F).value);
  const Single inverse = reciprocal(guess * guess);
  const SinglePair square = exact_product(guess, guess);
  // (a - g^3)/(3 g^2), with g^3 in two parts
  const SinglePair cube = exact_product(square.high, guess);
  const Single rest = (a - cube.high) - mad(square.low, guess, cube.low);
  const Single root = mad(rest * inverse, 0.333333343F, guess);
  return with_sign(small ? root * 9.53674316e-07F : root, x);
}

TESLASIM_DEVICE Single rcbrtf(Single x) {
  return reciprocal(cbrtf(x));
}

/// The larger is brought near 1 by a power of two, so that nothing overflows.
TESLASIM_DEVICE Single hypotf(Single x, Single y) {
  const Single a = absolute(x);
  const Single b = absolute(y);
  if (is_infinite(a) || is_infinite(b)) return infinity();
  if (is_nan(a) || is_nan(b)) return not_a_number();
  const Single large = a > b ? a : b;
  const Single small = a > b ? b : a;
  if (is_zero(large)) return 0.0F;
  const int exponent = static_cast<int>(bits_of(large) >> 23U) - 127;
  const Single p = scaled(large, -exponent);
  const Single q = scaled(small, -exponent);
  return scaled(refined_root(mad(p, p, q * q)), exponent);
}

/// 1/hypot(x, y), also where hypot overflows.
TESLASIM_DEVICE Single rhypotf(Single x, Single y) {
  const Single a = absolute(x);
  const Single b = absolute(y);
  if (is_infinite(a) || is_infinite(b)) return 0.0F;
  if (is_nan(a) || is_nan(b)) return not_a_number();
  const Single large = a > b ? a : b;
  const Single small = a > b ? b : a;
  if (is_zero(large)) return infinity();
  const int exponent = static_cast<int>(bits_of(large) >> 23U) - 127;
  const Single p = scaled(large, -exponent);
  const Single q = scaled(small, -exponent);
  const SinglePair square = exact_product(p, p);
  return scaled(reciprocal_root(square.high + mad(q, q, square.low)), -exponent);
}

/// log2(x) to about 33 bits for positive finite x, as 2 atanh(s) log2(e), s = (m - 1)/(m + 1) in two parts (Tang 1990).
TESLASIM_DEVICE SinglePair precise_log2(Single x) {
  const SplitFloat split = split_at_root(x);
  const Single f = split.significand - 1.0F;
  const SinglePair base = exact_sum(2.0F, f);
  const Single inverse = reciprocal(base.high);
  const Single s = f * inverse;
  const SinglePair back = exact_product(s, base.high);
  const Single rest = (((f - back.high) - back.low) - s * base.low) * inverse;
  const Single z = s * s;
  const SinglePair main = exact_product(s, 2.88539004F);
  const Single tail = mad(s * z, ratio_series(z) * 2.88539004F, mad(rest, 2.88539004F, s * 3.85192607e-08F));
  const SinglePair sum = ordered_sum(static_cast<float>(split.exponent), main.high);
  const SinglePair result = ordered_sum(sum.high, sum.low + (main.low + tail));
  return split.exponent == 0 ? ordered_sum(main.high, main.low + tail) : result;
}

/// x^y for positive finite x: 2^(y log2 x) with the product in two parts.
TESLASIM_DEVICE Single positive_power(Single x, Single y) {
  const SinglePair logarithm = precise_log2(x);
  const Single estimate = logarithm.high * y;
  if (estimate > 200.0F) return infinity();
  if (estimate < -200.0F) return 0.0F;
  const SinglePair product = exact_product(logarithm.high, y);
  const Single n = nearest(product.high);
  const Single rest = (product.high - n) + mad(logarithm.low, y, product.low);
  return scaled(small_exponential(rest * 0.693147182F), static_cast<int>(n.value));
}

enum class Parity { fraction, odd, even };

TESLASIM_DEVICE Parity parity_of(Single y) {
  const Single a = absolute(y);
  if (a >= 16777216.0F) return Parity::even;
  const Single half = a * 0.5F;
  if (nearest(a) != a) return Parity::fraction;
  return nearest(half) == half ? Parity::even : Parity::odd;
}

/// The rules of C99, F.9.4.4.
TESLASIM_DEVICE Single powf(Single x, Single y) {
  if (x == 1.0F || is_zero(y)) return 1.0F;
  if (is_nan(x) || is_nan(y)) return not_a_number();
  const Single a = absolute(x);
  const Parity parity = parity_of(y);
  const bool negative = sign_bit(x) != 0 && parity == Parity::odd;
  const bool falling = sign_bit(y) != 0;
  Single magnitude = 1.0F;
  if (is_infinite(y)) {
    if (a == 1.0F) return 1.0F;
    return (a > 1.0F) == falling ? Single(0.0F) : infinity();
  }
  if (is_zero(x)) {
    magnitude = falling ? infinity() : Single(0.0F);
  } else if (is_infinite(x)) {
    magnitude = falling ? Single(0.0F) : infinity();
  } else if (sign_bit(x) != 0 && parity == Parity::fraction) {
    return not_a_number();
  } else {
    magnitude = positive_power(a, y);
  }
  return negative ? -magnitude : magnitude;
}

}  // namespace teslasim_device
