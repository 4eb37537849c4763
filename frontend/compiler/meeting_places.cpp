// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/meeting_places.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

bool has_barrier(const IrFunction& function, BlockIndex block) {
  const std::vector<NodeIndex>& nodes = function.blocks[block].nodes;
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](NodeIndex node) { return function.nodes[node].operation == IrOperation::barrier; });
}

std::vector<bool> leading_to_barriers(const IrFunction& function, const FlowGraph& graph) {
  std::vector<bool> result(graph.size());
  std::vector<BlockIndex> waiting;
  for (BlockIndex block = 0; block < graph.size(); ++block) {
    if (has_barrier(function, block)) waiting.push_back(block);
  }
  while (!waiting.empty()) {
    const BlockIndex block = waiting.back();
    waiting.pop_back();
    if (result[block]) continue;
    result[block] = true;
    for (const BlockIndex before : graph.predecessors(block)) waiting.push_back(before);
  }
  return result;
}

/// Number behind the blocks.
std::vector<BlockIndex> beginnings(const IrFunction& function) {
  auto next = static_cast<BlockIndex>(function.blocks.size());
  std::vector<BlockIndex> result;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block)
    result.push_back(has_barrier(function, block) ? next++ : block);
  return result;
}

/// Blocks without a way to one that nothing follows.
std::vector<bool> without_end(const FlowGraph& graph) {
  std::vector<bool> result(graph.size(), true);
  std::vector<BlockIndex> waiting;
  for (BlockIndex block = 0; block < graph.size(); ++block) {
    if (graph.successors(block).empty()) waiting.push_back(block);
  }
  while (!waiting.empty()) {
    const BlockIndex block = waiting.back();
    waiting.pop_back();
    if (!result[block]) continue;
    result[block] = false;
    for (const BlockIndex before : graph.predecessors(block)) waiting.push_back(before);
  }
  return result;
}

}  // namespace

MeetingPlaces::MeetingPlaces(const IrFunction& function)
    : function_(function),
      graph_(function.graph()),
      leads_to_barrier_(leading_to_barriers(function, graph_)),
      beginning_(beginnings(function)),
      of_all_(post_dominators(graph_)),
      of_those_who_go_on_(post_dominators(going_on())) {
  for (BlockIndex block = 0; block < graph_.size(); ++block) block_of_.push_back(block);
  for (BlockIndex block = 0; block < graph_.size(); ++block) {
    if (beginning_[block] != block) block_of_.push_back(block);
  }
  block_of_.push_back(no_block);  // the end behind barriers
}

bool MeetingPlaces::only_ends(BlockIndex from, BlockIndex to) const {
  const IrBlock& target = function_.blocks[to];
  if (target.nodes.empty() && target.end.kind == IrEnd::Kind::exit) return true;
  const std::vector<BlockIndex>& ways = graph_.successors(from);
  return !leads_to_barrier_[to] &&
         std::any_of(ways.begin(), ways.end(), [this](BlockIndex other) { return leads_to_barrier_[other]; });
}

/// A loop that threads leave only to end would have no places to meet. In it, threads may be said to end at barriers,
/// where all are together; without barriers where they do.
FlowGraph MeetingPlaces::going_on() const {
  const auto blocks = static_cast<BlockIndex>(graph_.size());
  BlockIndex end = blocks;  // behind the beginnings
  for (const BlockIndex node : beginning_) end = std::max(end, node + 1);
  FlowGraph result(end + 1);
  std::vector<BlockIndex> left_to_end;
  for (BlockIndex from = 0; from < blocks; ++from) {
    if (beginning_[from] != from) result.connect(beginning_[from], from);
    for (const BlockIndex to : graph_.successors(from)) {
      if (only_ends(from, to))
        left_to_end.push_back(from);
      else
        result.connect(from, beginning_[to]);
    }
  }
  const auto end_at = [&](const std::vector<BlockIndex>& nodes) {
    const std::vector<bool> endless = without_end(result);
    for (const BlockIndex node : nodes) {
      if (endless[node]) result.connect(node, end);
    }
  };
  std::vector<BlockIndex> barriers = beginning_;
  std::erase_if(barriers, [&](BlockIndex node) { return node < blocks; });
  end_at(barriers);
  end_at(left_to_end);
  return result;
}

BlockIndex MeetingPlaces::parent(BlockIndex block) const {
  return parent_outside(block, std::vector<bool>(graph_.size()));
}

BlockIndex MeetingPlaces::parent_outside(BlockIndex block, const std::vector<bool>& loop) const {
  const DominatorTree& tree = goes_on(block) ? of_those_who_go_on_ : of_all_;
  BlockIndex node = tree.parent(block);
  while (node != no_block && block_of_[node] != no_block && loop[block_of_[node]]) node = tree.parent(node);
  return node == no_block ? no_block : block_of_[node];
}

bool MeetingPlaces::all_come(BlockIndex block, BlockIndex meeting) const {
  return goes_on(block) ? of_those_who_go_on_.dominates(beginning_[meeting], block) : of_all_.dominates(meeting, block);
}

bool MeetingPlaces::is_behind(BlockIndex later, BlockIndex sooner) const {
  if (later == sooner) return false;
  return goes_on(beginning_[sooner]) ? of_those_who_go_on_.dominates(beginning_[later], beginning_[sooner])
                                     : of_all_.dominates(later, sooner);
}

}  // namespace teslasim::compiler
