// SPDX-License-Identifier: Apache-2.0
// Interval analysis: a representative warp alternates between issuing and stalling; other warps fill its stalls. Gives
// a CPI stack, to be put beside the simulated one.
#include <algorithm>
#include <string>
#include <vector>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double giga = 1e9;

struct Interval {
  double instructions = 0.0, stall = 0.0, count = 1.0;
  bool memory = false;
};

std::vector<Interval> intervals_of(Evaluation& e) {
  std::vector<Interval> intervals;
  for (int i = 0; e.has("interval." + std::to_string(i) + ".instructions"); ++i) {
    const std::string name = "interval." + std::to_string(i);
    Interval interval;
    interval.instructions = e.need(name + ".instructions");
    interval.stall = e.need(name + ".stall");
    if (e.has(name + ".count")) interval.count = e.need(name + ".count");
    interval.memory = e.has(name + ".memory") && e.need(name + ".memory") > 0.5;
    intervals.push_back(interval);
  }
  return intervals;
}

struct Stack {
  double base = 0.0, compute = 0.0, memory = 0.0;
  [[nodiscard]] double total() const { return base + compute + memory; }
};

/// The totals of the representative warp, and what of its stalls `others` further warps cannot fill.
Stack stack_of(Evaluation& e, const std::vector<Interval>& intervals, double others, double rate, bool greedy) {
  double issued = 0.0, stalled = 0.0, count = 0.0;
  for (const Interval& interval : intervals) {
    issued += interval.count * interval.instructions;
    stalled += interval.count * interval.stall;
    count += interval.count;
  }
  if (issued <= 0.0) e.refuse("the representative warp issues nothing");
  const double probability = issued / (issued + stalled);
  const double average = issued / count;
  e.term("issue_probability", probability, "", "share of its time in which the warp alone would issue");
  Stack stack;
  for (const Interval& interval : intervals) {
    const double own = interval.instructions / rate;
    const double other = others * (greedy ? average : interval.instructions) / rate;
    const double hidden =
        greedy ? std::min(interval.stall * probability, 1.0) * others * average : others * probability;
    const double left = std::max(interval.stall - hidden / rate, 0.0) * interval.count;
    stack.base += interval.count * (own + other);
    (interval.memory ? stack.memory : stack.compute) += left;
  }
  return stack;
}

/// The components of a stack that someone else published.
void published_stack(Evaluation& e) {
  double sum = 0.0;
  for (const char* part : {"cpi_base", "cpi_compute_data", "cpi_compute_structure", "cpi_memory_data",
                           "cpi_memory_structure", "cpi_idle"}) {
    if (e.has(part)) sum += e.need(part);
  }
  if (sum > 0.0) e.term("cpi_stack_sum", sum, "cycles", "per thread instruction");
  if (e.has_all({"total_cycles", "thread_instructions"})) {
    e.term("cpi", e.need("total_cycles") / e.need("thread_instructions"), "cycles", "per thread instruction");
  }
}

}  // namespace

void evaluate_intervals(Evaluation& e) {
  published_stack(e);
  const std::vector<Interval> intervals = intervals_of(e);
  if (intervals.empty()) {
    e.refuse(
        "it needs the intervals of a representative warp (interval.0.instructions, ...): `teslasim models` takes "
        "them from a functional pre-run");
  }
  e.require({"warps", "issue_rate"});
  const double warps = e.need("warps"), rate = e.need("issue_rate");
  const bool greedy = e.has("scheduler_policy") && e.word("scheduler_policy") == "gto";
  const Stack stack = stack_of(e, intervals, warps - 1.0, rate, greedy);
  e.term("base", stack.base, "cycles", "issuing, of all warps");
  e.term("compute_data", stack.compute, "cycles", "stalls for arithmetic results that no other warp fills");
  e.term("memory_data", stack.memory, "cycles", "stalls for global loads that no other warp fills");
  e.term("cycles", stack.total(), "cycles", "one group of resident blocks");
  e.bound(stack.base >= stack.compute + stack.memory ? "issue"
          : stack.memory > stack.compute             ? "memory"
                                                     : "dependencies");
  if (!e.has_all({"group_waves", "shader_ghz"})) return;
  e.seconds(stack.total() * e.need("group_waves") / (e.need("shader_ghz") * giga));
  e.note("barriers, bank conflicts beyond their own latency and memory queues are not in the stack");
}

}  // namespace teslasim
