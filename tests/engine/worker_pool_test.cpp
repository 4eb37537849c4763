// SPDX-License-Identifier: Apache-2.0
// Threads that share work: every item is performed once, whatever the host does with the threads.
#include "sim/engine/worker_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace teslasim::testing {
namespace {

/// Counts how often each item was performed; plain integers, since one thread at a time may have an item.
class Counts final : public WorkerPool::Job {
 public:
  explicit Counts(unsigned items) : times(items) {}
  void perform(unsigned item) noexcept override { ++times[item]; }
  std::vector<unsigned> times;
};

TEST(WorkerPool, performs_every_item_once_in_each_run) {
  constexpr unsigned items = 19, runs = 2000;
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    Counts counts(items);
    WorkerPool pool(threads, counts);
    std::vector<std::uint64_t> shares(threads);
    for (unsigned item = 0; item < items; ++item) shares[item % threads] |= std::uint64_t{1} << item;
    for (unsigned run = 0; run < runs; ++run) pool.run(shares);
    EXPECT_EQ(counts.times, std::vector<unsigned>(items, runs)) << threads;
  }
}

TEST(WorkerPool, items_of_a_busy_thread_are_taken_by_others) {
  Counts counts(4);
  WorkerPool pool(3, counts);
  const std::vector<std::uint64_t> all_at_the_last{0, 0, 0b1111};
  pool.run(all_at_the_last);
  EXPECT_EQ(counts.times, (std::vector<unsigned>{1, 1, 1, 1}));
}

TEST(WorkerPool, a_run_may_be_empty_and_performs_only_what_it_is_given) {
  Counts counts(3);
  WorkerPool pool(2, counts);
  pool.run(std::vector<std::uint64_t>{0, 0});
  pool.run(std::vector<std::uint64_t>{0b100, 0});
  EXPECT_EQ(counts.times, (std::vector<unsigned>{0, 0, 1}));
}

TEST(WorkerPool, has_a_bit_for_the_highest_item_too) {
  Counts counts(WorkerPool::most_items);
  WorkerPool pool(2, counts);
  pool.run(std::vector<std::uint64_t>{~std::uint64_t{0}, 0});
  EXPECT_EQ(counts.times, std::vector<unsigned>(WorkerPool::most_items, 1));
}

}  // namespace
}  // namespace teslasim::testing
