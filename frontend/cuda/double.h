// SPDX-License-Identifier: Apache-2.0
// f64 as sm_13 computes it: IEEE sums, products and fma. Unlike f32 nothing is lost when a compiler contracts, so it is
// an ordinary double.
#pragma once

#include "bits.h"
#include "primitives.h"

namespace teslasim_device {

using Double = double;

TESLASIM_DEVICE Double fma_of(Double a, Double b, Double c) {
  return hardware_fma(a, b, c);
}
TESLASIM_DEVICE Double horner(Double, Double last) {
  return last;
}
template <typename... More>
TESLASIM_DEVICE Double horner(Double z, Double first, More... more) {
  return fma_of(horner(z, more...), z, first);
}

TESLASIM_DEVICE LongWord sign_bit(Double x) {
  return bits_of(x) & (1ULL << 63U);
}
TESLASIM_DEVICE Double absolute(Double x) {
  return double_of(bits_of(x) & ~(1ULL << 63U));
}
TESLASIM_DEVICE Double with_sign(Double magnitude, Double sign) {
  return double_of((bits_of(magnitude) & ~(1ULL << 63U)) | sign_bit(sign));
}
TESLASIM_DEVICE bool is_nan(Double x) {
  return x != x;
}
TESLASIM_DEVICE Double infinite_double() {
  return double_of(0x7ff0000000000000ULL);
}
TESLASIM_DEVICE Double undefined_double() {
  return double_of(0x7fffffffffffffffULL);
}
TESLASIM_DEVICE bool is_infinite(Double x) {
  return absolute(x) == infinite_double();
}
TESLASIM_DEVICE int exponent_of(Double x) {
  return static_cast<int>(bits_of(x) >> 52U & 0x7ffU) - 1023;
}
/// 2^exponent for -1022 <= exponent <= 1023.
TESLASIM_DEVICE Double double_power_of_two(int exponent) {
  return double_of(static_cast<LongWord>(exponent + 1023) << 52U);
}
/// x * 2^exponent for -2000 <= exponent <= 2000 and an x near 1: only the second product can be inexact.
TESLASIM_DEVICE Double scaled(Double x, int exponent) {
  const int half = exponent >> 1;
  return x * double_power_of_two(half) * double_power_of_two(exponent - half);
}

struct DoublePair {
  Double high;
  Double low;
};
/// a + b without error, for |a| >= |b| or a = 0 (Dekker 1971).
TESLASIM_DEVICE DoublePair ordered_sum(Double a, Double b) {
  const Double sum = a + b;
  return {sum, b - (sum - a)};
}
/// a + b without error (Knuth 1969).
TESLASIM_DEVICE DoublePair exact_sum(Double a, Double b) {
  const Double sum = a + b;
  const Double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
TESLASIM_DEVICE DoublePair exact_product(Double a, Double b) {
  const Double product = a * b;
  return {product, fma_of(a, b, -product)};
}

/// Significand in [1, 2) and exponent of a finite number that is not zero; denormals too.
struct SplitDouble {
  Double significand;
  int exponent;
};
TESLASIM_DEVICE SplitDouble split_double(Double x) {
  const bool tiny = absolute(x) < 2.2250738585072014e-308;
  const Double y = tiny ? x * 18014398509481984.0 : x;  // 2^54
  const int exponent = exponent_of(y);
  return {double_of(bits_of(y) - (static_cast<LongWord>(static_cast<long long>(exponent)) << 52U)),
          tiny ? exponent - 54 : exponent};
}

/// a / b for significands, correctly rounded: the chip's 23 bits, two steps of Newton's method, and a last one on the
/// quotient (Markstein 2000, chapter 8).
TESLASIM_DEVICE Double divided_significands(Double a, Double b) {
  Double inverse = static_cast<double>(hardware_reciprocal(static_cast<float>(b)));
  inverse = fma_of(fma_of(-b, inverse, 1.0), inverse, inverse);
  inverse = fma_of(fma_of(-b, inverse, 1.0), inverse, inverse);
  const Double quotient = a * inverse;
  const Double better = fma_of(fma_of(-b, quotient, a), inverse, quotient);
  return fma_of(fma_of(-b, better, a), inverse, better);
}

TESLASIM_DEVICE Double divide(Double a, Double b) {
  if (is_nan(a) || is_nan(b)) return undefined_double();
  const Double sign = double_of(sign_bit(a) ^ sign_bit(b));
  if (is_infinite(a) || b == 0.0) {
    const bool nonsense = is_infinite(b) || a == 0.0;
    return nonsense ? undefined_double() : with_sign(infinite_double(), sign);
  }
  if (a == 0.0 || is_infinite(b)) return sign;
  const SplitDouble p = split_double(a);
  const SplitDouble q = split_double(b);
  return scaled(divided_significands(p.significand, q.significand), p.exponent - q.exponent);
}

/// Root and half of its reciprocal approach together; the remainder rounds the root correctly (Markstein 2000, chapter
/// 9).
TESLASIM_DEVICE Double sqrt(Double x) {
  if (is_nan(x) || x < 0.0) return undefined_double();
  if (x == 0.0 || is_infinite(x)) return x;
  const SplitDouble split = split_double(x);
  const int odd = split.exponent & 1;
  const Double m = odd != 0 ? split.significand + split.significand : split.significand;
  const auto guess = static_cast<double>(hardware_reciprocal_root(static_cast<float>(m)));
  Double root = m * guess;
  Double half = 0.5 * guess;
  for (int step = 0; step < 2; ++step) {
    const Double rest = fma_of(-root, half, 0.5);
    root = fma_of(root, rest, root);
    half = fma_of(half, rest, half);
  }
  root = fma_of(fma_of(-root, root, m), half, root);
  return scaled(root, (split.exponent - odd) / 2);
}
TESLASIM_DEVICE Double rsqrt(Double x) {
  const Double inverse = divide(1.0, sqrt(x));
  if (!(inverse > 0.0) || is_infinite(inverse)) return inverse;
  // Once more by Newton's method, with 1 - x y^2 from an exact product.
  const DoublePair product = exact_product(x, inverse);
  const Double rest = fma_of(-product.high, inverse, 1.0) - product.low * inverse;
  return fma_of(0.5 * inverse, rest, inverse);
}

}  // namespace teslasim_device
