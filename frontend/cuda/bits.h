// SPDX-License-Identifier: Apache-2.0
// Counting and turning of bits, which the chip has no instructions for (algorithms: Warren 2002, Hacker's Delight,
// chapters 5 and 7), and products of wide integers.
#pragma once

#include "primitives.h"

namespace teslasim_device {

/// Sums of bits in fields of 2, 4, 8 bits; then all bytes.
TESLASIM_DEVICE int count_ones(Word x) {
  x -= x >> 1U & 0x55555555U;
  x = (x & 0x33333333U) + (x >> 2U & 0x33333333U);
  x = (x + (x >> 4U)) & 0x0f0f0f0fU;
  x += x >> 8U;
  return static_cast<int>((x + (x >> 16U)) & 63U);
}
TESLASIM_DEVICE int count_ones(LongWord x) {
  return count_ones(static_cast<Word>(x)) + count_ones(static_cast<Word>(x >> 32U));
}

/// Every lower bit is set, then those that are still clear are counted. 32 for zero.
TESLASIM_DEVICE int leading_zeros(Word x) {
  x |= x >> 1U;
  x |= x >> 2U;
  x |= x >> 4U;
  x |= x >> 8U;
  x |= x >> 16U;
  return count_ones(~x);
}
TESLASIM_DEVICE int leading_zeros(LongWord x) {
  const Word high = static_cast<Word>(x >> 32U);
  const int zeros = leading_zeros(high != 0 ? high : static_cast<Word>(x));
  return high != 0 ? zeros : zeros + 32;
}

/// Place of the lowest bit that is set, counted from 1; 0 for zero.
TESLASIM_DEVICE int first_set(Word x) {
  return x == 0 ? 0 : 32 - leading_zeros(x & (0U - x));
}
TESLASIM_DEVICE int first_set(LongWord x) {
  return x == 0 ? 0 : 64 - leading_zeros(x & (0ULL - x));
}

/// Neighbours change places: single bits, pairs, fours, bytes, halves.
TESLASIM_DEVICE Word reversed(Word x) {
  x = (x & 0x55555555U) << 1U | (x >> 1U & 0x55555555U);
  x = (x & 0x33333333U) << 2U | (x >> 2U & 0x33333333U);
  x = (x & 0x0f0f0f0fU) << 4U | (x >> 4U & 0x0f0f0f0fU);
  x = (x & 0x00ff00ffU) << 8U | (x >> 8U & 0x00ff00ffU);
  return x << 16U | x >> 16U;
}
TESLASIM_DEVICE LongWord reversed(LongWord x) {
  return static_cast<LongWord>(reversed(static_cast<Word>(x))) << 32U | reversed(static_cast<Word>(x >> 32U));
}

/// The upper 64 bits of a product, from four products of halves (Knuth 1969, algorithm M).
TESLASIM_DEVICE LongWord upper_product(LongWord a, LongWord b) {
  const LongWord a_low = static_cast<Word>(a);
  const LongWord a_high = a >> 32U;
  const LongWord b_low = static_cast<Word>(b);
  const LongWord b_high = b >> 32U;
  const LongWord middle = a_high * b_low + (a_low * b_low >> 32U);
  const LongWord other = a_low * b_high + static_cast<Word>(middle);
  return a_high * b_high + (middle >> 32U) + (other >> 32U);
}
TESLASIM_DEVICE long long upper_product(long long a, long long b) {
  LongWord product = upper_product(static_cast<LongWord>(a), static_cast<LongWord>(b));
  if (a < 0) product -= static_cast<LongWord>(b);
  if (b < 0) product -= static_cast<LongWord>(a);
  return static_cast<long long>(product);
}

}  // namespace teslasim_device
