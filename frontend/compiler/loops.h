// SPDX-License-Identifier: Apache-2.0
// Natural loops: a header that dominates the source of an edge back to it, and the blocks between.
//
// Source: Aho, Lam, Sethi, Ullman 2006, Compilers, section 9.6.6.
#pragma once

#include <vector>

#include "frontend/compiler/flow_graph.h"

namespace teslasim::compiler {

struct NaturalLoop {
  BlockIndex header = no_block;
  std::vector<bool> contains{};
};

/// Of the edges from `latches` back to `header`, which must dominate them.
[[nodiscard]] NaturalLoop loop_of(const FlowGraph& graph, BlockIndex header, const std::vector<BlockIndex>& latches);

/// The only block from which the loop is entered, if it leads nowhere else; no_block: there is none.
[[nodiscard]] BlockIndex preheader(const FlowGraph& graph, const NaturalLoop& loop);

class Loops {
 public:
  explicit Loops(const FlowGraph& graph);
  /// Number of loops around a block.
  [[nodiscard]] unsigned depth(BlockIndex block) const;
  /// Inner loops before outer ones.
  [[nodiscard]] const std::vector<NaturalLoop>& all() const { return loops_; }

 private:
  std::vector<NaturalLoop> loops_{};
};

}  // namespace teslasim::compiler
