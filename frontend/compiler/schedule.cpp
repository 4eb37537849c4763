// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/schedule.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/compiler/block_ends.h"
#include "frontend/compiler/block_schedule.h"
#include "frontend/compiler/short_pairs.h"
#include "frontend/compiler/source_order.h"
#include "frontend/compiler/spill_rewriter.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// A block and what is known of its orders.
struct BlockPlan {
  Dependences dependences;
  BlockValues values;
  BlockOrder source, given, least;
  unsigned given_pressure, least_pressure;
};

/// An order for each block.
using Plan = std::vector<BlockOrder>;

struct Result {
  MachineFunction function;
  RegisterAllocation allocation;
};

/// Instructions issued, if a loop runs ten times; what goes through local memory counts more.
double expected_cost(const MachineFunction& function) {
  double cost = 0;
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInstruction& one : block.code) {
      const Opcode opcode = one.instruction.opcode;
      const bool local = opcode == Opcode::load_local || opcode == Opcode::store_local;
      cost += std::pow(runs_of_a_loop, block.depth) * (local ? local_access_cost : 1);
    }
  }
  return cost;
}

class Scheduler {
 public:
  Scheduler(const MachineFunction& function, unsigned most_registers)
      : function_(function), most_registers_(most_registers) {
    const std::vector<LiveSet> ends = live_at_ends(function);
    const CopyTargets copies = copy_targets(function);
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
      Dependences dependences(function, block, ends[block]);
      BlockValues values(function, block, ends[block]);
      BlockOrder source = source_order(function, block, dependences, copies);
      BlockOrder given = given_order(dependences.size());
      BlockOrder least = pressure_order(dependences, values);
      const unsigned given_pressure = values.pressure(given), least_pressure = values.pressure(least);
      blocks_.push_back({std::move(dependences), std::move(values), std::move(source), std::move(given),
                         std::move(least), given_pressure, least_pressure});
      pressure_ = std::max(pressure_, std::min(given_pressure, least_pressure));
      given_pressure_ = std::max(given_pressure_, given_pressure);
    }
  }

  Result run() const {
    if (std::optional<Result> usual = in_source_order()) return *std::move(usual);
    Result best = allocate(frugal());
    if (spills(best) || pressure_ > most_registers_) {
      if (given_pressure_ <= pressure_) return best;
      Result given = allocate(as_given());
      return expected_cost(given.function) < expected_cost(best.function) ? std::move(given) : std::move(best);
    }
    const unsigned needed = best.allocation.general_registers;
    Result result = allocate(quick(pressure_));
    return !spills(result) && result.allocation.general_registers <= needed ? std::move(result) : std::move(best);
  }

 private:
  [[nodiscard]] bool spills(const Result& result) const { return result.function.local_bytes != function_.local_bytes; }

  /// Nothing when that takes more registers than there are.
  [[nodiscard]] std::optional<Result> in_source_order() const {
    Plan plan;
    for (const BlockPlan& block : blocks_) {
      if (block.values.pressure(block.source) > most_registers_) return std::nullopt;
      plan.push_back(block.source);
    }
    Result result = allocate(plan);
    return spills(result) ? std::nullopt : std::optional(std::move(result));
  }
  /// Another order than the given one only where that needs too many registers.
  [[nodiscard]] Plan frugal() const {
    Plan plan;
    for (const BlockPlan& block : blocks_)
      plan.push_back(block.given_pressure <= pressure_ ? block.given : block.least);
    return plan;
  }
  [[nodiscard]] Plan as_given() const {
    Plan plan;
    for (const BlockPlan& block : blocks_) plan.push_back(block.given);
    return plan;
  }
  /// What waits least with so many registers; nothing changes its place for no gain.
  [[nodiscard]] Plan quick(unsigned registers) const {
    Plan plan;
    for (const BlockPlan& block : blocks_) {
      const bool fits = block.given_pressure <= registers;
      const BlockOrder& usual = fits ? block.given : block.least;
      BlockOrder order = latency_order(block.dependences, block.values, registers);
      const bool gains = waiting_cycles(block.dependences, order, issue_interval) <
                         waiting_cycles(block.dependences, usual, issue_interval);
      plan.push_back(gains && block.values.pressure(order) <= std::max(registers, pressure_) ? order : usual);
    }
    return plan;
  }

  [[nodiscard]] Result allocate(const Plan& plan) const {
    Result result{function_, {}};
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      SIM_CHECK(is_allowed(blocks_[block].dependences, plan[block]), "an order that breaks a dependence");
      const BlockOrder order = with_good_ends(function_, block, blocks_[block].dependences, plan[block]);
      std::vector<MachineInstruction> code;
      for (const InstructionIndex one : order) code.push_back(function_.blocks[block].code[one]);
      result.function.blocks[block].code = std::move(code);
    }
    result.allocation = allocate_registers(result.function, most_registers_);
    return result;
  }

  const MachineFunction& function_;
  unsigned most_registers_;
  std::vector<BlockPlan> blocks_{};
  unsigned pressure_ = 0;        ///< of the order that needs least
  unsigned given_pressure_ = 0;  ///< of the order as given
};

}  // namespace

RegisterAllocation schedule_and_allocate(MachineFunction& function, unsigned most_registers) {
  Result result = Scheduler(function, most_registers).run();
  function = std::move(result.function);
  pair_short_forms(function, result.allocation);
  remove_fences(function);
  return std::move(result.allocation);
}

void remove_fences(MachineFunction& function) {
  for (MachineBlock& block : function.blocks)
    std::erase_if(block.code, [](const MachineInstruction& one) { return one.order_only; });
}

}  // namespace teslasim::compiler
