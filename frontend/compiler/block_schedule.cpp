// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/block_schedule.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace teslasim::compiler {
namespace {

/// Instructions all of whose predecessors stand, or all of whose successors.
class ReadyList {
 public:
  explicit ReadyList(std::size_t instructions) : missing_(instructions) {}
  void expect(InstructionIndex one, std::size_t others) {
    missing_[one] = others;
    if (others == 0) ready_.push_back(one);
  }
  void arrive(InstructionIndex one) {
    if (--missing_[one] == 0) ready_.push_back(one);
  }
  [[nodiscard]] const std::vector<InstructionIndex>& ready() const { return ready_; }
  void take(InstructionIndex one) { std::erase(ready_, one); }

 private:
  std::vector<std::size_t> missing_;
  std::vector<InstructionIndex> ready_{};
};

class LatencyScheduler {
 public:
  LatencyScheduler(const Dependences& dependences, const BlockValues& values, unsigned registers)
      : dependences_(dependences),
        registers_(registers),
        pressure_(values),
        ready_(dependences.size()),
        earliest_(dependences.size()) {
    for (InstructionIndex one = 0; one < dependences.size(); ++one)
      ready_.expect(one, dependences.predecessors(one).size());
  }

  BlockOrder run() {
    while (!ready_.ready().empty()) issue(best());
    return std::move(order_);
  }
  [[nodiscard]] unsigned pressure() const { return pressure_.most(); }

 private:
  /// Smaller is better.
  using Rank = std::tuple<bool, int, LatencyCycles, LatencyCycles, int, InstructionIndex>;

  [[nodiscard]] Rank rank(InstructionIndex one) const {
    const int change = pressure_.change(one);
    const bool fits = change <= 0 || pressure_.live() + static_cast<unsigned>(change) <= registers_;
    if (!fits) return {true, 0, 0, 0, 0, one};
    const LatencyCycles wait = earliest_[one] > now_ ? earliest_[one] - now_ : 0;
    const LatencyCycles longest = ~LatencyCycles{0} - dependences_.height(one);
    // With no register to spare, freeing one comes before everything.
    const int freed = pressure_.live() >= registers_ ? change : 0;
    return {false, freed, wait, longest, change, one};
  }

  [[nodiscard]] InstructionIndex best() const {
    return *std::min_element(ready_.ready().begin(), ready_.ready().end(),
                             [this](InstructionIndex a, InstructionIndex b) { return rank(a) < rank(b); });
  }

  void issue(InstructionIndex one) {
    ready_.take(one);
    now_ = std::max(now_, earliest_[one]);
    for (const Dependence& next : dependences_.successors(one)) {
      earliest_[next.to] = std::max(earliest_[next.to], now_ + next.latency);
      ready_.arrive(next.to);
    }
    now_ += issue_interval;
    pressure_.issue(one);
    order_.push_back(one);
  }

  const Dependences& dependences_;
  unsigned registers_;
  ForwardPressure pressure_;
  ReadyList ready_;
  std::vector<LatencyCycles> earliest_;
  LatencyCycles now_ = 0;
  BlockOrder order_{};
};

/// Builds the order from its end.
class PressureScheduler {
 public:
  PressureScheduler(const Dependences& dependences, const BlockValues& values)
      : dependences_(dependences),
        values_(values),
        ready_(dependences.size()),
        live_(values.values().size()),
        wanted_at_(dependences.size()) {
    for (InstructionIndex one = 0; one < dependences.size(); ++one)
      ready_.expect(one, dependences.successors(one).size());
    for (BlockValue value = 0; value < values.values().size(); ++value) live_[value] = values.values()[value].live_out;
  }

  BlockOrder run() {
    while (!ready_.ready().empty()) place(best());
    std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  using Rank = std::tuple<int, std::size_t, InstructionIndex>;

  /// Registers that are live before the instruction and not behind it.
  [[nodiscard]] int change(InstructionIndex one) const {
    int change = 0;
    for (const BlockValue value : values_.accessed(one)) change += live_[value] ? 0 : 1;
    for (const BlockValue value : values_.made(one)) change -= live_[value] ? 1 : 0;
    return change;
  }
  /// Larger is better: what ends most lives, then what was wanted last, then the order as given.
  [[nodiscard]] Rank rank(InstructionIndex one) const { return {-change(one), wanted_at_[one], one}; }

  [[nodiscard]] InstructionIndex best() const {
    return *std::max_element(ready_.ready().begin(), ready_.ready().end(),
                             [this](InstructionIndex a, InstructionIndex b) { return rank(a) < rank(b); });
  }

  void place(InstructionIndex one) {
    ready_.take(one);
    order_.push_back(one);
    for (const BlockValue value : values_.made(one)) live_[value] = false;
    for (const BlockValue value : values_.accessed(one)) live_[value] = true;
    for (const InstructionIndex before : dependences_.predecessors(one)) {
      wanted_at_[before] = order_.size();
      ready_.arrive(before);
    }
  }

  const Dependences& dependences_;
  const BlockValues& values_;
  ReadyList ready_;
  std::vector<bool> live_;
  std::vector<std::size_t> wanted_at_;
  BlockOrder order_{};
};

}  // namespace

BlockOrder given_order(std::size_t instructions) {
  BlockOrder order(instructions);
  std::iota(order.begin(), order.end(), InstructionIndex{0});
  return order;
}

BlockOrder latency_order(const Dependences& dependences, const BlockValues& values, unsigned registers) {
  constexpr unsigned step = 2, tries = 4;
  for (unsigned attempt = 0; attempt < tries && attempt * step < registers; ++attempt) {
    LatencyScheduler scheduler(dependences, values, registers - attempt * step);
    BlockOrder order = scheduler.run();
    if (scheduler.pressure() <= registers) return order;
  }
  return given_order(dependences.size());
}

BlockOrder pressure_order(const Dependences& dependences, const BlockValues& values) {
  return PressureScheduler(dependences, values).run();
}

double waiting_cycles(const Dependences& dependences, const BlockOrder& order, LatencyCycles interval) {
  std::vector<LatencyCycles> earliest(dependences.size());
  LatencyCycles now = 0, waiting = 0;
  for (const InstructionIndex one : order) {
    if (earliest[one] > now) {
      waiting += earliest[one] - now;
      now = earliest[one];
    }
    for (const Dependence& next : dependences.successors(one))
      earliest[next.to] = std::max(earliest[next.to], now + next.latency);
    now += interval;
  }
  return waiting;
}

bool is_allowed(const Dependences& dependences, const BlockOrder& order) {
  if (order.size() != dependences.size()) return false;
  std::vector<bool> placed(order.size());
  for (const InstructionIndex one : order) {
    if (one >= placed.size() || placed[one]) return false;
    const std::vector<InstructionIndex>& before = dependences.predecessors(one);
    if (!std::all_of(before.begin(), before.end(), [&](InstructionIndex other) { return placed[other]; })) return false;
    placed[one] = true;
  }
  return true;
}

}  // namespace teslasim::compiler
