// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "frontend/compiler/ir.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

class Verifier {
 public:
  Verifier(const IrFunction& function, std::string_view after)
      : function_(function), after_(after), tree_(dominators(function.graph())) {}

  void run() {
    find_predecessors();
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (tree_.contains(block)) place(block);
    }
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (tree_.contains(block)) check(block);
    }
  }

 private:
  struct Place {
    BlockIndex block = no_block;
    std::size_t position = 0;
  };

  [[noreturn]] void complain(const std::string& what) const {
    throw InternalError(fmt::format("after '{}': {}\n{}", after_, what, print_ir(function_)));
  }

  void place(BlockIndex block) {
    places_.resize(function_.nodes.size());
    const IrBlock& one = function_.blocks[block];
    for (std::size_t position = 0; position < one.nodes.size(); ++position) {
      const NodeIndex node = one.nodes[position];
      if (places_[node].block != no_block) complain(fmt::format("node {} stands twice", node));
      places_[node] = {block, position};
    }
  }

  void check(BlockIndex block) {
    const IrBlock& one = function_.blocks[block];
    check_predecessors(block);
    bool phis = true;
    for (std::size_t position = 0; position < one.nodes.size(); ++position) {
      const IrNode& node = function_.nodes[one.nodes[position]];
      const bool phi = node.operation == IrOperation::phi;
      if (phi && !phis) complain(fmt::format("a phi in the midst of block {}", block));
      phis = phi;
      check_shape(one.nodes[position]);
      if (phi) {
        check_phi(block, node);
      } else {
        for (const IrArgument& argument : node.arguments) check_use(argument, {block, position});
      }
    }
    if (one.end.kind == IrEnd::Kind::branch) check_use(one.end.condition, {block, one.nodes.size()});
  }

  /// In ascending order for each block, since sources are visited so.
  void find_predecessors() {
    predecessors_.resize(function_.blocks.size());
    for (BlockIndex from = 0; from < function_.blocks.size(); ++from) {
      if (!tree_.contains(from)) continue;
      for (std::size_t way = 0; way < function_.successors(from); ++way)
        predecessors_[function_.blocks[from].end.target[way]].push_back(from);
    }
  }

  void check_predecessors(BlockIndex block) const {
    std::vector<BlockIndex> found = function_.blocks[block].predecessors;
    std::sort(found.begin(), found.end());
    if (found != predecessors_[block]) complain(fmt::format("the predecessors of block {} do not match", block));
  }

  void check_shape(NodeIndex index) const {
    const IrNode& node = function_.nodes[index];
    const IrOperationRow& row = row_of(node.operation);
    if (row.results >= 0 && node.results.size() != static_cast<std::size_t>(row.results))
      complain(fmt::format("{} has {} results", row.word, node.results.size()));
    if (row.arguments >= 0 && node.arguments.size() != static_cast<std::size_t>(row.arguments))
      complain(fmt::format("{} has {} arguments", row.word, node.arguments.size()));
    if (node.operation == IrOperation::load && node.arguments.size() != (node.guarded ? 2U : 1U))
      complain(fmt::format("{} has {} arguments", row.word, node.arguments.size()));
    for (std::size_t result = 0; result < node.results.size(); ++result) {
      const IrDefinition& definition = function_.values[node.results[result]];
      if (definition.node != index || definition.result != result)
        complain(fmt::format("v{} is lost", node.results[result]));
    }
  }

  void check_phi(BlockIndex block, const IrNode& node) const {
    const IrBlock& one = function_.blocks[block];
    if (node.arguments.size() != one.predecessors.size())
      complain(fmt::format("a phi of block {} has {} arguments", block, node.arguments.size()));
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      if (!tree_.contains(one.predecessors[i])) continue;
      check_use(node.arguments[i], {one.predecessors[i], function_.blocks[one.predecessors[i]].nodes.size()});
    }
  }

  void check_use(const IrArgument& argument, const Place& use) const {
    if (argument.is_constant()) return;
    if (argument.value >= function_.values.size()) complain(fmt::format("v{} does not exist", argument.value));
    const Place& place = places_[function_.values[argument.value].node];
    if (place.block == no_block)
      complain(fmt::format("v{} is used in block {} and not defined", argument.value, use.block));
    const bool before =
        place.block == use.block ? place.position < use.position : tree_.dominates(place.block, use.block);
    if (!before)
      complain(fmt::format("v{} is used in block {} where it may not be defined", argument.value, use.block));
  }

  const IrFunction& function_;
  std::string_view after_;
  DominatorTree tree_;
  std::vector<std::vector<BlockIndex>> predecessors_{};
  std::vector<Place> places_{};
};

}  // namespace

void verify_ir(const IrFunction& function, std::string_view after) {
  Verifier(function, after).run();
}

}  // namespace teslasim::compiler
