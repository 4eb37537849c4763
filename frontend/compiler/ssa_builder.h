// SPDX-License-Identifier: Apache-2.0
// Variables that are written many times to values that are written once.
//
// Source: Braun, Buchwald, Hack, Leissa, Mallon, Zwinkau 2013, "Simple and efficient construction of static single
// assignment form": reading a variable asks the predecessors, and a block whose predecessors are not all known keeps
// unfinished phis.
#pragma once

#include <unordered_map>
#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// A word of a register of the program.
using VariableIndex = std::uint32_t;

class SsaBuilder {
 public:
  explicit SsaBuilder(IrFunction& function) : function_(function) {}

  void write(BlockIndex block, VariableIndex variable, const IrArgument& value);
  /// A variable that nobody wrote is 0.
  [[nodiscard]] IrArgument read(BlockIndex block, VariableIndex variable);
  /// All predecessors of the block are known now.
  void seal(BlockIndex block);
  void seal_all();

 private:
  [[nodiscard]] IrArgument read_from_predecessors(BlockIndex block, VariableIndex variable);
  [[nodiscard]] NodeIndex add_phi(BlockIndex block);
  void fill_phi(NodeIndex phi, BlockIndex block, VariableIndex variable);
  [[nodiscard]] bool is_sealed(BlockIndex block) const { return block < sealed_.size() && sealed_[block]; }

  struct Open {
    VariableIndex variable;
    NodeIndex phi;
  };
  IrFunction& function_;
  std::vector<std::unordered_map<VariableIndex, IrArgument>> current_{};
  std::vector<bool> sealed_{};
  std::unordered_map<BlockIndex, std::vector<Open>> open_{};
};

}  // namespace teslasim::compiler
