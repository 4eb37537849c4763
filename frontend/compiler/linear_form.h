// SPDX-License-Identifier: Apache-2.0
// Words as sums of terms: a factor times a product of up to four values; of none: a constant.
//
// Sums, differences, products and shifts of 32 bits are exact in arithmetic modulo 2^32, so that the difference of two
// words is the difference of their sums, however they were written.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

struct LinearTerm {
  /// In order, no_value behind them: an index in three dimensions is `((block * extent + thread) * height + y) *
  /// width`.
  std::array<ValueIndex, 4> values{no_value, no_value, no_value, no_value};
  std::uint32_t factor = 0;  ///< not 0

  [[nodiscard]] bool is_constant() const { return values[0] == no_value; }
  [[nodiscard]] bool is_one_value() const { return !is_constant() && values[1] == no_value; }
};

/// Each product of values once.
using LinearForm = std::vector<LinearTerm>;

[[nodiscard]] LinearForm difference(const LinearForm& left, const LinearForm& right);

/// The forms of a function's values. What is no sum, or one of many terms, is a term itself.
class LinearForms {
 public:
  explicit LinearForms(const IrFunction& function) : function_(function) {}
  [[nodiscard]] const LinearForm& of(ValueIndex value);

 private:
  [[nodiscard]] LinearForm of(const IrArgument& argument);
  [[nodiscard]] LinearForm of(const IrNode& node);

  const IrFunction& function_;
  std::unordered_map<ValueIndex, LinearForm> known_{};
};

}  // namespace teslasim::compiler
