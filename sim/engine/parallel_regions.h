// SPDX-License-Identifier: Apache-2.0
// Runs the regions of a chip through one quantum after the other, several at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/types.h"
#include "sim/engine/region.h"
#include "sim/engine/staggered_quanta.h"
#include "sim/engine/worker_pool.h"

namespace teslasim {

/// In each quantum, every region with letters or with an edge before the horizon runs, on whichever thread; then
/// letters change hands. A region sees the same letters in the same order for any number of threads, so results are the
/// same. With one region to run no other thread is asked.
///
/// Regions with a domain that runs ahead (TPCs) write to the others only, never to each other. While those others
/// (crossbar, partitions) are idle, nothing can come back before two links have been passed: a quantum is then twice as
/// long. The TPCs run it first, the others follow with what the TPCs have sent. While there is work for all threads,
/// several quanta are run in one go (StaggeredQuanta), so that the threads meet less often.
class ParallelRegions final : public WorkerPool::Job {
 public:
  /// `regions` by number, at most Region::most; they outlive this object. Threads without a region would be idle and
  /// are not started.
  ParallelRegions(std::vector<Region*> regions, unsigned threads);

  /// A new launch; the clock domains have begun it.
  void begin_launch(Region::Delivery delivery);
  /// Regions without a domain that runs ahead have no letters, and no edge before `time`.
  [[nodiscard]] bool others_idle_until(Femtoseconds time) const;
  struct Span {
    Femtoseconds start = 0;
    Femtoseconds middle = 0;    ///< where a quantum of common length ends
    Femtoseconds horizon = 0;   ///< may be one quantum later if others_idle_until(middle)
    Femtoseconds furthest = 0;  ///< of Reach
  };
  /// Runs all edges in [start, horizon). Rethrows what the first region threw.
  void run_quantum(const Span& span);
  /// Regions with letters or with an edge before `time` are more than threads, or more than half of all.
  [[nodiscard]] bool many_busy_until(Femtoseconds time) const;
  /// Runs the `first` quantum and others behind it, `count` in all, which have the same `length`.
  void run_quanta(const Span& first, Femtoseconds length, unsigned count);
  /// Opens all letters that are under way.
  void deliver();
  /// Of all regions and letters: ClockDomain::next_wanted and next_edge. After `deliver` exact, else maybe too early.
  [[nodiscard]] Femtoseconds next_wanted() const { return wanted_; }
  [[nodiscard]] Femtoseconds next_edge() const { return edge_; }
  [[nodiscard]] unsigned threads() const { return pool_->threads(); }

 private:
  void perform(unsigned item) noexcept override;
  [[nodiscard]] std::uint64_t busy_until(Femtoseconds time) const;
  void run_those(std::uint64_t wanted);
  /// The letters of a quantum: when the first is due, and a bit for each region that gets some.
  struct Mail {
    Femtoseconds due = never;
    std::uint64_t receivers = 0;
  };
  Mail gather();
  void rethrow_first_failure() const;
  void look(Femtoseconds due);

  std::vector<Region*> regions_;
  std::uint64_t ahead_ = 0;             ///< a bit for each region with a domain that runs ahead
  std::vector<std::uint64_t> homes_;    ///< by thread: a bit for each of its regions
  std::vector<std::uint64_t> senders_;  ///< by region: who has letters for it
  std::uint64_t chosen_ = 0;            ///< a bit for each region that has something to do in this quantum
  std::vector<std::uint64_t> shares_;   ///< the same by thread
  Region::Quantum quantum_;
  std::unique_ptr<StaggeredQuanta> staggered_;
  bool several_quanta_ = false;  ///< what is under way
  Femtoseconds wanted_ = never, edge_ = never;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace teslasim
