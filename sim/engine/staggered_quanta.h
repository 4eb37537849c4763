// SPDX-License-Identifier: Apache-2.0
// Several quanta in one go, in which no region waits for those that it has no wire to.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/inbox.h"
#include "sim/engine/region.h"

namespace teslasim {

/// A region may begin a quantum as soon as its neighbours, those to which wires lead and those from which they come,
/// have ended the one before: all letters for it are then written, and what it writes next has been read. So TPCs go on
/// while the last TPCs of a quantum still run, and threads wait only for one that is a whole quantum behind. Regions
/// read the same letters in the same order as with a barrier after every quantum. No locks: who raises the number of
/// quanta that a region has begun runs it.
class StaggeredQuanta {
 public:
  /// `homes`: by thread, a bit for each of its regions. A thread takes regions of others when none of its own can go
  /// on, and keeps them: so each thread comes to have as much to do as others, and regions seldom change caches.
  StaggeredQuanta(std::vector<Region*> regions, const std::vector<std::uint64_t>& homes);

  /// Wires are laid up to the first quantum of a launch.
  void begin_launch() { neighbourhood_.clear(); }
  struct Plan {
    Region::Quantum first;
    Femtoseconds length = 0;  ///< of the others
    unsigned count = 1;
  };
  /// Before threads begin to work. `letters`: by region, who has letters for it.
  void begin(const Plan& plan, const std::vector<std::uint64_t>& letters);
  /// What each thread does. Returns when all regions have ended the last quantum.
  void work(unsigned thread) noexcept;
  /// The last quantum.
  [[nodiscard]] Region::Quantum last() const { return quantum(plan_.count - 1); }

 private:
  /// In lines of their own: neighbours look at what has ended, only a thief at what has begun.
  struct alignas(host_line) Quanta {
    std::atomic<unsigned> number{0};
  };
  struct alignas(host_line) Home {
    std::atomic<std::uint64_t> regions{0};
  };
  struct Turn {
    unsigned region, quantum;
  };
  /// What a thread knows of the regions that share a neighbourhood: the latest quantum of which it was asked whether
  /// they may begin it, and which neighbours it has not yet seen end the one before.
  struct Look {
    unsigned quantum = 0;
    std::uint64_t behind = 0;
  };
  using Looks = std::array<Look, Region::most>;  ///< by neighbourhood

  [[nodiscard]] std::optional<Turn> take(std::uint64_t among, unsigned& earliest, Looks& looks);
  [[nodiscard]] std::optional<Turn> furthest_behind(std::uint64_t among, unsigned& earliest, Looks& looks) const;
  [[nodiscard]] bool may_begin(const Turn& turn, Looks& looks) const;
  void adopt(unsigned thread, unsigned region);
  void run(const Turn& turn) noexcept;
  [[nodiscard]] Region::Quantum quantum(unsigned number) const;
  void find_neighbourhoods();

  std::vector<Region*> regions_;
  std::uint64_t all_;                          ///< a bit for each region
  std::vector<Home> homes_;                    ///< by thread
  std::vector<Quanta> begun_, ended_;          ///< by region
  std::vector<unsigned> neighbourhood_;        ///< by region: which
  std::vector<std::uint64_t> neighbourhoods_;  ///< a bit for each region in it; most regions share one with others
  Plan plan_;
  const std::vector<std::uint64_t>* letters_ = nullptr;
  alignas(host_line) std::atomic<unsigned> unfinished_{0};  ///< regions that have not ended the last quantum
};

}  // namespace teslasim
