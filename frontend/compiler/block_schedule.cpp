// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/block_schedule.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// Counts the instructions that must stand before (or behind) each other one.
class MissingOnes {
 public:
  explicit MissingOnes(std::size_t instructions) : missing_(instructions) {}
  void expect(InstructionIndex one, std::size_t others) { missing_[one] = others; }
  /// One of them stands. Returns whether all do.
  bool arrive(InstructionIndex one) { return --missing_[one] == 0; }

 private:
  std::vector<std::size_t> missing_;
};

constexpr int in_no_bucket = std::numeric_limits<int>::max();

/// Which of the instructions that are ready stands in which bucket: by the registers that it adds. What moves to
/// another bucket leaves an entry behind, which is dropped when it gets to the top of its heap.
class Buckets {
 public:
  explicit Buckets(std::size_t instructions) : bucket_of_(instructions, in_no_bucket) {}
  void enter(InstructionIndex one, int change) { bucket_of_[one] = change; }
  void leave(InstructionIndex one) { bucket_of_[one] = in_no_bucket; }
  [[nodiscard]] bool contains(InstructionIndex one) const { return bucket_of_[one] != in_no_bucket; }
  /// Removes what is no longer in this bucket from the top; `index` names the instruction of an entry.
  template <typename Heap, typename Index>
  void clean(Heap& heap, int change, const Index& index) const {
    while (!heap.empty() && bucket_of_[index(heap.top())] != change) heap.pop();
  }

 private:
  std::vector<int> bucket_of_;
};

template <typename Entry>
using SmallestFirst = std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>>;

class LatencyScheduler {
 public:
  LatencyScheduler(const Dependences& dependences, const BlockValues& values, unsigned registers)
      : dependences_(dependences),
        registers_(registers),
        pressure_(values),
        missing_(dependences.size()),
        buckets_(dependences.size()),
        earliest_(dependences.size()) {
    for (InstructionIndex one = 0; one < dependences.size(); ++one) {
      missing_.expect(one, dependences.predecessors(one).size());
      if (dependences.predecessors(one).empty()) make_ready(one);
    }
  }

  BlockOrder run() {
    while (order_.size() < dependences_.size()) issue(best());
    return std::move(order_);
  }
  [[nodiscard]] unsigned pressure() const { return pressure_.most(); }

 private:
  /// Smaller is better.
  using Rank = std::tuple<bool, int, LatencyCycles, LatencyCycles, int, InstructionIndex>;
  using Way = std::pair<LatencyCycles, InstructionIndex>;                         ///< shortest to the end last
  using WaitingWay = std::tuple<LatencyCycles, LatencyCycles, InstructionIndex>;  ///< may issue from then on

  /// Ready instructions that add equally many registers.
  struct Bucket {
    SmallestFirst<Way> available{};
    SmallestFirst<WaitingWay> waiting{};
    SmallestFirst<InstructionIndex> as_given{};
  };

  [[nodiscard]] LatencyCycles longest(InstructionIndex one) const {
    return ~LatencyCycles{0} - dependences_.height(one);
  }
  [[nodiscard]] bool fits(int change) const {
    return change <= 0 || pressure_.live() + static_cast<unsigned>(change) <= registers_;
  }

  [[nodiscard]] Rank rank(InstructionIndex one, int change) const {
    if (!fits(change)) return {true, 0, 0, 0, 0, one};
    const LatencyCycles wait = earliest_[one] > now_ ? earliest_[one] - now_ : 0;
    // With no register to spare, freeing one comes before everything.
    const int freed = pressure_.live() >= registers_ ? change : 0;
    return {false, freed, wait, longest(one), change, one};
  }

  void make_ready(InstructionIndex one) {
    const int change = pressure_.change(one);
    buckets_.enter(one, change);
    Bucket& bucket = of_change_[change];
    bucket.waiting.emplace(earliest_[one], longest(one), one);
    bucket.as_given.push(one);
  }

