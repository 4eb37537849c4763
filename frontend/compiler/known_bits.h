// SPDX-License-Identifier: Apache-2.0
// Which bits of a value may be 1.
//
// A forward analysis from what the launch limits: at most 512 threads in a block, 65535 blocks in a dimension (NVIDIA
// 2010, CUDA C programming guide, appendix G). Products and sums of small numbers stay small, so that most address
// arithmetic fits the 16-bit multipliers.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

class KnownBits {
 public:
  explicit KnownBits(const IrFunction& function);

  /// Bits that may be 1; those of what came later are all unknown.
  [[nodiscard]] std::uint32_t possible(const IrArgument& argument) const;
  /// The value lies between -32768 and 32767 as a signed number.
  [[nodiscard]] bool is_short(const IrArgument& argument) const;

 private:
  [[nodiscard]] std::uint32_t of(const IrNode& node, std::size_t result) const;
  [[nodiscard]] std::uint32_t of_word(const IrNode& node) const;

  const IrFunction& function_;
  std::vector<std::uint32_t> possible_;
};

/// All bits up to the highest one.
[[nodiscard]] std::uint32_t filled(std::uint32_t bits);

}  // namespace teslasim::compiler
