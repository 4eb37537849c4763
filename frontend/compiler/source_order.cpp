// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/source_order.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// Instructions from one to the first that may read its result, itself counted.
constexpr unsigned near_distance = 2, far_load_distance = 3;

/// The instructions of a 32-bit product wait for each other (Wong et al. 2010: 120 cycles for four and a sum).
bool is_part_of_product(const Instruction& one) {
  return one.opcode == Opcode::mul || one.opcode == Opcode::mad;
}

unsigned distance_of(const Instruction& writer, LatencyCycles latency) {
  if (latency >= least_far_latency) return far_load_distance;
  return latency > 0 && !is_part_of_product(writer) ? near_distance : 1;
}

using Instructions = std::vector<InstructionIndex>;

/// What depends on `from`, directly or not.
std::vector<bool> dependents(const Dependences& dependences, InstructionIndex from) {
  std::vector<bool> found(dependences.size());
  Instructions left{from};
  while (!left.empty()) {
    const InstructionIndex one = left.back();
    left.pop_back();
    for (const Dependence& next : dependences.successors(one)) {
      if (found[next.to]) continue;
      found[next.to] = true;
      left.push_back(next.to);
    }
  }
  return found;
}

/// For each instruction, those behind it that read a register which it had better write after them.
std::vector<Instructions> better_before(const MachineFunction& function, BlockIndex block,
                                        const Dependences& dependences, const CopyTargets& copies) {
  const std::vector<MachineInstruction>& code = function.blocks[block].code;
  std::unordered_map<VirtualRegister, Instructions> readers;
  for (InstructionIndex at = 0; at < code.size(); ++at)
    for_each_read(code[at], [&](VirtualRegister one) { readers[one].push_back(at); });
  std::vector<Instructions> result(code.size());
  for (InstructionIndex at = 0; at < code.size(); ++at) {
    if (code[at].result.size() != 1 || is_copy(code[at]) || is_far_load(code[at].instruction)) continue;
    const auto [first, last] = copies.equal_range(code[at].result[0]);
    for (auto copy = first; copy != last; ++copy) {
      const auto old = readers.find(copy->second);
      if (old == readers.end() || old->second.back() <= at) continue;
      const std::vector<bool> later = dependents(dependences, at);
      std::copy_if(old->second.begin(), old->second.end(), std::back_inserter(result[at]),
                   [&](InstructionIndex reader) { return reader > at && !later[reader]; });
    }
  }
  return result;
}

class SourceOrder {
 public:
  SourceOrder(const std::vector<MachineInstruction>& code, const Dependences& dependences,
              const std::vector<Instructions>& better_before)
      : code_(code),
        dependences_(dependences),
        missing_(dependences.size()),
        readers_left_(dependences.size()),
        delays_(dependences.size()),
        earliest_(dependences.size()) {
    for (InstructionIndex one = 0; one < dependences.size(); ++one) {
      readers_left_[one] = better_before[one].size();
      for (const InstructionIndex reader : better_before[one]) delays_[reader].push_back(one);
    }
    for (InstructionIndex one = 0; one < dependences.size(); ++one) {
      missing_[one] = dependences.predecessors(one).size();
      if (missing_[one] == 0) make_ready(one);
    }
  }

  BlockOrder run() {
    while (!available_.empty() || !waiting_.empty()) issue(best());
    SIM_CHECK(order_.size() == dependences_.size(), "dependences in a circle");
    return std::move(order_);
  }

 private:
  void make_ready(InstructionIndex one) { waiting_.emplace(earliest_[one], one); }
  [[nodiscard]] bool is_delayed(InstructionIndex one) const { return readers_left_[one] != 0; }

  /// The first in the source of those that need not wait; else the one that waits least. What had better come behind
  /// others waits for them as long as there is anything else.
  [[nodiscard]] InstructionIndex best() {
    while (!waiting_.empty() && waiting_.begin()->first <= now_) {
      const InstructionIndex one = waiting_.begin()->second;
      available_.emplace(is_delayed(one), one);
      waiting_.erase(waiting_.begin());
    }
    if (!available_.empty() && !available_.begin()->first) return available_.begin()->second;
    const auto next =
        std::find_if(waiting_.begin(), waiting_.end(),
                     [this](const std::pair<unsigned, InstructionIndex>& one) { return !is_delayed(one.second); });
    if (next != waiting_.end()) return next->second;
    return available_.empty() ? waiting_.begin()->second : available_.begin()->second;
  }

  void issue(InstructionIndex one) {
    available_.erase({is_delayed(one), one});
    waiting_.erase({earliest_[one], one});
    now_ = std::max(now_, earliest_[one]);
    order_.push_back(one);
    for (const Dependence& next : dependences_.successors(one)) {
      earliest_[next.to] = std::max(earliest_[next.to], now_ + distance_of(code_[one].instruction, next.latency));
      if (--missing_[next.to] == 0) make_ready(next.to);
    }
    for (const InstructionIndex definition : delays_[one]) {
      const bool was_available = available_.erase({is_delayed(definition), definition}) != 0;
      --readers_left_[definition];
      if (was_available) available_.emplace(is_delayed(definition), definition);
    }
    ++now_;
  }

  const std::vector<MachineInstruction>& code_;
  const Dependences& dependences_;
  std::vector<std::size_t> missing_, readers_left_;
  std::vector<Instructions> delays_;  ///< by reader: what had better come behind it
  std::vector<unsigned> earliest_;
  std::set<std::pair<bool, InstructionIndex>> available_{};    ///< ready: those that are delayed last
  std::set<std::pair<unsigned, InstructionIndex>> waiting_{};  ///< ready from a place on
  BlockOrder order_{};
  unsigned now_ = 0;  ///< instructions, and gaps that nothing fills
};

}  // namespace

CopyTargets copy_targets(const MachineFunction& function) {
  CopyTargets targets;
  const std::vector<unsigned> definitions = function.definitions();
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInstruction& one : block.code) {
      if (!is_copy(one)) continue;
      const VirtualRegister from = one.source[0][0];
      if (definitions[from] == 1) targets.emplace(from, one.result[0]);
    }
  }
  return targets;
}

BlockOrder source_order(const MachineFunction& function, BlockIndex block, const Dependences& dependences,
                        const CopyTargets& copies) {
  const auto is_here = [block](const MachineRoutine& one) { return one.block == block; };
  if (std::any_of(function.routines.begin(), function.routines.end(), is_here)) return given_order(dependences.size());
  return SourceOrder(function.blocks[block].code, dependences, better_before(function, block, dependences, copies))
      .run();
}

}  // namespace teslasim::compiler
