// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/components.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace teslasim::compiler {
namespace {

class Components {
 public:
  Components(const FlowGraph& graph, const std::vector<BlockIndex>& within)
      : graph_(graph), within_(graph.size()), number_(graph.size()), lowest_(graph.size()), waits_(graph.size()) {
    for (const BlockIndex block : within) within_[block] = true;
    for (const BlockIndex block : within) {
      if (number_[block] == 0) walk(block);
    }
  }

  std::vector<std::vector<BlockIndex>> take() { return std::move(cycles_); }

 private:
  struct Step {
    BlockIndex block;
    std::size_t next;  ///< successor to look at
  };

  void enter(BlockIndex block) {
    number_[block] = lowest_[block] = ++entered_;
    waits_[block] = true;
    waiting_.push_back(block);
    steps_.push_back({block, 0});
  }

  void walk(BlockIndex start) {
    enter(start);
    while (!steps_.empty()) {
      const BlockIndex block = steps_.back().block;
      if (steps_.back().next < graph_.successors(block).size()) {
        const BlockIndex next = graph_.successors(block)[steps_.back().next++];
        if (!within_[next]) continue;
        if (number_[next] == 0)
          enter(next);
        else if (waits_[next])
          lowest_[block] = std::min(lowest_[block], number_[next]);
        continue;
      }
      steps_.pop_back();
      if (!steps_.empty()) lowest_[steps_.back().block] = std::min(lowest_[steps_.back().block], lowest_[block]);
      if (lowest_[block] == number_[block]) finish(block);
    }
  }

  void finish(BlockIndex root) {
    std::vector<BlockIndex> component;
    BlockIndex block = no_block;
    while (block != root) {
      block = waiting_.back();
      waiting_.pop_back();
      waits_[block] = false;
      component.push_back(block);
    }
    const std::vector<BlockIndex>& next = graph_.successors(root);
    const bool loops = component.size() > 1 || std::find(next.begin(), next.end(), root) != next.end();
    if (!loops) return;
    std::sort(component.begin(), component.end());
    cycles_.push_back(std::move(component));
  }

  const FlowGraph& graph_;
  std::vector<bool> within_;
  std::vector<std::uint32_t> number_, lowest_;  ///< from 1 in the order of the walk; 0: not seen
  std::vector<bool> waits_;
  std::vector<BlockIndex> waiting_{};
  std::vector<Step> steps_{};
  std::uint32_t entered_ = 0;
  std::vector<std::vector<BlockIndex>> cycles_{};
};

}  // namespace

std::vector<std::vector<BlockIndex>> cycles_among(const FlowGraph& graph, const std::vector<BlockIndex>& within) {
  return Components(graph, within).take();
}

}  // namespace teslasim::compiler
