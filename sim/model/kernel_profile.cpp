// SPDX-License-Identifier: Apache-2.0
#include "sim/model/kernel_profile.h"

#include <algorithm>

namespace teslasim {

ThroughputType throughput_type(const Instruction& instruction) {
  if (instruction.unit() == UnitClass::sfu) return ThroughputType::sfu;
  if (instruction.unit() == UnitClass::dp) return ThroughputType::dp;
  return instruction.opcode == Opcode::fmul ? ThroughputType::mul : ThroughputType::mad;
}

void ProfileRecorder::Largest::start_block(std::size_t stages, unsigned warps) {
  counts_.assign(stages * warps, 0U);
  most_.assign(stages, 0U);
}

void ProfileRecorder::Largest::add_stage(unsigned warps) {
  counts_.resize(counts_.size() + warps, 0U);
  most_.push_back(0U);
}

std::uint32_t ProfileRecorder::Largest::add(std::size_t stage, unsigned warp, std::uint32_t amount) {
  const std::size_t warps = counts_.size() / most_.size();
  const std::uint32_t before = most_[stage];
  std::uint32_t& count = counts_[stage * warps + warp];
  count += amount;
  most_[stage] = std::max(before, count);
  return most_[stage] - before;
}

ProfileRecorder::ProfileRecorder(KernelProfile& profile, std::uint64_t blocks, unsigned warps)
    : profile_(profile), middle_(blocks / 2), warps_(warps), stage_(warps, 0) {
  profile_.stages.resize(1);
  profile_.paths.resize(warps);
}

void ProfileRecorder::start_block(BlockIndex block) {
  std::fill(stage_.begin(), stage_.end(), 0U);
  issued_.start_block(profile_.stages.size(), warps_);
  passes_.start_block(profile_.stages.size(), warps_);
  followed_ = block == middle_;
}

void ProfileRecorder::record(unsigned warp, const WarpInst& instruction, unsigned shared_passes, unsigned replays,
                             std::uint64_t global_bytes) {
  const Instruction& code = *instruction.instruction;
  const std::uint32_t number = stage_[warp];
  StageCounts& stage = profile_.stages[number];
  stage.busiest += issued_.add(number, warp, 1);
  if (shared_passes != 0) stage.busiest_shared += passes_.add(number, warp, shared_passes);
  ++stage.instructions[static_cast<unsigned>(throughput_type(code))];
  stage.shared_passes += shared_passes;
  stage.global_bytes += global_bytes;
  if (code.opcode == Opcode::bar && code.barrier().wait) {
    if (stage_[warp] + 1 < KernelProfile::max_stages) {
      ++stage_[warp];
      const std::size_t stages = stage_[warp] + std::size_t{1};
      if (profile_.stages.size() < stages) {
        profile_.stages.resize(stages);
        issued_.add_stage(warps_);
        passes_.add_stage(warps_);
      }
    } else {
      profile_.stages_merged = true;
    }
  }
  if (!followed_ || profile_.paths[warp].size() == KernelProfile::max_steps) return;
  profile_.paths[warp].push_back({code.index, static_cast<std::uint16_t>(replays), instruction.executed != 0});
}

}  // namespace teslasim
