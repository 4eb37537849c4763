// SPDX-License-Identifier: Apache-2.0
// What was sampled of a program, and what the sum of its times is worth.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/block_sample.h"
#include "sim/cudart/launch_sampler.h"
#include "sim/run/block_sample_rule.h"

namespace teslasim::cudart {

struct ProgramSample {
  std::optional<LaunchSampler> launches{};
  std::optional<BlockSampleRule> blocks{};
  std::uint64_t launches_of_blocks = 0;  ///< of which some blocks ran in time
  std::uint64_t unsteady = 0;            ///< of those, without a steady state
  std::uint64_t timed_blocks = 0, function_blocks = 0;
  Femtoseconds blocks_bound = 0;  ///< sum over those launches: blocks of one kernel are wrong in one direction

  [[nodiscard]] bool any() const { return launches || blocks; }
  /// Of the sum of all times, at 95 %.
  [[nodiscard]] Femtoseconds bound() const { return blocks_bound + (launches ? launches->bound() : Femtoseconds(0)); }
  void add(const BlockSample& sample) {
    ++launches_of_blocks;
    unsteady += sample.steady ? 0 : 1;
    timed_blocks += sample.timed_blocks;
    function_blocks += sample.function_blocks;
    blocks_bound += sample.bound;
  }
};

}  // namespace teslasim::cudart
