// SPDX-License-Identifier: Apache-2.0
// A function that is one loop, for tests of passes over loops.
#pragma once

#include <algorithm>
#include <utility>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler::testing {

/// counter = start; do { body } while ((counter += step) < limit): B0 leads to B1, which branches to itself and to B2.
struct CountedLoop : SmallFunction {
  BlockIndex body = 0, behind = 0;
  IrArgument counter{};

  explicit CountedLoop(std::uint32_t start = 0, std::uint32_t step = 1, std::uint32_t limit = 9)
      : step_(step), limit_(limit) {
    body = function.add_block();
    behind = function.add_block();
    function.jump(0, body);
    ir.set_block(body);
    counter = phi(start);
  }
  /// Another one of the header; what it is after a turn is set afterwards.
  IrArgument phi(std::uint32_t start) {
    IrNode node;
    node.operation = IrOperation::phi;
    node.arguments = {constant_argument(start), constant_argument(0)};
    return ir.add_node(std::move(node));
  }
  void grow(const IrArgument& phi, std::uint32_t step) {
    function.definition(phi.value).arguments[1] = ir.add(phi, constant_argument(step));
  }
  void finish() {
    grow(counter, step_);
    const IrArgument next = function.definition(counter.value).arguments[1];
    function.branch(body, ir.compare(Relations::less, next, constant_argument(limit_), ValueType::u32), body, behind);
    ir.set_block(behind);
    keep(counter);
  }
  [[nodiscard]] bool stands_in(const IrArgument& value, BlockIndex block) const {
    const auto& nodes = function.blocks[block].nodes;
    return std::find(nodes.begin(), nodes.end(), function.values[value.value].node) != nodes.end();
  }

 private:
  std::uint32_t step_, limit_;
};

}  // namespace teslasim::compiler::testing
