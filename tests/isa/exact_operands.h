// SPDX-License-Identifier: Apache-2.0
// Operands for the tests of arithmetic against exact integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "tests/isa/exact_arithmetic.h"

namespace teslasim::exact {

/// Triples in which something happens: special values, few significant bits, carries, near cancellation, borders of the
/// range.
class Operands {
 public:
  Operands(const Format& format, std::uint32_t seed) : format_(format), random_(seed) {}

  /// Only numbers of middle size, and zeros: what programs compute with, and what fast ways are made for.
  std::array<std::uint64_t, 3> next_of_middle_size(int least_exponent, int most_exponent) {
    const auto middle = [&] {
      const auto span = static_cast<unsigned>(most_exponent - least_exponent);
      const int field = format_.bias() + least_exponent + static_cast<int>(random_() % span);
      return (random_() % 2 != 0 ? format_.sign() : 0) | exponent(field) | fraction();
    };
    std::array<std::uint64_t, 3> operands{middle(), middle(), middle()};
    const unsigned relation = random_() % 8;
    if (relation == 0) operands[2] = (product_of(operands) ^ format_.sign()) + small_step();
    if (relation == 1) operands[2] = shifted(product_of(operands));
    if (relation == 2) operands[2] = random_() % 2 != 0 ? format_.sign() : 0;
    return operands;
  }

  std::array<std::uint64_t, 3> next() {
    std::array<std::uint64_t, 3> operands{number(), number(), number()};
    const unsigned relation = random_() % 8;
    if (relation == 0) operands[2] = (product_of(operands) ^ format_.sign()) + small_step();  // the sum nearly cancels
    if (relation == 1) operands[2] = shifted(product_of(operands));  // half a unit apart, or less
    if (relation == 2) operands[1] = (operands[0] ^ (random_() % 2 != 0 ? format_.sign() : 0)) + small_step();
    if (relation == 3) operands[2] = random_() % 2 != 0 ? format_.sign() : 0;
    if (relation == 4) operands[1] = reciprocal_exponent(operands[0]);  // the product is near a border of the range
    const std::uint64_t mask = format_.sign() | (format_.sign() - 1);
    for (std::uint64_t& operand : operands) operand &= mask;
    return operands;
  }

 private:
  std::uint64_t word() { return random_() | std::uint64_t{random_()} << 32U; }
  std::uint64_t product_of(const std::array<std::uint64_t, 3>& operands) const {
    return multiplied(operands[0], operands[1], format_, Rounding::nearest, format_.infinity());
  }
  std::uint64_t small_step() { return random_() % 5 - std::uint64_t{2}; }
  std::uint64_t exponent(int field) const {
    const int last = (1 << format_.exponent_bits) - 1;
    return static_cast<std::uint64_t>(std::clamp(field, 0, last)) << format_.fraction_bits();
  }
  std::uint64_t fraction() {
    const std::uint64_t mask = format_.smallest_normal() - 1;
    switch (random_() % 5) {
      case 0:
        return std::uint64_t{random_() % 3};
      case 1:
        return mask - random_() % 3;
      case 2:
        return std::uint64_t{1} << (word() % format_.fraction_bits());
      case 3:
        return mask & ~((std::uint64_t{1} << (word() % format_.fraction_bits())) - 1);
      default:
        return word() & mask;
    }
  }
  std::uint64_t number() {
    const std::uint64_t sign = random_() % 2 != 0 ? format_.sign() : 0;
    const int bias = format_.bias();
    switch (random_() % 16) {
      case 0:
        return sign;
      case 1:
        return sign | fraction();  // zero or denormal
      case 2:
        return sign | format_.infinity() | (random_() % 4 == 0 ? fraction() : 0);
      case 3:
        return sign | format_.largest();
      case 4:
        return sign | exponent(1 + static_cast<int>(random_() % 3)) | fraction();
      case 5:
        return sign | exponent(2 * bias - static_cast<int>(random_() % 3)) | fraction();
      case 6:
        return sign | exponent(static_cast<int>(word() % static_cast<unsigned>(2 * bias))) | fraction();
      case 7:
        return sign | exponent(bias / 2 + static_cast<int>(random_() % 5)) | fraction();
      default:
        return sign | exponent(bias - 30 + static_cast<int>(random_() % 60)) | fraction();
    }
  }
  std::uint64_t shifted(std::uint64_t number) {
    const int field = static_cast<int>((number & ~format_.sign()) >> format_.fraction_bits());
    const int distance = static_cast<int>(format_.precision) + 2 - static_cast<int>(random_() % 5);
    return exponent(field + (random_() % 2 != 0 ? distance : -distance)) | fraction() | (number & format_.sign());
  }
  std::uint64_t reciprocal_exponent(std::uint64_t number) {
    const int field = static_cast<int>((number & ~format_.sign()) >> format_.fraction_bits());
    const int border = random_() % 2 != 0 ? 1 : 2 * format_.bias();
    return exponent(border + format_.bias() - field + 2 - static_cast<int>(random_() % 5)) | fraction();
  }

  Format format_;
  std::mt19937 random_;
};

}  // namespace teslasim::exact
