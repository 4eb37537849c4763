// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/staggered_quanta.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/engine/patience.h"

namespace teslasim {

StaggeredQuanta::StaggeredQuanta(std::vector<Region*> regions, const std::vector<std::uint64_t>& homes)
    : regions_(std::move(regions)),
      all_(~std::uint64_t{0} >> (Region::most - regions_.size())),
      homes_(homes.size()),
      begun_(regions_.size()),
      ended_(regions_.size()) {
  for (std::size_t thread = 0; thread < homes.size(); ++thread) homes_[thread].regions = homes[thread];
}

void StaggeredQuanta::begin(const Plan& plan, const std::vector<std::uint64_t>& letters) {
  plan_ = plan;
  letters_ = &letters;
  if (neighbourhood_.empty()) find_neighbourhoods();
  for (Quanta& begun : begun_) begun.number.store(0, std::memory_order_relaxed);
  for (Quanta& ended : ended_) ended.number.store(0, std::memory_order_relaxed);
  unfinished_.store(static_cast<unsigned>(regions_.size()), std::memory_order_release);
}

void StaggeredQuanta::find_neighbourhoods() {
  neighbourhoods_.clear();
  for (const Region* region : regions_) {
    const std::uint64_t neighbours = region->neighbours();
    const auto found = std::find(neighbourhoods_.begin(), neighbourhoods_.end(), neighbours);
    neighbourhood_.push_back(static_cast<unsigned>(found - neighbourhoods_.begin()));
    if (found == neighbourhoods_.end()) neighbourhoods_.push_back(neighbours);
  }
}

void StaggeredQuanta::work(unsigned thread) noexcept {
  Patience patience;
  Looks looks{};
  unsigned earliest = 0;
  while (unfinished_.load(std::memory_order_acquire) != 0) {
    const std::uint64_t own = homes_[thread].regions.load(std::memory_order_relaxed);
    std::optional<Turn> turn = take(own, earliest, looks);
    if (!turn) {
      unsigned of_others = 0;
      turn = take(~own, of_others, looks);
      if (turn) adopt(thread, turn->region);
    }
    if (turn) {
      run(*turn);
      patience = {};
    } else {
      patience.wait();
    }
  }
}

/// Where a region is at home matters to speed only: others may see the two steps of a change one after the other.
void StaggeredQuanta::adopt(unsigned thread, unsigned region) {
  const std::uint64_t bit = std::uint64_t{1} << region;
  for (Home& home : homes_) {
    if ((home.regions.load(std::memory_order_relaxed) & bit) != 0)
      home.regions.fetch_and(~bit, std::memory_order_relaxed);
  }
  homes_[thread].regions.fetch_or(bit, std::memory_order_relaxed);
}

/// One that can go on, for the caller to run.
std::optional<StaggeredQuanta::Turn> StaggeredQuanta::take(std::uint64_t among, unsigned& earliest, Looks& looks) {
  for (;;) {
    const std::optional<Turn> turn = furthest_behind(among, earliest, looks);
    if (!turn) return turn;
    unsigned begun = turn->quantum;
    if (begun_[turn->region].number.compare_exchange_strong(begun, begun + 1, std::memory_order_acq_rel)) return turn;
  }
}

/// Of those that can go on, the one in the earliest quantum; of several, the one with the highest number. `earliest`:
/// none of them begins a quantum before it, as far as was seen; so the first that begins this one is the one.
std::optional<StaggeredQuanta::Turn> StaggeredQuanta::furthest_behind(std::uint64_t among, unsigned& earliest,
                                                                      Looks& looks) const {
  std::optional<Turn> found;
  unsigned least = plan_.count, seen = plan_.count;
  for (std::uint64_t left = among & all_; left != 0;) {
    const auto region = static_cast<unsigned>(std::bit_width(left) - 1);
    left ^= std::uint64_t{1} << region;
    const Turn turn{region, begun_[region].number.load(std::memory_order_acquire)};
    seen = std::min(seen, turn.quantum);
    if (turn.quantum >= least || ended_[region].number.load(std::memory_order_acquire) != turn.quantum) continue;
    if (!may_begin(turn, looks)) continue;
    if (turn.quantum <= earliest) return turn;
    least = turn.quantum;
    found = turn;
  }
  earliest = seen;
  return found;
}

/// Its neighbours have ended as many quanta as it. Those that share a neighbourhood are asked for one after the other,
/// so each neighbour is looked at until it has once been seen to be so far. When one of them has come to a later
/// quantum already, all may begin an earlier one.
bool StaggeredQuanta::may_begin(const Turn& turn, Looks& looks) const {
  const unsigned neighbourhood = neighbourhood_[turn.region];
  Look& look = looks[neighbourhood];
  if (turn.quantum < look.quantum) return true;
  if (turn.quantum > look.quantum) look = {turn.quantum, neighbourhoods_[neighbourhood]};
  for (; look.behind != 0; look.behind &= look.behind - 1) {
    const auto neighbour = static_cast<std::size_t>(std::countr_zero(look.behind));
    if (ended_[neighbour].number.load(std::memory_order_acquire) < turn.quantum) return false;
  }
  return true;
}

Region::Quantum StaggeredQuanta::quantum(unsigned number) const {
  Region::Quantum quantum = plan_.first;
  if (number == 0) return quantum;
  quantum.start = plan_.first.horizon + (number - 1) * plan_.length;
  quantum.middle = quantum.horizon = quantum.start + plan_.length;
  if (number % 2 == 1) std::swap(quantum.read, quantum.write);
  return quantum;
}

void StaggeredQuanta::run(const Turn& turn) noexcept {
  Region& region = *regions_[turn.region];
  const Region::Quantum now = quantum(turn.quantum);
  region.run(now, turn.quantum == 0 ? (*letters_)[turn.region] : region.with_letters(now.read));
  ended_[turn.region].number.store(turn.quantum + 1, std::memory_order_release);
  if (turn.quantum + 1 == plan_.count) unfinished_.fetch_sub(1, std::memory_order_acq_rel);
}

}  // namespace teslasim
