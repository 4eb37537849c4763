// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/tails.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "frontend/compiler/control_flow.h"
#include "frontend/compiler/meeting_places.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// Nodes of an end, and ways to it.
constexpr std::size_t longest = 14, most_ways = 3;

class TailCopier {
 public:
  explicit TailCopier(IrFunction& function) : function_(function) {}

  bool run() {
    bool changed = false;
    const std::vector<bool> meets = meeting_blocks();
    const auto blocks = static_cast<BlockIndex>(function_.blocks.size());
    for (BlockIndex block = 1; block < blocks; ++block) {
      if (meets[block] || !is_short_end(block) || !gains(block) || !keeps_values(block)) continue;
      copy(block);
      changed = true;
    }
    return changed;
  }

 private:
  [[nodiscard]] const IrNode& node(NodeIndex index) const { return function_.nodes[index]; }
  [[nodiscard]] const IrBlock& at(BlockIndex block) const { return function_.blocks[block]; }

  /// Where threads that parted anywhere come together again.
  [[nodiscard]] std::vector<bool> meeting_blocks() const {
    std::vector<bool> result(function_.blocks.size());
    const MeetingPlaces places(function_);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (at(block).end.kind != IrEnd::Kind::branch) continue;
      if (const BlockIndex meeting = places.parent(block); meeting != no_block) result[meeting] = true;
    }
    return result;
  }

  [[nodiscard]] bool is_short_end(BlockIndex block) const {
    const IrBlock& one = at(block);
    if (one.predecessors.size() < 2 || one.predecessors.size() > most_ways || one.nodes.size() > longest) return false;
    if (one.end.kind != IrEnd::Kind::jump || one.end.target[0] == block) return false;
    if (!std::all_of(one.predecessors.begin(), one.predecessors.end(),
                     [this](BlockIndex from) { return at(from).end.kind == IrEnd::Kind::jump; }))
      return false;
    // Threads that vote or wait do so together, if only with those who happen to come.
    return std::none_of(one.nodes.begin(), one.nodes.end(), [this](NodeIndex index) {
      const IrNode& of = node(index);
      if (of.operation == Op::phi)
        return !std::all_of(of.arguments.begin(), of.arguments.end(), [](const auto& each) { return each.is_plain(); });
      return row_of(of.operation).effect == IrEffect::writes && of.operation != Op::store;
    });
  }

  [[nodiscard]] bool gains(BlockIndex block) const {
    return std::any_of(at(block).nodes.begin(), at(block).nodes.end(), [this](NodeIndex index) {
      const std::vector<IrArgument>& arguments = node(index).arguments;
      return node(index).operation == Op::phi &&
             std::any_of(arguments.begin(), arguments.end(), [](const auto& one) { return one.is_constant(); });
    });
  }

  /// Is what the block makes read nowhere else, but by phis behind it on the edge from it?
  [[nodiscard]] bool keeps_values(BlockIndex block) const {
    std::vector<bool> made(function_.values.size());
    for (const NodeIndex index : at(block).nodes) {
      for (const ValueIndex result : node(index).results) made[result] = true;
    }
    const auto is_made = [&](const IrArgument& argument) { return !argument.is_constant() && made[argument.value]; };
    for (BlockIndex other = 0; other < function_.blocks.size(); ++other) {
      if (other == block) continue;
      if (at(other).end.kind == IrEnd::Kind::branch && is_made(at(other).end.condition)) return false;
      for (const NodeIndex index : at(other).nodes) {
        const IrNode& one = node(index);
        for (std::size_t k = 0; k < one.arguments.size(); ++k) {
          const bool from_here = one.operation == Op::phi && at(other).predecessors[k] == block;
          if (is_made(one.arguments[k]) && !from_here) return false;
        }
      }
    }
    return true;
  }

  /// The first way keeps the block, each of the others gets one of its own.
  void copy(BlockIndex block) {
    while (at(block).predecessors.size() > 1) copy_for(block, at(block).predecessors.back());
  }

  void copy_for(BlockIndex block, BlockIndex from) {
    const BlockIndex target = at(block).end.target[0], fresh = function_.add_block();
    const auto& ways = at(block).predecessors;
    const auto way = static_cast<std::size_t>(std::find(ways.begin(), ways.end(), from) - ways.begin());
    std::map<ValueIndex, IrArgument> renamed;
    const std::vector<NodeIndex> nodes = at(block).nodes;
    for (const NodeIndex index : nodes) {
      IrNode copied = node(index);
      if (copied.operation == Op::phi) {
        renamed[copied.results[0]] = copied.arguments[way];
        continue;
      }
      for (IrArgument& argument : copied.arguments) argument = renamed_argument(renamed, argument);
      const std::vector<ValueIndex> results = std::exchange(copied.results, {});
      const NodeIndex added = function_.append(fresh, std::move(copied), static_cast<unsigned>(results.size()));
      for (std::size_t k = 0; k < results.size(); ++k) renamed[results[k]] = value_argument(node(added).results[k]);
    }
    extend_phis(target, block, renamed);
    remove_predecessor(function_, block, from);
    for (BlockIndex& next : function_.blocks[from].end.target) {
      if (next == block) next = fresh;
    }
    function_.blocks[fresh].predecessors.push_back(from);
    function_.blocks[fresh].end.line = at(block).end.line;
    function_.jump(fresh, target);
  }

  /// What the phis of `target` have from `block` they have from a new predecessor, renamed.
  void extend_phis(BlockIndex target, BlockIndex block, const std::map<ValueIndex, IrArgument>& renamed) {
    const std::vector<BlockIndex>& ways = at(target).predecessors;
    const auto way = static_cast<std::size_t>(std::find(ways.begin(), ways.end(), block) - ways.begin());
    for (const NodeIndex index : at(target).nodes) {
      IrNode& phi = function_.nodes[index];
      if (phi.operation != Op::phi) break;
      phi.arguments.push_back(renamed_argument(renamed, phi.arguments[way]));
    }
  }

  /// A use keeps its own negation, absolute value and half; arguments of the phis have none.
  [[nodiscard]] static IrArgument renamed_argument(const std::map<ValueIndex, IrArgument>& renamed,
                                                   const IrArgument& use) {
    if (use.is_constant()) return use;
    const auto found = renamed.find(use.value);
    if (found == renamed.end()) return use;
    IrArgument result = found->second;
    result.negate = use.negate;
    result.absolute = use.absolute;
    result.half = use.half;
    return result;
  }

  IrFunction& function_;
};

}  // namespace

bool copy_tails(IrFunction& function) {
  return TailCopier(function).run();
}

}  // namespace teslasim::compiler
