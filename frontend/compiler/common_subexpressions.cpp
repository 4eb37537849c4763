// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/common_subexpressions.h"

#include <unordered_map>
#include <utility>

#include "frontend/compiler/ir_rewriter.h"

namespace teslasim::compiler {
namespace {

std::size_t hash_of(const IrNode& node) {
  std::size_t hash = static_cast<std::size_t>(node.operation);
  const auto mix = [&hash](std::size_t value) { hash = hash * 1099511628211ULL + value; };
  mix(static_cast<std::size_t>(node.type));
  mix(node.offset);
  mix(node.number);
  for (const IrArgument& argument : node.arguments) {
    mix(argument.value);
    mix(argument.constant);
  }
  return hash;
}

bool same(const IrNode& left, const IrNode& right) {
  return left.operation == right.operation && left.type == right.type && left.source_type == right.source_type &&
         left.rounding == right.rounding && left.compare == right.compare && left.saturate == right.saturate &&
         left.round_to_integer == right.round_to_integer && left.high == right.high &&
         left.subtract_product == right.subtract_product && left.exact == right.exact && left.offset == right.offset &&
         left.number == right.number && left.origin == right.origin && left.arguments == right.arguments;
}

class Eliminator final : public IrRewriter {
 public:
  explicit Eliminator(IrFunction& function) : IrRewriter(function), tree_(dominators(function.graph())) {}

 private:
  bool rewrite(NodeIndex index) override {
    IrNode& mine = function_.nodes[index];
    if (row_of(mine.operation).effect != IrEffect::pure || mine.operation == IrOperation::phi) return false;
    if (row_of(mine.operation).commutes && mine.arguments[1].value < mine.arguments[0].value &&
        !mine.arguments[1].is_constant())
      std::swap(mine.arguments[0], mine.arguments[1]);
    std::vector<Known>& candidates = known_[hash_of(mine)];
    for (const Known& other : candidates) {
      if (!tree_.dominates(other.block, ir_.block()) || !same(node(other.node), mine)) continue;
      for (std::size_t result = 0; result < mine.results.size(); ++result)
        replace_result(index, result, value_argument(node(other.node).results[result]));
      return true;
    }
    candidates.push_back({index, ir_.block()});
    return false;
  }

  struct Known {
    NodeIndex node;
    BlockIndex block;
  };
  DominatorTree tree_;
  std::unordered_map<std::size_t, std::vector<Known>> known_{};
};

}  // namespace

bool eliminate_common_subexpressions(IrFunction& function) {
  return Eliminator(function).run();
}

}  // namespace teslasim::compiler
