// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/parallel_regions.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::uint64_t bit(unsigned region) {
  return std::uint64_t{1} << region;
}

}  // namespace

ParallelRegions::ParallelRegions(std::vector<Region*> regions, unsigned threads)
    : regions_(std::move(regions)), senders_(regions_.size()) {
  SIM_CHECK(regions_.size() <= Region::most, "too many regions");
  const auto count = static_cast<unsigned>(regions_.size());
  threads = std::clamp(threads, 1U, count);
  // Regions of one kind have neighbouring numbers: each thread gets its share of every kind. A thread begins with its
  // highest numbers, partitions and what all share; TPCs come last: many pieces that fill what is left of the quantum.
  homes_.resize(threads);
  for (unsigned region = 0; region < count; ++region) {
    homes_[(count - 1 - region) % threads] |= bit(region);
    if (regions_[region]->ahead() != nullptr) ahead_ |= bit(region);
  }
  shares_.resize(threads);
  staggered_ = std::make_unique<StaggeredQuanta>(regions_, homes_);
  pool_ = std::make_unique<WorkerPool>(threads, *this);
}

void ParallelRegions::begin_launch(Region::Delivery delivery) {
  std::fill(senders_.begin(), senders_.end(), 0);
  for (Region* region : regions_) region->begin_launch(delivery);
  staggered_->begin_launch();
  look(never);
}

bool ParallelRegions::others_idle_until(Femtoseconds time) const {
  for (unsigned region = 0; region < regions_.size(); ++region) {
    if ((ahead_ & bit(region)) == 0 && (senders_[region] != 0 || regions_[region]->report().edge < time)) return false;
  }
  return true;
}

std::uint64_t ParallelRegions::busy_until(Femtoseconds time) const {
  std::uint64_t busy = 0;
  for (unsigned region = 0; region < regions_.size(); ++region) {
    if (senders_[region] != 0 || regions_[region]->report().edge < time) busy |= bit(region);
  }
  return busy;
}

bool ParallelRegions::many_busy_until(Femtoseconds time) const {
  const auto busy = static_cast<std::size_t>(std::popcount(busy_until(time)));
  return busy > std::min<std::size_t>(pool_->threads(), regions_.size() / 2);
}

/// Those of the `wanted` regions that have something to do, each at its home.
void ParallelRegions::run_those(std::uint64_t wanted) {
  chosen_ = busy_until(quantum_.horizon) & wanted;
  if (std::has_single_bit(chosen_)) return perform(static_cast<unsigned>(std::countr_zero(chosen_)));
  if (chosen_ == 0) return;
  for (std::size_t thread = 0; thread < homes_.size(); ++thread) shares_[thread] = chosen_ & homes_[thread];
  pool_->run(shares_);
}

void ParallelRegions::run_quantum(const Span& span) {
  const unsigned read = quantum_.write;
  quantum_ = {span.start, lesser(span.middle, span.horizon), span.horizon, span.furthest, read, 1 - read};
  std::uint64_t wanted = ~std::uint64_t{0};
  if (span.middle < span.horizon) {
    run_those(ahead_);
    SIM_CHECK((gather().receivers & ahead_) == 0, "regions that run ahead write to each other");
    quantum_.read = quantum_.write;
    wanted = ~ahead_;
  }
  run_those(wanted);
  look(gather().due);
}

void ParallelRegions::run_quanta(const Span& first, Femtoseconds length, unsigned count) {
  const unsigned read = quantum_.write;
  staggered_->begin({{first.start, first.horizon, first.horizon, first.furthest, read, 1 - read}, length, count},
                    senders_);
  several_quanta_ = true;
  for (std::size_t thread = 0; thread < shares_.size(); ++thread) shares_[thread] = bit(static_cast<unsigned>(thread));
  pool_->run(shares_);
  several_quanta_ = false;
  quantum_ = staggered_->last();
  chosen_ = ~std::uint64_t{0} >> (Region::most - regions_.size());
  look(gather().due);
}

/// After a quantum: notes who has letters for whom.
ParallelRegions::Mail ParallelRegions::gather() {
  for (std::uint64_t left = chosen_; left != 0; left &= left - 1) {
    senders_[static_cast<unsigned>(std::countr_zero(left))] = 0;
  }
  rethrow_first_failure();
  Mail mail;
  for (std::uint64_t left = chosen_; left != 0; left &= left - 1) {
    const auto region = static_cast<unsigned>(std::countr_zero(left));
    const Region::Report& report = regions_[region]->report();
    mail.due = lesser(mail.due, report.due);
    mail.receivers |= report.sent;
    for (std::uint64_t rest = report.sent; rest != 0; rest &= rest - 1)
      senders_[static_cast<unsigned>(std::countr_zero(rest))] |= bit(region);
  }
  return mail;
}

/// Of the earliest quantum, the region with the lowest number.
void ParallelRegions::rethrow_first_failure() const {
  const Region::Report* first = nullptr;
  for (const Region* region : regions_) {
    const Region::Report& report = region->report();
    if (report.failure && (first == nullptr || report.failed_in < first->failed_in)) first = &report;
  }
  if (first != nullptr) std::rethrow_exception(first->failure);
}

void ParallelRegions::perform(unsigned item) noexcept {
  if (several_quanta_) return staggered_->work(item);
  regions_[item]->run(quantum_, senders_[item]);
}

void ParallelRegions::deliver() {
  for (std::size_t region = 0; region < regions_.size(); ++region) {
    regions_[region]->read(std::exchange(senders_[region], 0), quantum_.write);
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
