// SPDX-License-Identifier: Apache-2.0
// Runs the regions of a chip through one quantum after the other, several at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/types.h"
#include "sim/engine/region.h"
#include "sim/engine/worker_pool.h"

namespace teslasim {

/// In each quantum, every region with letters or with an edge before the horizon runs, on whichever thread; then
/// letters change hands. A region sees the same letters in the same order for any number of threads, so results are the
/// same. With one region to run no other thread is asked.
class ParallelRegions final : public WorkerPool::Job {
 public:
  /// `regions` by number, at most Region::most; they outlive this object. Threads without a region would be idle and
  /// are not started.
  ParallelRegions(std::vector<Region*> regions, unsigned threads);

  /// A new launch; the clock domains have begun it.
  void begin_launch(Region::Delivery delivery);
  /// Runs all edges in [start, horizon). Rethrows what the first region threw.
  void run_quantum(Femtoseconds start, Femtoseconds horizon);
  /// Opens all letters that are under way.
  void deliver();
  /// Of all regions and letters: ClockDomain::next_wanted and next_edge. After `deliver` exact, else maybe too early.
  [[nodiscard]] Femtoseconds next_wanted() const { return wanted_; }
  [[nodiscard]] Femtoseconds next_edge() const { return edge_; }
  [[nodiscard]] unsigned threads() const { return pool_->threads(); }

 private:
  void perform(unsigned item) noexcept override;
  void choose(Femtoseconds horizon);
  void look(Femtoseconds due);

  std::vector<Region*> regions_;
  std::vector<unsigned> by_home_;       ///< regions, those of thread 0 first
  std::vector<std::size_t> homes_;      ///< in by_home_, behind the last region of each thread
  std::vector<std::uint64_t> senders_;  ///< by region: who has letters for it
  std::vector<unsigned> chosen_;
  std::vector<std::size_t> ends_;
  Region::Quantum quantum_;
  Femtoseconds wanted_ = never, edge_ = never;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace teslasim
