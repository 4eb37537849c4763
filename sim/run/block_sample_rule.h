// SPDX-License-Identifier: Apache-2.0
// Which blocks of a launch run in time when its blocks are sampled.
//
// The rule: the first ones, as the machine deals them, until so many waves have been dealt (a wave: what all SMs hold
// at once). One wave is not full, so that what is left of the grid is whole waves: then the last blocks leave SMs as
// empty as those of the whole grid do. A grid of fewer than twice as many waves runs whole.
#pragma once

#include <cstdint>
#include <string>

namespace teslasim {

struct BlockSampleRule {
  static constexpr std::uint64_t most_waves = 1000;
  std::uint64_t waves = 16;

  /// "blocks" or "blocks=N"; throws InputError (usage, CLI-VALUE).
  static BlockSampleRule parse(const std::string& text);
  /// What `parse` reads.
  [[nodiscard]] std::string text() const;

  /// Of a grid on a machine that holds `wave` blocks at once; all of them: it runs whole.
  [[nodiscard]] std::uint64_t timed_blocks(std::uint64_t grid, std::uint64_t wave) const;
};

}  // namespace teslasim