  /// The best of one bucket; nothing of an empty one.
  [[nodiscard]] std::optional<Rank> best_of(int change, Bucket& bucket) {
    const auto itself = [](InstructionIndex one) { return one; };
    const auto of_way = [](const Way& way) { return way.second; };
    const auto of_waiting = [](const WaitingWay& way) { return std::get<2>(way); };
    if (!fits(change)) {
      buckets_.clean(bucket.as_given, change, itself);
      return bucket.as_given.empty() ? std::nullopt : std::optional(rank(bucket.as_given.top(), change));
    }
    while (!bucket.waiting.empty() && std::get<0>(bucket.waiting.top()) <= now_) {
      const auto [earliest, way, one] = bucket.waiting.top();
      bucket.waiting.pop();
      bucket.available.emplace(way, one);
    }
    buckets_.clean(bucket.available, change, of_way);
    if (!bucket.available.empty()) return rank(bucket.available.top().second, change);
    buckets_.clean(bucket.waiting, change, of_waiting);
    return bucket.waiting.empty() ? std::nullopt : std::optional(rank(of_waiting(bucket.waiting.top()), change));
  }

  [[nodiscard]] InstructionIndex best() {
    std::optional<Rank> found;
    for (auto& [change, bucket] : of_change_) {
      const std::optional<Rank> one = best_of(change, bucket);
      if (one && (!found || *one < *found)) found = one;
    }
    SIM_CHECK(found, "dependences in a circle");
    return std::get<5>(*found);
  }

  void issue(InstructionIndex one) {
    buckets_.leave(one);
    now_ = std::max(now_, earliest_[one]);
    pressure_.issue(one, [this](InstructionIndex other) {
      if (buckets_.contains(other)) make_ready(other);
    });
    for (const Dependence& next : dependences_.successors(one)) {
      earliest_[next.to] = std::max(earliest_[next.to], now_ + next.latency);
      if (missing_.arrive(next.to)) make_ready(next.to);
    }
    now_ += issue_interval;
    order_.push_back(one);
  }

  const Dependences& dependences_;
  unsigned registers_;
  ForwardPressure pressure_;
  MissingOnes missing_;
  Buckets buckets_;
  std::map<int, Bucket> of_change_{};
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
        missing_(dependences.size()),
        buckets_(dependences.size()),
        live_(values.values().size()),
        touched_by_(values.values().size()),
        wanted_at_(dependences.size()) {
    for (BlockValue value = 0; value < values.values().size(); ++value) live_[value] = values.values()[value].live_out;
    for (InstructionIndex one = 0; one < dependences.size(); ++one) {
      for (const BlockValue value : values.accessed(one)) touched_by_[value].push_back(one);
      for (const BlockValue value : values.made(one)) touched_by_[value].push_back(one);
    }
    for (InstructionIndex one = 0; one < dependences.size(); ++one) {
      missing_.expect(one, dependences.successors(one).size());
      if (dependences.successors(one).empty()) make_ready(one);
    }
  }

  BlockOrder run() {
    while (order_.size() < dependences_.size()) place(best());
    std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  /// Larger is better: what was wanted last, then the order as given.
  using Rank = std::pair<std::size_t, InstructionIndex>;

  /// Registers that are live before the instruction and not behind it.
  [[nodiscard]] int change(InstructionIndex one) const {
    int change = 0;
    for (const BlockValue value : values_.accessed(one)) change += live_[value] ? 0 : 1;
    for (const BlockValue value : values_.made(one)) change -= live_[value] ? 1 : 0;
    return change;
  }

  void make_ready(InstructionIndex one) {
    const int now = change(one);
    buckets_.enter(one, now);
    of_change_[now].push({wanted_at_[one], one});
  }

  /// What ends most lives goes first.
  [[nodiscard]] InstructionIndex best() {
    for (auto& [change, bucket] : of_change_) {
      buckets_.clean(bucket, change, [](const Rank& rank) { return rank.second; });
      if (!bucket.empty()) return bucket.top().second;
    }
    throw InternalError("dependences in a circle");
  }

  void place(InstructionIndex one) {
    buckets_.leave(one);
    order_.push_back(one);
    for (const BlockValue value : values_.made(one)) live_[value] = false;
    for (const BlockValue value : values_.accessed(one)) begin_life(value);
    for (const InstructionIndex before : dependences_.predecessors(one)) {
      wanted_at_[before] = order_.size();
      if (missing_.arrive(before)) make_ready(before);
    }
  }
  void begin_life(BlockValue value) {
    if (live_[value]) return;
    live_[value] = true;
    for (const InstructionIndex other : touched_by_[value]) {
      if (buckets_.contains(other)) make_ready(other);
    }
  }

  const Dependences& dependences_;
  const BlockValues& values_;
  MissingOnes missing_;
  Buckets buckets_;
  std::map<int, std::priority_queue<Rank>> of_change_{};
  std::vector<bool> live_;
  std::vector<std::vector<InstructionIndex>> touched_by_;
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
