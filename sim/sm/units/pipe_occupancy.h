// SPDX-License-Identifier: Apache-2.0
// When each execution pipe of an SM can start the next warp, and for how many cycles it could not.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/sm/instruction_timing.h"

namespace teslasim {

/// Stands for the initiation intervals of the MAD, SFU and DP units, of the memory path and of the barrier logic: a
/// warp that starts in cycle c occupies its pipe in the cycles c .. c+interval-1 (Collange 2010, section 9: 4, 16 and
/// 32 SP cycles for 8, 2 and 1 lanes). Each pipe has a few operand collectors in front of it: an instruction holds one
/// until its last register was read, and the next can start only when one is free. Instructions of the MAD unit with an
/// operand in shared memory share a single collector (`mad_shared`): it takes their operands one after the other, so
/// that with r registers one of them follows another after r + 1 reads. They may start to collect while the unit is
/// still taking the instruction before. The memory path can in addition be held by a full request queue. Busy cycles
/// are kept as running totals, so that the accounting of any span of time is a subtraction and skipped cycles cost
/// nothing. Units: SM cycles.
class PipeOccupancy {
 public:
  static constexpr unsigned max_collectors = 8;

  /// `mad_cycles`: for how long the MAD unit takes a warp.
  explicit PipeOccupancy(unsigned collectors = max_collectors, Cycle mad_cycles = 2)
      : collectors_(collectors), mad_cycles_(mad_cycles) {}

  /// `mad_or_sfu` stands for either: an instruction that both units can execute.
  [[nodiscard]] bool available(Pipe pipe, Cycle now) const { return now >= free_at(pipe); }
  /// First cycle in which the pipe can start a warp; `never` while the memory path is held.
  [[nodiscard]] Cycle free_at(Pipe pipe) const {
    if (pipe == Pipe::mad_or_sfu) return std::min(free_at_[index(Pipe::mad)], free_at_[index(Pipe::sfu)]);
    if (pipe == Pipe::mad_shared) return std::max(unit_nearly_free(), shared_collector_free());
    return free_at_[index(pipe)];
  }

  /// A warp with an operand in shared memory goes to the MAD unit. Returns the cycles for which the unit is still
  /// taken. Precondition: available(Pipe::mad_shared, now).
  Cycle start_shared(Cycle now, Cycle interval, Cycle collected) {
    const Cycle wait = std::max(now, units_[index(Pipe::mad)].busy_until) - now;
    free_at_[index(Pipe::mad_shared)] = collected;
    start(Pipe::mad, now, wait + interval, collected, wait);
    return wait;
  }
  /// A warp starts in cycle `now`; its last operand will have been read before cycle `collected`. Preconditions:
  /// available(pipe, now), pipe is neither mad_or_sfu nor mad_shared.
  /// Of `interval`, the first `wait` cycles belong to the instruction before.
  void start(Pipe pipe, Cycle now, Cycle interval, Cycle collected = 0, Cycle wait = 0) {
    const unsigned i = index(pipe);
    Unit& unit = units_[i];
    unit.waited_from = unit.busy_until;
    unit.waited_until = collectors_free(i);
    unit.busy_until = now + interval;
    unit.last_blocked = interval - (wait == 0 ? 1 : 0);  // its own cycle is one of them when the unit is taken
    unit.blocked_total += interval - std::max<Cycle>(wait, 1);
    unit.started_total += interval - wait;
    // The collector taken now; the one to be taken next was taken `collectors_` starts ago.
    unit.collector_free[unit.next_collector] = collected;
    unit.next_collector = unit.next_collector + 1 == collectors_ ? 0 : unit.next_collector + 1;
    free_at_[i] = std::max(unit.busy_until, unit.collector_free[unit.next_collector]);
    unit.collector_total += free_at_[i] - unit.busy_until;
    if (i <= index(Pipe::sfu)) count_both(now);
    if (pipe == Pipe::mad) count_shared(now);
  }
  /// The memory path cannot take a further instruction from the end of its interval until `release_queue`.
  void hold_queue() {
    queue_since_ = free_at_[index(Pipe::memory)];
    held_ = true;
    free_at_[index(Pipe::memory)] = never;
  }
  /// The last waiting transaction left in cycle `now`; instructions can start from the next cycle on.
  void release_queue(Cycle now) {
    const Cycle until = std::max(now + 1, queue_since_);
    queue_total_ += until - queue_since_;
    queue_until_ = until;
    held_ = false;
    free_at_[index(Pipe::memory)] = until;
  }
  [[nodiscard]] bool held() const { return held_; }

