// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/worker_pool.h"

#include <bit>

#include "sim/base/diagnostic.h"
#include "sim/engine/patience.h"

namespace teslasim {
namespace {

constexpr std::uint64_t end_of_work = ~std::uint64_t{0};

}  // namespace

WorkerPool::WorkerPool(unsigned threads, Job& job) : job_(job), shares_(threads) {
  SIM_CHECK(threads > 0, "a pool has one thread at least");
  for (unsigned thread = 1; thread < threads; ++thread) {
    others_.emplace_back([this, thread] { work_for_ever(thread); });
  }
}

WorkerPool::~WorkerPool() {
  for (Share& share : shares_) {
    share.run.store(end_of_work, std::memory_order_release);
    share.run.notify_all();
  }
  for (std::thread& other : others_) other.join();
}

void WorkerPool::run(std::span<const std::uint64_t> shares) {
  SIM_CHECK(shares.size() == shares_.size(), "each thread of a pool gets a share of the work");
  ++number_;
  done_.store(0, std::memory_order_relaxed);
  unsigned items = 0;
  for (std::size_t thread = shares.size(); thread-- > 0;) {  // the caller is there anyway
    items += static_cast<unsigned>(std::popcount(shares[thread]));
    shares_[thread].left.store(shares[thread], std::memory_order_release);
    shares_[thread].run.store(number_, std::memory_order_release);
    shares_[thread].run.notify_all();
  }
  items -= work(0);
  for (Patience patience; done_.load(std::memory_order_acquire) != items;) patience.wait();
}

/// Performs what is left of a share. Returns how many items it did. A thread that comes late, after its run has ended,
/// may find items of the next one: they are as good.
unsigned WorkerPool::perform_all(Share& share) {
  unsigned performed = 0;
  for (std::uint64_t left = share.left.load(std::memory_order_acquire); left != 0;) {
    const std::uint64_t item = std::bit_floor(left);
    if (!share.left.compare_exchange_weak(left, left & ~item, std::memory_order_acq_rel, std::memory_order_acquire)) {
      continue;
    }
    job_.perform(static_cast<unsigned>(std::countr_zero(item)));
    ++performed;
    left = share.left.load(std::memory_order_acquire);
  }
  return performed;
}

/// Its own items, then those of others. Returns how many the caller of `run` did; other threads count theirs in
/// `done_`.
unsigned WorkerPool::work(unsigned thread) {
  unsigned own = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const unsigned performed = perform_all(shares_[(thread + i) % shares_.size()]);
    if (thread == 0) {
      own += performed;
    } else if (performed != 0) {
      done_.fetch_add(performed, std::memory_order_acq_rel);
    }
  }
  return own;
}

std::uint64_t WorkerPool::next_run(const Share& share, std::uint64_t last) const {
  Patience patience;
  for (;;) {
    const std::uint64_t number = share.run.load(std::memory_order_acquire);
    if (number != last) return number;
    if (!patience.wait()) share.run.wait(last, std::memory_order_acquire);
  }
}

void WorkerPool::work_for_ever(unsigned thread) {
  const Share& own = shares_[thread];
  for (std::uint64_t number = next_run(own, 0); number != end_of_work; number = next_run(own, number)) work(thread);
}

}  // namespace teslasim
