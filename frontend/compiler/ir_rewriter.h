// SPDX-License-Identifier: Apache-2.0
// A pass that looks at each node once and leaves it or puts others in its place.
#pragma once

#include <vector>

#include "frontend/compiler/ir_builder.h"

namespace teslasim::compiler {

class IrRewriter {
 public:
  virtual ~IrRewriter() = default;
  /// Over all blocks that are reached, dominators first, so that a node sees what its arguments have become.
  /// Returns whether anything changed.
  bool run();

 protected:
  explicit IrRewriter(IrFunction& function) : function_(function), ir_(function) {}

  /// True: the node is replaced by what was appended; its results were given to `replace_result`.
  virtual bool rewrite(NodeIndex index) = 0;
  void replace_result(NodeIndex index, std::size_t result, const IrArgument& value);
  /// The node was changed in its place.
  void note_change() { changed_ = true; }
  [[nodiscard]] const IrNode& node(NodeIndex index) const { return function_.nodes[index]; }

  IrFunction& function_;
  IrBuilder ir_;

 private:
  void resolve(IrArgument& argument) const;
  std::vector<IrArgument> replacement_{};
  bool changed_ = false;
};

}  // namespace teslasim::compiler
