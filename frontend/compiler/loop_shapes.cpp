// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_shapes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/compiler/components.h"
#include "frontend/compiler/edges.h"
#include "frontend/compiler/ir_builder.h"
#include "frontend/compiler/loops.h"
#include "frontend/compiler/meeting_places.h"

namespace teslasim::compiler {
namespace {

using Blocks = std::vector<BlockIndex>;

/// The blocks of a cycle that edges from outside lead to.
Blocks entries_of(const FlowGraph& graph, const Blocks& cycle) {
  Blocks entries;
  for (const BlockIndex block : cycle) {
    const Blocks& before = graph.predecessors(block);
    const bool entered = std::any_of(before.begin(), before.end(), [&](BlockIndex from) {
      return std::find(cycle.begin(), cycle.end(), from) == cycle.end();
    });
    if (entered) entries.push_back(block);
  }
  return entries;
}

/// The entries of a cycle with several, innermost cycles included; empty: there is none.
Blocks irregular_entries(const FlowGraph& graph) {
  std::vector<Blocks> waiting{reverse_postorder(graph)};
  while (!waiting.empty()) {
    const Blocks within = std::move(waiting.back());
    waiting.pop_back();
    std::vector<Blocks> cycles = cycles_among(graph, within);
    for (Blocks& cycle : cycles) {
      Blocks entries = entries_of(graph, cycle);
      if (entries.size() > 1) return entries;
      std::erase(cycle, entries.front());
      waiting.push_back(std::move(cycle));
    }
  }
  return {};
}

/// The block that all ways to the entries pass.
class Dispatcher {
 public:
  Dispatcher(IrFunction& function, Blocks entries)
      : function_(function), entries_(std::move(entries)), block_(function.add_block()) {}

  void run() {
    gather_ways();
    IrNode way;
    way.operation = IrOperation::phi;
    for (const auto& [from, entry] : ways_) way.arguments.push_back(constant_argument(number_of(entry)));
    const NodeIndex chosen = function_.append(block_, std::move(way), 1);
    for (const BlockIndex entry : entries_) move_phis(entry);
    for (const auto& [from, entry] : ways_) {
      function_.blocks[entry].predecessors.clear();
      function_.jump(from, block_);
    }
    branch_on(value_argument(function_.nodes[chosen].results[0]));
  }

 private:
  /// Every edge to an entry gets a block of its own.
  void gather_ways() {
    for (const BlockIndex entry : entries_) {
      const Blocks before = function_.blocks[entry].predecessors;
      for (const BlockIndex from : before) ways_.emplace_back(split_edges(function_, {from}, entry), entry);
    }
  }

  [[nodiscard]] std::uint32_t number_of(BlockIndex entry) const {
    return static_cast<std::uint32_t>(std::find(entries_.begin(), entries_.end(), entry) - entries_.begin());
  }

  /// Values of phis come together before the ways part again; on ways to other entries nobody reads them.
  void move_phis(BlockIndex entry) {
    std::vector<NodeIndex>& nodes = function_.blocks[entry].nodes;
    const auto rest = std::find_if(nodes.begin(), nodes.end(), [this](NodeIndex node) {
      return function_.nodes[node].operation != IrOperation::phi;
    });
    for (auto at = nodes.begin(); at != rest; ++at) {
      IrNode& phi = function_.nodes[*at];
      std::map<BlockIndex, IrArgument> from_way;
      for (std::size_t i = 0; i < phi.arguments.size(); ++i)
        from_way[function_.blocks[entry].predecessors[i]] = phi.arguments[i];
      phi.arguments.clear();
      for (const auto& [from, target] : ways_)
        phi.arguments.push_back(target == entry ? from_way.at(from) : constant_argument(0));
      function_.blocks[block_].nodes.push_back(*at);
    }
    nodes.erase(nodes.begin(), rest);
  }

  void branch_on(const IrArgument& chosen) {
    IrBuilder ir(function_);
    BlockIndex block = block_;
    for (std::uint32_t i = 0; i + 1 < entries_.size(); ++i) {
      ir.set_block(block);
      const IrArgument here = ir.compare(Relations::equal, chosen, constant_argument(i), ValueType::u32);
      const bool last = i + 2 == entries_.size();
      const BlockIndex other = last ? entries_[i + 1] : function_.add_block();
      function_.branch(block, here, entries_[i], other);
      block = other;
    }
  }

  IrFunction& function_;
  Blocks entries_;
  BlockIndex block_;
  std::vector<std::pair<BlockIndex, BlockIndex>> ways_{};  ///< block on the edge, entry
};

/// The ways into the header from outside of the inner loops; empty: no loop within shares the header.
Blocks outer_ways(const FlowGraph& graph, const MeetingPlaces& meetings, const NaturalLoop& loop) {
  for (const BlockIndex latch : graph.predecessors(loop.header)) {
    if (!loop.contains[latch]) continue;
    const BlockIndex meeting = meetings.parent_outside(loop.header, loop_of(graph, loop.header, {latch}).contains);
    if (meeting == no_block || !loop.contains[meeting]) continue;
    Blocks outer;
    for (const BlockIndex from : graph.predecessors(loop.header)) {
      const bool inner = loop.contains[from] && !loop_of(graph, loop.header, {from}).contains[meeting];
      if (!inner) outer.push_back(from);
    }
    return outer;
  }
  return {};
}

}  // namespace

void give_cycles_one_entry(IrFunction& function) {
  for (Blocks entries = irregular_entries(function.graph()); !entries.empty();
       entries = irregular_entries(function.graph()))
    Dispatcher(function, std::move(entries)).run();
}

void separate_nested_loops(IrFunction& function) {
  bool changed = true;
  while (changed) {
    changed = false;
    const FlowGraph graph = function.graph();
    const MeetingPlaces meetings(function);
    const Loops loops(graph);
    for (const NaturalLoop& loop : loops.all()) {
      const Blocks outer = outer_ways(graph, meetings, loop);
      if (outer.empty()) continue;
      (void)split_edges(function, outer, loop.header);
      changed = true;
      break;
    }
  }
}

}  // namespace teslasim::compiler
