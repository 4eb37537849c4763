// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/worker_pool.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr unsigned place_bits = 12;
constexpr std::uint64_t place_mask = (std::uint64_t{1} << place_bits) - 1;
constexpr std::uint64_t end_of_work = ~std::uint64_t{0};

constexpr std::uint64_t ticket_of(std::uint64_t number, std::size_t next, std::size_t end) {
  return number << (2 * place_bits) | end << place_bits | next;
}

/// Waits a little longer each time: at first within the processor, some microseconds in all, then behind whoever else
/// wants it.
class Patience {
 public:
  /// False: it is time to sleep.
  bool wait() {
    ++waits_;
    if (waits_ < spins) {
      relax();
    } else {
      std::this_thread::yield();
    }
    return waits_ < spins + yields;
  }

 private:
  static constexpr unsigned spins = 1000;
  static constexpr unsigned yields = 1000;

  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }
  unsigned waits_ = 0;
};

}  // namespace

WorkerPool::WorkerPool(unsigned threads, Job& job) : job_(job), tickets_(threads) {
  SIM_CHECK(threads > 0, "a pool has one thread at least");
  items_.reserve(most_items);
  for (unsigned thread = 1; thread < threads; ++thread) {
    others_.emplace_back([this, thread] { work_for_ever(thread); });
  }
}

WorkerPool::~WorkerPool() {
  published_.store(end_of_work, std::memory_order_release);
  published_.notify_all();
  for (std::thread& other : others_) other.join();
}

void WorkerPool::run(std::span<const unsigned> items, std::span<const std::size_t> ends) {
  SIM_CHECK(items.size() <= most_items && ends.size() == tickets_.size(), "work that the pool cannot hand out");
  items_.assign(items.begin(), items.end());
  ++number_;
  left_.store(items.size(), std::memory_order_relaxed);
  std::size_t begin = 0;
  for (std::size_t thread = 0; thread < tickets_.size(); ++thread) {
    tickets_[thread].value.store(ticket_of(number_, begin, ends[thread]), std::memory_order_release);
    begin = ends[thread];
  }
  published_.store(number_, std::memory_order_release);
  published_.notify_all();
  work(0, number_);
  for (Patience patience; left_.load(std::memory_order_acquire) != 0;) patience.wait();
}

/// The place of an item that is not taken yet. A thread that comes late, after its run has ended, finds another number.
std::size_t WorkerPool::claim(Ticket& ticket, std::uint64_t number) {
  std::uint64_t seen = ticket.value.load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t next = seen & place_mask;
    if (seen >> (2 * place_bits) != number || next == (seen >> place_bits & place_mask)) return none;
    if (ticket.value.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel, std::memory_order_acquire))
      return next;
  }
}

void WorkerPool::work(unsigned thread, std::uint64_t number) {
  for (std::size_t i = 0; i < tickets_.size(); ++i) {
    Ticket& ticket = tickets_[(thread + i) % tickets_.size()];
    for (std::size_t place = claim(ticket, number); place != none; place = claim(ticket, number)) {
      job_.perform(items_[place]);
      left_.fetch_sub(1, std::memory_order_acq_rel);
    }
  }
}

std::uint64_t WorkerPool::next_run(std::uint64_t last) const {
  Patience patience;
  for (;;) {
    const std::uint64_t number = published_.load(std::memory_order_acquire);
    if (number != last) return number;
    if (!patience.wait()) published_.wait(last, std::memory_order_acquire);
  }
}

void WorkerPool::work_for_ever(unsigned thread) {
  for (std::uint64_t number = next_run(0); number != end_of_work; number = next_run(number)) work(thread, number);
}

}  // namespace teslasim
