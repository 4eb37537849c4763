// SPDX-License-Identifier: Apache-2.0
#include "sim/model/warp_intervals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/sm/instruction_timing.h"

namespace teslasim {
namespace {

constexpr std::size_t register_count = 3 * 64;

template <typename Function>
void each_register(const RegisterSet& registers, Function function) {
  for (std::size_t word = 0; word < registers.words.size(); ++word) {
    for (std::uint64_t rest = registers.words[word]; rest != 0; rest &= rest - 1) {
      function(64 * word + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

/// When each register of the warp is ready, in SM cycles, and whether a load from the memory side makes it so.
class Replay {
 public:
  Replay(const Kernel& kernel, const SmSpec& spec, double load_latency)
      : timing_(timing_of(kernel, spec)), load_latency_(static_cast<std::uint64_t>(std::ceil(load_latency / 2.0))) {}

  /// Issues the next instruction: the cycles since the last issue, and whether a load was waited for.
  std::pair<std::uint64_t, bool> step(const WarpStep& step) {
    const InstructionTiming& timing = timing_[step.index];
    std::uint64_t issue = earliest_;
    bool memory = false;
    each_register(timing.need, [&](std::size_t index) {
      if (ready_[index] <= issue) return;
      issue = ready_[index];
      memory = by_load_[index];
    });
    const std::uint64_t distance = issue - last_;
    finish(step, timing, issue);
    return {distance, memory};
  }

 private:
  void finish(const WarpStep& step, const InstructionTiming& timing, std::uint64_t issue) {
    const std::uint64_t passes = std::uint64_t{step.replays} * timing.group_interval;
    last_ = issue + passes;
    earliest_ = last_ + timing.next_issue;
    if (!step.executed) return;
    const bool load = timing.pipe == Pipe::memory;
    const std::uint64_t result = last_ + (load ? load_latency_ : timing.register_latency);
    each_register(timing.register_writes, [&](std::size_t index) {
      ready_[index] = result;
      by_load_[index] = load;
    });
    each_register(timing.flag_writes, [&](std::size_t index) {
      ready_[index] = last_ + timing.flag_latency;
      by_load_[index] = false;
    });
  }

  std::vector<InstructionTiming> timing_;
  std::uint64_t load_latency_;
  std::uint64_t last_ = 0, earliest_ = 0;
  std::array<std::uint64_t, register_count> ready_{};
  std::array<bool, register_count> by_load_{};
};

using Kind = std::tuple<std::uint64_t, std::uint64_t, bool>;

}  // namespace

std::vector<WarpInterval> warp_intervals(const Kernel& kernel, const std::vector<WarpStep>& path, const SmSpec& spec,
                                         double load_latency) {
  Replay replay(kernel, spec, load_latency);
  const std::uint64_t full_rate = std::max<std::uint64_t>(1, warp_size / spec.sp_lanes / 2);  // SM cycles per issue
  std::map<Kind, std::size_t> places;
  std::vector<WarpInterval> intervals;
  const auto add = [&](std::uint64_t instructions, std::uint64_t stall, bool memory) {
    const auto [place, fresh] = places.try_emplace({instructions, stall, memory}, intervals.size());
    if (fresh) {
      intervals.push_back({instructions, stall, memory, 1});
    } else {
      ++intervals[place->second].count;
    }
  };
  std::uint64_t run = 0;
  for (const WarpStep& step : path) {
    const auto [distance, memory] = replay.step(step);
    if (run != 0 && distance > full_rate) {
      add(run, 2 * (distance - full_rate), memory);
      run = 0;
    }
    run += 1U + step.replays;
  }
  if (run != 0) add(run, 0, false);
  return intervals;
}

}  // namespace teslasim
