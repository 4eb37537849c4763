// SPDX-License-Identifier: Apache-2.0
// Threads that carry out the items of one piece of work after the other. Free of SystemC.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "sim/base/inbox.h"

namespace teslasim {

/// A fixed number of threads, of which the caller is one. Every item has a home, the thread whose caches know it; a
/// thread that is done with its own items takes those that others have not begun. So nobody waits for a thread that the
/// host has put aside before it began. Which thread carries out an item must not matter. Between two runs the threads
/// spin for some microseconds, then let others have the processor, then sleep. No locks: an item is claimed by one
/// exchange of a word with a bit for each item. Not offered: pinning.
class WorkerPool {
 public:
  class Job {
   public:
    virtual ~Job() = default;
    /// Must not throw.
    virtual void perform(unsigned item) noexcept = 0;
  };
  static constexpr unsigned most_items = 64;

  /// Starts `threads` - 1 threads. `job` outlives the pool.
  WorkerPool(unsigned threads, Job& job);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(shares_.size()); }
  /// Performs the items of each thread, a bit each; a thread begins with the highest. Returns when all are done; what
  /// they wrote is then visible to the caller.
  void run(std::span<const std::uint64_t> shares);

 private:
  /// What a thread looks at: in one line of the host's cache, so that it comes in one piece.
  struct alignas(host_line) Share {
    std::atomic<std::uint64_t> left{0};  ///< items that nobody has begun
    std::atomic<std::uint64_t> run{0};   ///< number of the run they belong to
  };

  void work_for_ever(unsigned thread);
  unsigned work(unsigned thread);
  unsigned perform_all(Share& share);
  [[nodiscard]] std::uint64_t next_run(const Share& share, std::uint64_t last) const;

  Job& job_;
  std::vector<Share> shares_;                         ///< one per thread
  std::uint64_t number_ = 0;                          ///< of the run under way
  alignas(host_line) std::atomic<unsigned> done_{0};  ///< items of this run that were done by other threads
  std::vector<std::thread> others_;
};

}  // namespace teslasim
