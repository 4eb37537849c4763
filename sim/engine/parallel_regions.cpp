// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/parallel_regions.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

ParallelRegions::ParallelRegions(std::vector<Region*> regions, unsigned threads)
    : regions_(std::move(regions)), senders_(regions_.size()) {
  SIM_CHECK(regions_.size() <= Region::most, "too many regions");
  const auto count = static_cast<unsigned>(regions_.size());
  threads = std::clamp(threads, 1U, count);
  // Regions of one kind have neighbouring numbers: each thread gets its share of every kind. Partitions and
  // what all share come first, TPCs last: many pieces that fill what is left of the quantum.
  for (unsigned thread = 0; thread < threads; ++thread) {
    for (unsigned region = thread; region < count; region += threads) by_home_.push_back(count - 1 - region);
    homes_.push_back(by_home_.size());
  }
  chosen_.reserve(count);
  ends_.resize(threads);
  pool_ = std::make_unique<WorkerPool>(threads, *this);
}

void ParallelRegions::begin_launch(Region::Delivery delivery) {
  std::fill(senders_.begin(), senders_.end(), 0);
  for (Region* region : regions_) region->begin_launch(delivery);
  look(never);
}

/// The regions that have something to do, each with its home.
void ParallelRegions::choose(Femtoseconds horizon) {
  chosen_.clear();
  std::size_t place = 0;
  for (std::size_t thread = 0; thread < homes_.size(); ++thread) {
    for (; place < homes_[thread]; ++place) {
      const unsigned region = by_home_[place];
      if (senders_[region] != 0 || regions_[region]->report().edge < horizon) chosen_.push_back(region);
    }
    ends_[thread] = chosen_.size();
  }
}

void ParallelRegions::run_quantum(Femtoseconds start, Femtoseconds horizon) {
  quantum_ = {start, horizon, 1 - quantum_.side};
  choose(horizon);
  if (chosen_.size() == 1) {
    perform(chosen_.front());
  } else {
    pool_->run(chosen_, ends_);
  }
  for (const unsigned region : chosen_) senders_[region] = 0;
  Femtoseconds due = never;
  std::exception_ptr failure;
  unsigned failed = Region::most;
  for (const unsigned region : chosen_) {
    const Region::Report& report = regions_[region]->report();
    due = lesser(due, report.due);
    for (std::uint64_t rest = report.sent; rest != 0; rest &= rest - 1)
      senders_[static_cast<unsigned>(std::countr_zero(rest))] |= std::uint64_t{1} << region;
    if (!report.failure || region > failed) continue;
    failure = report.failure;
    failed = region;
  }
  if (failure) std::rethrow_exception(failure);
  look(due);
}

void ParallelRegions::perform(unsigned item) noexcept {
  regions_[item]->run(quantum_, senders_[item]);
}

void ParallelRegions::deliver() {
  for (std::size_t region = 0; region < regions_.size(); ++region) {
    regions_[region]->read(std::exchange(senders_[region], 0), quantum_.side);
  }
  for (Region* region : regions_) region->look();
  look(never);
}

/// `due`: when the first of the letters under way is due.
void ParallelRegions::look(Femtoseconds due) {
  wanted_ = edge_ = due;
  for (const Region* region : regions_) {
    wanted_ = lesser(wanted_, region->report().wanted);
    edge_ = lesser(edge_, region->report().edge);
  }
}

}  // namespace teslasim
