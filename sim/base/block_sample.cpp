// SPDX-License-Identifier: Apache-2.0
#include "sim/base/block_sample.h"

#include <cmath>

namespace teslasim {

BlockSample& BlockSample::operator+=(const BlockSample& other) {
  waves = waves > other.waves ? waves : other.waves;
  timed_blocks += other.timed_blocks;
  function_blocks += other.function_blocks;
  function_warp_instructions += other.function_warp_instructions;
  cycles += other.cycles;
  cycles_bound += other.cycles_bound;
  time += other.time;
  bound += other.bound;
  if (std::abs(other.trend) > std::abs(trend)) trend = other.trend;
  if (std::abs(other.work_ratio - 1.0) > std::abs(work_ratio - 1.0)) work_ratio = other.work_ratio;
  steady = steady && other.steady;
  return *this;
}

}  // namespace teslasim