  /// Cycles before `now` in which a warp could not start because the pipe was starting another one.
  [[nodiscard]] std::uint64_t blocked_before(Pipe pipe, Cycle now) const {
    const Unit& unit = units_[index(pipe)];
    return unit.blocked_total - (unit.busy_until > now ? std::min(unit.busy_until - now, unit.last_blocked) : 0);
  }
  /// Cycles before `now` in which a warp could not start because every collector of the pipe was waiting for registers.
  [[nodiscard]] std::uint64_t collecting_before(Pipe pipe, Cycle now) const {
    const unsigned i = index(pipe);
    const Unit& unit = units_[i];
    if (unit.collector_total == 0) return 0;
    const Cycle until = collectors_free(i);
    return unit.collector_total - (until > now ? until - std::max(now, unit.busy_until) : 0);
  }
  /// Part of the cycles [begin, end) of which the same is true. Precondition: at most one warp started on the pipe
  /// since begin.
  [[nodiscard]] Cycle collecting_in(Pipe pipe, Cycle begin, Cycle end) const {
    const unsigned i = index(pipe);
    const Unit& unit = units_[i];
    if (unit.collector_total == 0) return 0;
    return overlap(unit.busy_until, collectors_free(i), begin, end) +
           overlap(unit.waited_from, unit.waited_until, begin, end);
  }
  /// Cycles before `now` in which the memory path was held by its queue.
  [[nodiscard]] std::uint64_t queued_before(Cycle now) const {
    if (held_) return queue_total_ + (now > queue_since_ ? now - queue_since_ : 0);
    return queue_total_ - (queue_until_ > now ? queue_until_ - std::max(now, queue_since_) : 0);
  }
  /// Cycles in which the pipe was starting a warp, up to the last start.
  [[nodiscard]] std::uint64_t busy_cycles(Pipe pipe) const { return units_[index(pipe)].started_total; }
  /// Cycles in which all collectors of some pipe were waiting, summed over the pipes.
  [[nodiscard]] std::uint64_t collecting_cycles() const {
    std::uint64_t sum = 0;
    for (const Unit& unit : units_) sum += unit.collector_total;
    return sum - units_[index(Pipe::mad_shared)].collector_total;
  }

  void clear() { *this = PipeOccupancy(collectors_, mad_cycles_); }

 private:
  static constexpr unsigned index(Pipe pipe) { return static_cast<unsigned>(pipe); }
  static Cycle overlap(Cycle from, Cycle until, Cycle begin, Cycle end) {
    const Cycle first = std::max(from, begin);
    const Cycle last = std::min(until, end);
    return last > first ? last - first : 0;
  }

  /// When a collector of the pipe is free for the next start; busy_until_ when one was free before that.
  [[nodiscard]] Cycle collectors_free(unsigned i) const {
    const Unit& unit = units_[i];
    return std::max(unit.busy_until, unit.collector_free[unit.next_collector]);
  }

  /// Neither the MAD unit nor the SFU can start a warp from now + 1 until one of them is free: the blocked cycles of
  /// the stand-in for both.
  void count_both(Cycle now) {
    Unit& unit = units_[index(Pipe::mad_or_sfu)];
    const Cycle until = free_at(Pipe::mad_or_sfu);
    const Cycle from = std::max(now + 1, unit.busy_until);
    if (until <= from) return;
    unit.blocked_total += until - from;
    unit.busy_until = until;
    unit.last_blocked = until - (now + 1);
  }

  /// When the unit will take another warp by the time that its operands have been collected.
  [[nodiscard]] Cycle unit_nearly_free() const {
    const Cycle until = units_[index(Pipe::mad)].busy_until;
    return until > mad_cycles_ ? until - mad_cycles_ : 0;
  }
  [[nodiscard]] Cycle shared_collector_free() const {
    const Unit& unit = units_[index(Pipe::mad)];
    return std::max(free_at_[index(Pipe::mad_shared)], unit.collector_free[unit.next_collector]);
  }
  /// The MAD unit has started a warp: what `mad_shared` waits for from now + 1 on, first the unit, then a collector.
  /// The second wait ends early, not served, when an instruction without shared operand starts.
  void count_shared(Cycle now) {
    const unsigned shared = index(Pipe::mad_shared);
    Unit& unit = units_[shared];
    const Cycle planned = collectors_free(shared);
    unit.waited_from = unit.busy_until;
    unit.waited_until = std::min(planned, now);
    if (planned > now) unit.collector_total -= planned - now;
    unit.busy_until = std::max(now + 1, unit_nearly_free());
    unit.last_blocked = unit.busy_until - (now + 1);
    unit.blocked_total += unit.last_blocked;
    unit.collector_free[0] = shared_collector_free();
    unit.collector_total += collectors_free(shared) - unit.busy_until;
  }

  /// What is known of one pipe: two lines of the host's cache.
  struct alignas(64) Unit {
    Cycle busy_until = 0;                     ///< end of the initiation interval of the last start
    Cycle waited_from = 0, waited_until = 0;  ///< for collectors, before the last start
    std::uint64_t blocked_total = 0;
    std::uint64_t last_blocked = 0;  ///< of the interval that ends at busy_until
    std::uint64_t started_total = 0;
    std::uint64_t collector_total = 0;
    std::size_t next_collector = 0;
    std::array<Cycle, max_collectors> collector_free{};
  };

  unsigned collectors_;
  Cycle mad_cycles_;
  std::array<Cycle, pipe_count> free_at_{};  ///< mad_shared: of its collector alone
  std::array<Unit, pipe_count> units_{};
  Cycle queue_since_ = 0;
  Cycle queue_until_ = 0;
  std::uint64_t queue_total_ = 0;
  bool held_ = false;
};

}  // namespace teslasim
