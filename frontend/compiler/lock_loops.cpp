// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/lock_loops.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "frontend/compiler/loops.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// Of an address: how far it is followed back.
constexpr unsigned most_steps = 4;

class LockLoops {
 public:
  explicit LockLoops(IrFunction& function)
      : function_(function), graph_(function.graph()), loops_(graph_), after_(post_dominators(graph_)) {}

  std::vector<LateMeeting> run() {
    for (const NaturalLoop& loop : loops_.all()) {
      const std::vector<NodeIndex> locks = locks_of(loop);
      if (!locks.empty()) visit(loop, locks);
    }
    divide();
    return std::move(late_);
  }

 private:
  struct Release {
    BlockIndex block;      ///< no_block: not in one place
    std::size_t position;  ///< behind the node that gives the lock back
  };

  /// Asks for a lock: puts one constant in the place of another.
  [[nodiscard]] static bool takes_lock(const IrNode& node) {
    if (node.operation != Op::atomic && node.operation != Op::locked_atomic) return false;
    if (node.atomic != AtomicOperation::cas && node.atomic != AtomicOperation::exch) return false;
    const std::size_t operands = node.atomic == AtomicOperation::cas ? 2 : 1;
    for (std::size_t k = 1; k <= operands; ++k) {
      if (k >= node.arguments.size() || !node.arguments[k].is_constant()) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<NodeIndex> locks_of(const NaturalLoop& loop) const {
    std::vector<NodeIndex> found;
    for (BlockIndex block = 0; block < loop.contains.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (const NodeIndex node : function_.blocks[block].nodes) {
        if (takes_lock(function_.nodes[node])) found.push_back(node);
      }
    }
    return found;
  }

  void visit(const NaturalLoop& loop, const std::vector<NodeIndex>& locks) {
    for (BlockIndex block = 0; block < loop.contains.size(); ++block) {
      IrEnd& end = function_.blocks[block].end;
      if (!loop.contains[block] || end.kind != IrEnd::Kind::branch) continue;
      for (std::uint8_t way = 0; way < 2; ++way) {
        const BlockIndex one = end.target[way], other = end.target[1 - way];
        if (!loop.contains[other]) continue;
        if (loop.contains[one]) {
          if (turns_back(loop, other) && !turns_back(loop, one)) end.first = way;
        } else if (const auto release = release_behind(one, locks)) {
          end.first = way;
          late_.push_back({loop.header, one, no_block});
          releases_.push_back(*release);
        } else if (released_somewhere(one, locks)) {
          end.first = way;
          late_.push_back({loop.header, one, no_block});
          releases_.push_back({no_block, 0});
        }
      }
    }
  }

  /// Nothing is done on the way from here to the next turn.
  [[nodiscard]] bool turns_back(const NaturalLoop& loop, BlockIndex block) const {
    for (std::size_t steps = 0; steps < function_.blocks.size() && block != loop.header; ++steps) {
      const IrBlock& one = function_.blocks[block];
      if (!one.nodes.empty() || one.end.kind != IrEnd::Kind::jump) return false;
      block = one.end.target[0];
    }
    return true;
  }

  [[nodiscard]] bool in_same_loops(BlockIndex left, BlockIndex right) const {
    return std::all_of(loops_.all().begin(), loops_.all().end(),
                       [&](const NaturalLoop& loop) { return loop.contains[left] == loop.contains[right]; });
  }

  /// Where all that leave the loop for `block` give one of the locks back, before the next barrier.
  [[nodiscard]] std::optional<Release> release_behind(BlockIndex block, const std::vector<NodeIndex>& locks) const {
    for (BlockIndex at = block; at != no_block; at = after_.parent(at)) {
      if (!in_same_loops(at, block)) continue;
      const std::vector<NodeIndex>& nodes = function_.blocks[at].nodes;
      const auto barrier = std::find_if(nodes.begin(), nodes.end(), [this](NodeIndex node) {
        return function_.nodes[node].operation == Op::barrier;
      });
      for (auto node = barrier; node != nodes.begin(); --node) {
        if (std::any_of(locks.begin(), locks.end(), [&](NodeIndex lock) { return gives_back(*(node - 1), lock); }))
          return Release{at, static_cast<std::size_t>(node - nodes.begin())};
      }
      if (barrier != nodes.end()) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Is a lock given back on some of the ways from here, and does no barrier follow? Then threads can go on apart.
  [[nodiscard]] bool released_somewhere(BlockIndex block, const std::vector<NodeIndex>& locks) const {
    std::vector<bool> seen(function_.blocks.size());
    std::vector<BlockIndex> waiting{block};
    seen[block] = true;
    bool released = false;
    while (!waiting.empty()) {
      const BlockIndex at = waiting.back();
      waiting.pop_back();
      for (const NodeIndex node : function_.blocks[at].nodes) {
        if (function_.nodes[node].operation == Op::barrier) return false;
        if (std::find(locks.begin(), locks.end(), node) != locks.end()) continue;
        released =
            released || std::any_of(locks.begin(), locks.end(), [&](NodeIndex lock) { return gives_back(node, lock); });
      }
      for (const BlockIndex next : graph_.successors(at)) {
        if (!seen[next]) waiting.push_back(next);
        seen[next] = true;
      }
    }
    return released;
  }

  [[nodiscard]] bool gives_back(NodeIndex index, NodeIndex lock) const {
    const IrNode &node = function_.nodes[index], &taken = function_.nodes[lock];
    const bool writes =
        node.operation == Op::store || node.operation == Op::atomic || node.operation == Op::locked_atomic;
    if (!writes || node.space != taken.space || node.offset != taken.offset) return false;
    return is_same(node.arguments[0], taken.arguments[0], most_steps);
  }
  /// Made in the same way: two loads may differ in what they find, but not where somebody asks for a lock there.
  [[nodiscard]] bool is_same(const IrArgument& left, const IrArgument& right, unsigned steps) const {
    if (left == right) return true;
    if (steps == 0 || left.is_constant() || right.is_constant() || left.half != right.half) return false;
    const IrNode &a = *function_.source(left), &b = *function_.source(right);
    const bool alike = a.operation == b.operation && a.number == b.number && a.offset == b.offset && a.space == b.space;
    if (!alike || a.operation == Op::phi || row_of(a.operation).effect == IrEffect::writes) return false;
    return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                      [&](const IrArgument& one, const IrArgument& other) { return is_same(one, other, steps - 1); });
  }

  /// Several loops may end at one place.
  void divide() {
    for (std::size_t k = 0; k < releases_.size(); ++k) {
      const auto [block, position] = releases_[k];
      if (block == no_block) continue;
      const bool ends =
          position == function_.blocks[block].nodes.size() && function_.blocks[block].end.kind == IrEnd::Kind::exit;
      for (std::size_t other = 0; other < k; ++other) {
        if (releases_[other].block == block && releases_[other].position == position) late_[k].to = late_[other].to;
      }
      if (!ends && late_[k].to == no_block) late_[k].to = divided(block, position);
    }
  }

  BlockIndex divided(BlockIndex block, std::size_t position) {
    const BlockIndex rest = function_.add_block();
    IrBlock &first = function_.blocks[block], &second = function_.blocks[rest];
    const auto middle = first.nodes.begin() + static_cast<std::ptrdiff_t>(position);
    second.nodes.assign(middle, first.nodes.end());
    first.nodes.erase(middle, first.nodes.end());
    second.end = first.end;
    for (std::size_t way = 0; way < function_.successors(rest); ++way) {
      std::vector<BlockIndex>& list = function_.blocks[second.end.target[way]].predecessors;
      std::replace(list.begin(), list.end(), block, rest);
    }
    first.end = IrEnd{};
    first.end.line = second.end.line;
    function_.jump(block, rest);
    return rest;
  }

  IrFunction& function_;
  FlowGraph graph_;
  Loops loops_;
  DominatorTree after_;
  std::vector<LateMeeting> late_{};
  std::vector<Release> releases_{};
};

}  // namespace

std::vector<LateMeeting> find_lock_loops(IrFunction& function) {
  return LockLoops(function).run();
}

}  // namespace teslasim::compiler
