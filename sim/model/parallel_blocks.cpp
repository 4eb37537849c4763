// SPDX-License-Identifier: Apache-2.0
#include "sim/model/parallel_blocks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "memory/image/device_memory.h"

namespace teslasim {

namespace {

bool reads_clock(const Operand& operand) {
  constexpr unsigned clock = 1;
  return operand.kind == Operand::Kind::special && operand.index == clock;
}

bool shows_order(const Instruction& instruction) {
  return instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red ||
         std::any_of(instruction.source.begin(), instruction.source.end(), reads_clock);
}

std::uint64_t end_of(const DeviceMemory& memory) {
  return memory.buffers().empty() ? 0 : memory.buffers().back().address + memory.buffers().back().bytes;
}

class ParallelRun {
 public:
  ParallelRun(const Launch& launch, const FunctionalOptions& options, const RunControl& control, BlockIndex first,
              std::uint64_t issued_before)
      : launch_(launch),
        options_(options),
        control_(control),
        images_(*launch.memory, end_of(*launch.memory)),
        errors_(options.threads),
        issued_(options.threads),
        next_(first),
        done_(first),
        end_(control.blocks.end_in(launch.blocks())),
        first_(control.blocks.first),
        issued_before_(issued_before) {
    for (unsigned i = 0; i < options.threads; ++i) {
      RunControl& own = controls_.emplace_back();
      own.blocks = control.blocks;
      own.watch = [this, i](const Progress& progress) { return watch(i, progress); };
      ThreadWatch& watched = watched_.emplace_back(ThreadWatch{MemoryFootprint(end_of(*launch.memory), images_)});
      runners_.emplace_back(launch, options, own, &watched);
    }
  }

  /// False: memory is as before.
  bool run(BlockRunner& total) {
    std::vector<std::thread> others;
    running_ = options_.threads - 1;
    for (unsigned i = 1; i < options_.threads; ++i) {
      others.emplace_back([this, i] {
        work(i);
        const std::lock_guard<std::mutex> lock(mutex_);
        --running_;
        ended_.notify_one();
      });
    }
    work(0);
    wait_for_others();
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
    if (!interrupted_ && !as_if_in_order()) {
      images_.restore();
      return false;
    }
    for (const BlockRunner& runner : runners_) total.take_over(runner);
    if (interrupted_) total.interrupt();
    return true;
  }

 private:
  void work(unsigned thread) noexcept {
    BlockRunner& runner = runners_[thread];
    try {
      while (!stop_.load(std::memory_order_relaxed)) {
        const std::uint64_t block = next_.fetch_add(1, std::memory_order_relaxed);
        if (block >= end_) return;
        runner.run_block(block);
        if (!runner.going_on()) break;
        done_.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (...) {
      errors_[thread] = std::current_exception();
    }
    if (!runner.going_on() || errors_[thread]) stop_.store(true, std::memory_order_relaxed);
  }

  /// The outside world is asked by the first thread alone, also while the last blocks of others run.
  void wait_for_others() {
    constexpr std::chrono::milliseconds between_looks{20};
    std::unique_lock<std::mutex> lock(mutex_);
    while (!ended_.wait_for(lock, between_looks, [this] { return running_ == 0; })) {
      if (!stop_.load(std::memory_order_relaxed) && !goes_on()) stop_.store(true, std::memory_order_relaxed);
    }
  }

  /// Limits end the run of all.
  Verdict watch(unsigned thread, const Progress& progress) {
    issued_[thread].store(progress.warp_instructions, std::memory_order_relaxed);
    if (stop_.load(std::memory_order_relaxed)) return Verdict::interrupt;
    if (issued_before_ + progress.warp_instructions > control_.max_shader_cycles.count()) return Verdict::interrupt;
    return thread != 0 || goes_on() ? Verdict::go_on : Verdict::interrupt;
  }

  bool goes_on() {
    if (!control_.watch) return true;
    // Of the thread that has issued most: who watches for blocks that never end must not see several as one.
    std::uint64_t most = 0;
    for (const auto& issued : issued_) most = std::max(most, issued.load(std::memory_order_relaxed));
    const Progress all{done_.load(std::memory_order_relaxed) - first_, end_ - first_, issued_before_ + most, 0};
    interrupted_ = control_.watch(all) != Verdict::go_on;
    return !interrupted_;
  }

  [[nodiscard]] bool as_if_in_order() const {
    std::uint64_t issued = issued_before_;
    for (const BlockRunner& runner : runners_) {
      if (!runner.going_on()) return false;
      issued += runner.issued();
    }
    std::vector<const MemoryFootprint*> footprints;
    for (const ThreadWatch& thread : watched_) {
      // Told of the first one, which is that of the first block only in order.
      if (thread.partial_barriers.count != 0) return false;
      footprints.push_back(&thread.footprint);
    }
    return issued <= control_.max_shader_cycles.count() && MemoryFootprint::are_independent(footprints) &&
           std::none_of(launch_.textures.begin(), launch_.textures.end(),
                        [this](const Texture& texture) { return texture.bound() && wrote(texture.image); });
  }

  [[nodiscard]] bool wrote(const TextureImage& image) const {
    return std::any_of(watched_.begin(), watched_.end(), [&image](const ThreadWatch& thread) {
      return thread.footprint.wrote_in(image.address, image.bytes());
    });
  }

  const Launch& launch_;
  const FunctionalOptions& options_;
  const RunControl& control_;
  PageImages images_;
  std::deque<ThreadWatch> watched_;
  std::deque<RunControl> controls_;
  std::deque<BlockRunner> runners_;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::atomic<std::uint64_t>> issued_;  ///< as last told, by thread
  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> done_;
  std::atomic<bool> stop_{false};
  std::uint64_t end_, first_;  ///< blocks of the launch
  std::uint64_t issued_before_;
  bool interrupted_ = false;  ///< written by the first thread, which is the caller
  std::mutex mutex_;
  std::condition_variable ended_;
  unsigned running_ = 0;  ///< threads besides the first; guarded by mutex_
};

}  // namespace

bool may_run_in_parallel(const Launch& launch, const FunctionalOptions& options) {
  const auto& code = launch.kernel->code;
  return options.threads > 1 && options.profile == nullptr && std::none_of(code.begin(), code.end(), shows_order);
}

bool run_in_parallel(const Launch& launch, const FunctionalOptions& options, const RunControl& control,
                     BlockIndex first, BlockRunner& total) {
  return ParallelRun(launch, options, control, first, total.issued()).run(total);
}

}  // namespace teslasim
