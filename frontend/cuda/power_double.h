// SPDX-License-Identifier: Apache-2.0
// f64 pow, cbrt, hypot.
#pragma once

#include "double.h"
#include "exponential_double.h"
#include "power_single.h"
#include "series_double.h"

namespace teslasim_device {

TESLASIM_DEVICE DoublePair sum_of(DoublePair a, DoublePair b) {
  const DoublePair sum = exact_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}
TESLASIM_DEVICE DoublePair product_of(DoublePair a, DoublePair b) {
  const DoublePair product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + fma_of(a.high, b.low, a.low * b.high));
}

/// log(x) to about 64 bits: e ln 2 + 2 (s + s^3/3 + s^5 R(s^2)), all but the last term in two parts (Tang 1990).
TESLASIM_DEVICE DoublePair precise_logarithm(Double x) {
  const SplitDouble split = split_at_root(x);
  const Double f = split.significand - 1.0;
  const DoublePair base = exact_sum(2.0, f);
  const Double ratio = divided_significands(f, base.high);
  const Double rest = fma_of(-ratio, base.high, f) - ratio * base.low;
  const DoublePair s{ratio, divided_significands(rest, base.high)};
  const DoublePair square = product_of(s, s);
  const DoublePair cube = product_of(product_of(s, square), {0.33333333333333331, 1.8503717077085943e-17});
  const Double fifth = s.high * square.high * square.high * ratio_rest_series(square.high);
  const DoublePair half = sum_of(s, sum_of(cube, {fifth, 0.0}));
  const auto e = static_cast<double>(split.exponent);
  const DoublePair exponent = exact_sum(e * 0.69314718055920821, e * 7.3710025651677989e-13);
  return sum_of(exponent, {half.high + half.high, half.low + half.low});
}

/// x^y for positive finite x.
TESLASIM_DEVICE Double positive_power(Double x, Double y) {
  const DoublePair logarithm = precise_logarithm(x);
  const Double estimate = logarithm.high * y;
  if (estimate > 800.0) return infinite_double();
  if (estimate < -800.0) return 0.0;
  const DoublePair product = exact_product(logarithm.high, y);
  const ReducedDouble e = reduced_exponent(product.high);
  const Double low = e.rest.low + fma_of(logarithm.low, y, product.low);
  const DoublePair rest = ordered_sum(e.rest.high, low);
  return scaled(small_exponential(rest), e.power);
}

TESLASIM_DEVICE Parity parity_of(Double y) {
  const Double a = absolute(y);
  if (a >= 9007199254740992.0) return Parity::even;
  if (__builtin_rint(a) != a) return Parity::fraction;
  return __builtin_rint(0.5 * a) == 0.5 * a ? Parity::even : Parity::odd;
}

/// The rules of C99, F.9.4.4.
TESLASIM_DEVICE Double pow(Double x, Double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return undefined_double();
  const Double a = absolute(x);
  const Parity parity = parity_of(y);
  const bool falling = sign_bit(y) != 0;
  if (is_infinite(y)) {
    if (a == 1.0) return 1.0;
    return (a > 1.0) == falling ? 0.0 : infinite_double();
  }
  Double magnitude = 1.0;
  if (x == 0.0) {
    magnitude = falling ? infinite_double() : 0.0;
  } else if (is_infinite(x)) {
    magnitude = falling ? 0.0 : infinite_double();
  } else if (sign_bit(x) != 0 && parity == Parity::fraction) {
    return undefined_double();
  } else {
    magnitude = positive_power(a, y);
  }
  return sign_bit(x) != 0 && parity == Parity::odd ? -magnitude : magnitude;
}

/// From the f32 root of the significand two steps of Newton's method, the last one with an exact remainder.
TESLASIM_DEVICE Double cbrt(Double x) {
  if (x == 0.0 || is_nan(x) || is_infinite(x)) return x;
  const SplitDouble split = split_double(absolute(x));
  const int third = (split.exponent + 3000) / 3 - 1000;
  const Double m = split.significand * double_power_of_two(split.exponent - 3 * third);
  Double root = static_cast<double>(cbrtf(static_cast<float>(m)).value);
  const Double inverse = divided_significands(1.0, 3.0 * root * root);
  root = fma_of(fma_of(-root * root, root, m), inverse, root);
  const DoublePair square = exact_product(root, root);
  const DoublePair cube = exact_product(square.high, root);
  const Double rest = (m - cube.high) - fma_of(square.low, root, cube.low);
  return with_sign(scaled(fma_of(rest, inverse, root), third), x);
}

/// As rsqrt: a step of Newton's method on the significand, with 1 - m y^3 from exact products.
TESLASIM_DEVICE Double rcbrt(Double x) {
  if (x == 0.0 || is_nan(x) || is_infinite(x)) return divide(1.0, x);
  const SplitDouble split = split_double(absolute(x));
  const int third = (split.exponent + 3000) / 3 - 1000;
  const Double m = split.significand * double_power_of_two(split.exponent - 3 * third);
  const Double inverse = divided_significands(1.0, cbrt(m));
  const DoublePair cube = product_of(exact_product(inverse, inverse), {inverse, 0.0});
  const Double rest = fma_of(-m, cube.high, 1.0) - m * cube.low;
  return with_sign(scaled(fma_of(inverse * 0.33333333333333331, rest, inverse), -third), x);
}

TESLASIM_DEVICE Double hypot(Double x, Double y) {
  const Double a = absolute(x);
  const Double b = absolute(y);
  if (is_infinite(a) || is_infinite(b)) return infinite_double();
  if (is_nan(a) || is_nan(b)) return undefined_double();
  const Double large = a > b ? a : b;
  const Double small = a > b ? b : a;
  if (large == 0.0) return 0.0;
  const int exponent = split_double(large).exponent;
  const Double p = scaled(large, -exponent);
  const Double q = scaled(small, -exponent);
  return scaled(sqrt(fma_of(p, p, q * q)), exponent);
}
/// 1/hypot(x, y), also where hypot overflows.
TESLASIM_DEVICE Double rhypot(Double x, Double y) {
  const Double a = absolute(x);
  const Double b = absolute(y);
  if (is_infinite(a) || is_infinite(b)) return 0.0;
  if (is_nan(a) || is_nan(b)) return undefined_double();
  const Double large = a > b ? a : b;
  const Double small = a > b ? b : a;
  if (large == 0.0) return infinite_double();
  const int exponent = split_double(large).exponent;
  const Double p = scaled(large, -exponent);
  const Double q = scaled(small, -exponent);
  const DoublePair square = exact_product(p, p);
  const DoublePair sum = ordered_sum(square.high, fma_of(q, q, square.low));
  const Double inverse = rsqrt(sum.high);
  return scaled(fma_of(-0.5 * inverse, inverse * inverse * sum.low, inverse), -exponent);
}

}  // namespace teslasim_device
