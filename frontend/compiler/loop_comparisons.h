// SPDX-License-Identifier: Apache-2.0
// Comparisons at the end of a loop's turn, with the number of the next turn in the place of the old one.
#pragma once

#include <optional>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

struct NextComparison {
  ValueIndex value = no_value;
  std::uint32_t limit = 0;
};

/// A number that a loop divides by a power of 2 in each turn (`s /= 2`), compared at the end of one with a constant:
/// the same relation between the next number and another constant, so that the old number need not be kept. LLVM turns
/// it the other way round. `block` is where the comparison stands; the value is defined where the block ends, perhaps
/// behind the comparison.
[[nodiscard]] std::optional<NextComparison> comparison_with_next(const IrFunction& function, const IrNode& comparison,
                                                                 BlockIndex block);

}  // namespace teslasim::compiler
