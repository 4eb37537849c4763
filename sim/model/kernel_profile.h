// SPDX-License-Identifier: Apache-2.0
// What analytical models need from a launch beyond LaunchStatistics, without a clock: counts per stage between
// barriers, and the paths of the warps of one block. The functional model fills it on request.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/launch_statistics.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

/// Instruction types of Zhang & Owens 2011, table 1.
enum class ThroughputType : std::uint8_t { mul, mad, sfu, dp };
inline constexpr unsigned throughput_type_count = 4;
[[nodiscard]] ThroughputType throughput_type(const Instruction& instruction);

/// What all warps do between their k-th and next barrier.
struct StageCounts {
  std::array<std::uint64_t, throughput_type_count> instructions{};  ///< of warps
  std::uint64_t shared_passes = 0;                                  ///< half-warp passes, conflicts included
  std::uint64_t global_bytes = 0;                                   ///< after coalescing; textures without their cache
  std::uint64_t busiest = 0;         ///< instructions of the warp that has most of them, summed over blocks
  std::uint64_t busiest_shared = 0;  ///< shared_passes of the warp that has most of those, summed over blocks
};

/// One executed instruction of a warp.
struct WarpStep {
  std::uint32_t index = 0;    ///< position in the kernel
  std::uint16_t replays = 0;  ///< further passes over shared or constant memory
  bool executed = true;       ///< at least one lane passed the guard
};

struct KernelProfile {
  /// Barriers beyond this count as one stage with those before them (the last).
  static constexpr std::size_t max_stages = 64;
  static constexpr std::size_t max_steps = 1U << 20U;

  std::vector<StageCounts> stages;
  std::vector<std::vector<WarpStep>> paths;  ///< of the warps of the middle block, each cut at max_steps
  bool stages_merged = false;                ///< there were more stages than max_stages
};

/// Collects a profile while a launch executes.
class ProfileRecorder {
 public:
  ProfileRecorder(KernelProfile& profile, std::uint64_t blocks, unsigned warps);

  void start_block(BlockIndex block);
  /// After the instruction was counted: passes are those of the whole warp.
  void record(unsigned warp, const WarpInst& instruction, unsigned shared_passes, unsigned replays,
              std::uint64_t global_bytes);

 private:
  /// By stage and warp of the block, and by stage the largest.
  class Largest {
   public:
    void start_block(std::size_t stages, unsigned warps);
    void add_stage(unsigned warps);
    /// Adds to the warp's count; returns by how much the largest of the stage has grown.
    std::uint32_t add(std::size_t stage, unsigned warp, std::uint32_t amount);

   private:
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> most_;
  };

  KernelProfile& profile_;
  std::uint64_t middle_;
  bool followed_ = false;
  unsigned warps_;
  std::vector<std::uint32_t> stage_;  ///< of each warp of the block
  Largest issued_;
  Largest passes_;
};

}  // namespace teslasim
