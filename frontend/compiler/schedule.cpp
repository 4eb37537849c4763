// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "frontend/compiler/block_ends.h"
#include "frontend/compiler/block_schedule.h"
#include "frontend/compiler/occupancy_steps.h"
#include "frontend/compiler/short_pairs.h"
#include "frontend/compiler/spill_rewriter.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// What an order that takes more registers must save.
constexpr double worth_more_registers = 0.95;

/// A block and what is known of its orders.
struct BlockPlan {
  Dependences dependences;
  BlockValues values;
  double weight;
  BlockOrder given, least;
  unsigned given_pressure, least_pressure;
};

/// An order for each block, and what is expected of it.
struct Plan {
  std::vector<BlockOrder> orders{};
  double cycles = 0;
};

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
  Scheduler(const MachineFunction& function, const ScheduleOptions& options) : function_(function), options_(options) {
    const std::vector<LiveSet> ends = live_at_ends(function);
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
      Dependences dependences(function, block, ends[block]);
      BlockValues values(function, block, ends[block]);
      BlockOrder given = given_order(dependences.size());
      BlockOrder least = pressure_order(dependences, values);
      const unsigned given_pressure = values.pressure(given), least_pressure = values.pressure(least);
      blocks_.push_back({std::move(dependences), std::move(values),
                         std::pow(runs_of_a_loop, function.blocks[block].depth), std::move(given), std::move(least),
                         given_pressure, least_pressure});
      pressure_ = std::max(pressure_, std::min(given_pressure, least_pressure));
      given_pressure_ = std::max(given_pressure_, given_pressure);
    }
  }

  Result run() const {
    Result best = allocate(frugal());
    if (spills(best) || pressure_ > options_.most_registers) {
      if (given_pressure_ <= pressure_) return best;
      Result given = allocate(as_given());
      return expected_cost(given.function) < expected_cost(best.function) ? std::move(given) : std::move(best);
    }
    const unsigned needed = best.allocation.general_registers;
    const unsigned most =
        std::min(options_.most_registers, registers_of_same_occupancy(needed, options_.sm, options_.threads));
    const Plan tight = quick(pressure_);
    // What the allocator needs beyond what is live at once.
    const unsigned loss = needed > pressure_ ? needed - pressure_ : 0;
    const Plan wide = quick_with_few(most - loss);
    if (wide.cycles < worth_more_registers * tight.cycles) {
      Result result = allocate(wide);
      if (!spills(result) && result.allocation.general_registers <= most) return result;
    }
    Result result = allocate(tight);
    if (!spills(result) && result.allocation.general_registers <= needed) return result;
    return best;
  }

 private:
  [[nodiscard]] bool spills(const Result& result) const { return result.function.local_bytes != function_.local_bytes; }

  /// Another order than the given one only where that needs too many registers.
  [[nodiscard]] Plan frugal() const {
    Plan plan;
    for (const BlockPlan& block : blocks_)
      add(plan, block, block.given_pressure <= pressure_ ? block.given : block.least);
    return plan;
  }
  [[nodiscard]] Plan as_given() const {
    Plan plan;
    for (const BlockPlan& block : blocks_) add(plan, block, block.given);
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
      add(plan, block, gains && block.values.pressure(order) <= std::max(registers, pressure_) ? order : usual);
    }
    return plan;
  }

  /// Of orders that wait about as little as any other, the one with fewest registers. More are not always better: loads
  /// that stand early hold the ones behind them up.
  [[nodiscard]] Plan quick_with_few(unsigned most) const {
    constexpr unsigned tries = 8;
    constexpr double as_good = 1.01;
    std::vector<Plan> plans{quick(most)};
    const unsigned spare = most > pressure_ ? most - pressure_ : 0, step = 1 + spare / tries;
    for (unsigned less = step; less <= spare; less += step) plans.push_back(quick(most - less));
    const auto quickest =
        std::min_element(plans.begin(), plans.end(), [](const Plan& a, const Plan& b) { return a.cycles < b.cycles; });
    const double enough = as_good * quickest->cycles;
    return *std::find_if(plans.rbegin(), plans.rend(), [&](const Plan& plan) { return plan.cycles <= enough; });
  }

  static void add(Plan& plan, const BlockPlan& block, const BlockOrder& order) {
    const auto issues = static_cast<double>(shared_issue_interval * order.size());
    plan.cycles += block.weight * (issues + waiting_cycles(block.dependences, order, shared_issue_interval));
    plan.orders.push_back(order);
  }

  [[nodiscard]] Result allocate(const Plan& plan) const {
    Result result{function_, {}};
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      SIM_CHECK(is_allowed(blocks_[block].dependences, plan.orders[block]), "an order that breaks a dependence");
      const BlockOrder order = with_good_ends(function_, block, blocks_[block].dependences, plan.orders[block]);
      std::vector<MachineInstruction> code;
      for (const InstructionIndex one : order) code.push_back(function_.blocks[block].code[one]);
      result.function.blocks[block].code = std::move(code);
    }
    result.allocation = allocate_registers(result.function, options_.most_registers);
    return result;
  }

  const MachineFunction& function_;
  const ScheduleOptions& options_;
  std::vector<BlockPlan> blocks_{};
  unsigned pressure_ = 0;        ///< of the order that needs least
  unsigned given_pressure_ = 0;  ///< of the order as given
};

}  // namespace

RegisterAllocation schedule_and_allocate(MachineFunction& function, const ScheduleOptions& options) {
  Result result = Scheduler(function, options).run();
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
