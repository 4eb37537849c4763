// SPDX-License-Identifier: Apache-2.0
// Which values differ between the threads of a warp, and so which branches part them.
//
// A value is uniform when all threads that compute it at once get the same. It differs when an argument does, when
// threads come to a phi on different ways, or when it is used behind a loop that threads left at different turns
// (Karrenberg and Hack 2011, "Whole-function vectorization"; Coutinho et al. 2011, "Divergence analysis and
// optimizations"). What is said to be uniform must be; the other way round only costs instructions.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"
#include "frontend/compiler/loops.h"
#include "frontend/compiler/meeting_places.h"

namespace teslasim::compiler {

/// Precondition: cycles have one entry each (`give_cycles_one_entry`).
class Divergence {
 public:
  explicit Divergence(const IrFunction& function);
  [[nodiscard]] bool differs(const IrArgument& argument) const {
    return !argument.is_constant() && differs_[argument.value];
  }
  /// Does the end of this block part threads?
  [[nodiscard]] bool parts(BlockIndex block) const;

 private:
  bool propagate();
  bool propagate_control();
  bool mark_phis(BlockIndex block);
  bool mark_used_outside(const NaturalLoop& loop);
  [[nodiscard]] bool starts_differing(const IrNode& node) const;
  [[nodiscard]] std::vector<bool> reached(BlockIndex from, BlockIndex end) const;

  const IrFunction& function_;
  FlowGraph graph_;
  MeetingPlaces meetings_;
  Loops loops_;
  std::vector<bool> differs_;
  std::vector<BlockIndex> places_;  ///< of nodes
};

}  // namespace teslasim::compiler
