// SPDX-License-Identifier: Apache-2.0
// Limits on a run, ways to watch it, and what it returns: the same for the timing and the functional model.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

struct Progress {
  std::uint64_t ctas_done = 0, ctas_total = 0;
  std::uint64_t warp_instructions = 0;
  SpCycle shader_cycles = 0;
};

/// Blocks of a grid that follow each other.
struct BlockRange {
  BlockIndex first = 0;
  std::uint64_t end = never;  ///< the block behind the last one, at most that of the grid

  [[nodiscard]] std::uint64_t end_in(std::uint64_t blocks) const { return end < blocks ? end : blocks; }
  [[nodiscard]] std::uint64_t count_in(std::uint64_t blocks) const { return end_in(blocks) - first; }
};

enum class Verdict : std::uint8_t { go_on, interrupt };

/// Whether a simulator that keeps time series, and the times of warps, keeps those of a launch.
enum class Series : std::uint8_t { as_configured, none };

struct RunControl {
  SpCycle max_shader_cycles = never;  ///< stop with status `limit` at the first opportunity after this
  SpCycle stuck_shader_cycles =
      40'000'000;  ///< live-lock guard: stop with status `stuck` when no instruction issued for so long
  Series series = Series::as_configured;
  BlockRange blocks{};                              ///< only these run; they see the whole grid
  std::vector<Femtoseconds>* block_ends = nullptr;  ///< with time: gets a time for each block that ended, in any order
  std::function<Verdict(const Progress&)> watch;    ///< called a few times per host second at most; may be empty
};

/// The outcome of a launch, finished or not. Statistics are complete up to where it stopped.
struct LaunchOutcome {
  LaunchStatistics statistics;
  std::vector<Diagnostic> errors;  ///< kernel error or stuck report; empty when status is ok, limit or interrupted
};

}  // namespace teslasim
