// SPDX-License-Identifier: Apache-2.0
// Threads that carry out the items of one piece of work after the other. Free of SystemC.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "sim/base/inbox.h"

namespace teslasim {

/// A fixed number of threads, of which the caller is one. Every item has a home, the thread whose caches know it; a
/// thread that is done with its own items takes those that others have not begun. So nobody waits for a thread that the
/// host has put aside before it began. Which thread carries out an item must not matter. Between two runs the threads
/// spin for some microseconds, then let others have the processor, then sleep. No locks: an item is claimed by one
/// exchange of a counter. Not offered: pinning.
class WorkerPool {
 public:
  class Job {
   public:
    virtual ~Job() = default;
    /// Must not throw.
    virtual void perform(unsigned item) noexcept = 0;
  };
  static constexpr std::size_t most_items = 4095;

  /// Starts `threads` - 1 threads. `job` outlives the pool.
  WorkerPool(unsigned threads, Job& job);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(tickets_.size()); }
  /// Performs `items`, which come in the order of their homes: `ends[t]` is behind the last one of thread t. Returns
  /// when all are done; what they wrote is then visible to the caller.
  void run(std::span<const unsigned> items, std::span<const std::size_t> ends);

 private:
  /// Which items of a thread are left: number of the run, end, next.
  struct alignas(host_line) Ticket {
    std::atomic<std::uint64_t> value{0};
  };
  static constexpr std::size_t none = ~std::size_t{0};

  void work_for_ever(unsigned thread);
  void work(unsigned thread, std::uint64_t number);
  [[nodiscard]] std::size_t claim(Ticket& ticket, std::uint64_t number);
  [[nodiscard]] std::uint64_t next_run(std::uint64_t last) const;

  Job& job_;
  std::vector<Ticket> tickets_;  ///< one per thread
  std::vector<unsigned> items_;
  std::uint64_t number_ = 0;  ///< of the run under way
  alignas(host_line) std::atomic<std::uint64_t> published_{0};
  alignas(host_line) std::atomic<std::size_t> left_{0};
  std::vector<std::thread> others_;
};

}  // namespace teslasim
