// SPDX-License-Identifier: Apache-2.0
// A warp of a few lanes that walks the blocks of a function with the chip's stack of joins.
//
// Knows what decides ways: phis, thread_index (the test says what each lane gets), words that all lanes load, equality
// of words. Stands for the branch unit as far as joins need it: `announces` push, `joins` pops one entry, a branch that
// parts lanes parks those that are not taken, lanes that end leave what they pushed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler::testing {

class SmallWarp {
 public:
  static constexpr std::uint32_t lanes = 6;
  static constexpr std::uint32_t all_lanes = (1U << lanes) - 1;
  /// What `lane` gets from a node (thread_index, or load: lane 0 is asked for all).
  using Oracle = std::function<std::uint32_t(NodeIndex, std::uint32_t lane)>;

  SmallWarp(const IrFunction& function, Oracle oracle)
      : function_(function), oracle_(std::move(oracle)), values_(function.values.size()) {}

  /// What went wrong first; empty: all lanes have ended, and came to barriers and uniform branches together.
  std::string run() {
    block_ = 0;
    while (active_ != 0 && problem_.empty()) {
      if (++steps_ > most_steps) return "does not end";
      step();
    }
    return problem_;
  }
  /// Blocks that the warp ran: what lanes that go on apart cost.
  [[nodiscard]] unsigned steps() const { return steps_; }

 private:
  static constexpr unsigned most_steps = 20'000;
  struct Entry {
    bool branch = false;  ///< else a join
    BlockIndex block = no_block;
    std::uint32_t mask = 0;
  };
  using Words = std::array<std::uint32_t, lanes>;

  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what + " in B" + std::to_string(block_);
  }
  [[nodiscard]] std::uint32_t read(const IrArgument& argument, std::uint32_t lane) const {
    return argument.is_constant() ? argument.constant : values_[argument.value][lane];
  }

  void step() {
    const IrBlock& block = function_.blocks[block_];
    for (const NodeIndex index : block.nodes) execute(index);
    for (const BlockIndex meeting : block.announces) stack_.push_back({false, meeting, active_});
    if (block.end.kind == IrEnd::Kind::exit) {
      ended_ |= active_;
      unwind();
      return;
    }
    std::uint32_t taken = active_;
    if (block.end.kind == IrEnd::Kind::branch) {
      taken = 0;
      for_each_active([&](std::uint32_t lane) { taken |= read(block.end.condition, lane) != 0 ? 1U << lane : 0U; });
    }
    const std::uint32_t others = active_ & ~taken;
    if (block.end.uniform && taken != 0 && others != 0) fail("a uniform branch parts lanes");
    if (others != 0) pass_edge(block_, block.end.target[1], others);
    if (taken != 0) pass_edge(block_, block.end.target[0], taken);
    if (taken != 0 && others != 0) stack_.push_back({true, block.end.target[1], others});
    active_ = taken != 0 ? taken : others;
    enter(block.end.target[taken != 0 ? 0 : 1]);
  }

  template <typename Function>
  void for_each_active(const Function& function) const {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if ((active_ >> lane & 1U) != 0) function(lane);
    }
  }

  /// Lanes that come to a barrier later. Who is parked on a way that only ends is not waited for.
  [[nodiscard]] std::uint32_t missing() const {
    std::uint32_t open = all_lanes & ~ended_ & ~active_, result = 0;
    for (auto entry = stack_.rbegin(); entry != stack_.rend(); ++entry) {
      if (entry->branch && (entry->mask & open) != 0 && leads_to_barrier(entry->block)) result |= entry->mask & open;
      if (entry->branch) open &= ~entry->mask;
    }
    return result;
  }
  [[nodiscard]] bool leads_to_barrier(BlockIndex from) const {
    std::vector<bool> seen(function_.blocks.size());
    std::vector<BlockIndex> waiting{from};
    while (!waiting.empty()) {
      const BlockIndex block = waiting.back();
      waiting.pop_back();
      if (block == no_block || seen[block]) continue;
      seen[block] = true;
      const IrBlock& one = function_.blocks[block];
      for (const NodeIndex node : one.nodes) {
        if (function_.nodes[node].operation == IrOperation::barrier) return true;
      }
      const std::size_t ways = function_.successors(block);
      for (std::size_t way = 0; way < ways; ++way) waiting.push_back(one.end.target[way]);
    }
    return false;
  }

  void execute(NodeIndex index) {
    const IrNode& node = function_.nodes[index];
    if (node.operation == IrOperation::barrier && missing() != 0) fail("lanes are apart at a barrier");
    if (node.results.empty() || node.operation == IrOperation::phi) return;
    const std::uint32_t loaded = node.operation == IrOperation::load ? oracle_(index, 0) : 0;
    for_each_active([&](std::uint32_t lane) {
      std::uint32_t& result = values_[node.results[0]][lane];
      if (node.operation == IrOperation::load)
        result = loaded;
      else if (node.operation == IrOperation::compare)
        result = read(node.arguments[0], lane) == read(node.arguments[1], lane) ? ~0U : 0U;
      else
        result = oracle_(index, lane);
    });
  }

  /// Phis are assigned on the edge, all at once.
  void pass_edge(BlockIndex from, BlockIndex to, std::uint32_t mask) {
    const IrBlock& block = function_.blocks[to];
    std::size_t way = 0;
    while (block.predecessors[way] != from) ++way;
    const std::vector<Words> before = values_;
    for (const NodeIndex index : block.nodes) {
      const IrNode& node = function_.nodes[index];
      if (node.operation != IrOperation::phi) break;
      const IrArgument& argument = node.arguments[way];
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if ((mask >> lane & 1U) != 0)
          values_[node.results[0]][lane] = argument.is_constant() ? argument.constant : before[argument.value][lane];
      }
    }
  }

  void enter(BlockIndex block) {
    block_ = block;
    while (function_.blocks[block_].joins) {
      if (stack_.empty()) return fail("nothing to join");
      const Entry top = stack_.back();
      stack_.pop_back();
      active_ = top.mask & ~ended_;
      if (active_ == 0) return unwind();
      if (!top.branch && top.block != block_) return fail("joins what was pushed for B" + std::to_string(top.block));
      block_ = top.block;
      if (!top.branch) return;
    }
  }

  void unwind() {
    active_ = 0;
    while (!stack_.empty()) {
      const Entry top = stack_.back();
      stack_.pop_back();
      active_ = top.mask & ~ended_;
      if (active_ == 0) continue;
      block_ = top.block;
      if (top.branch) enter(top.block);
      return;
    }
  }

  const IrFunction& function_;
  Oracle oracle_;
  std::vector<Words> values_;
  std::vector<Entry> stack_{};
  BlockIndex block_ = 0;
  std::uint32_t active_ = all_lanes, ended_ = 0;
  unsigned steps_ = 0;
  std::string problem_{};
};

}  // namespace teslasim::compiler::testing
