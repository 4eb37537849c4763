// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/barrier_report.h"

#include <fmt/format.h>

#include <bit>

#include "isa/disassembler.h"
#include "sim/exec/kernel_error.h"

namespace teslasim {
namespace {

std::string list_warps(LaneMask warps) {
  std::string text;
  for (; warps != 0; warps &= warps - 1) text += fmt::format(" w{}", std::countr_zero(warps));
  return text;
}

std::string cause_of(const BlockBarriers& barriers, unsigned barrier, unsigned missing, const BarrierWarp& warp) {
  if (warp.finished) return fmt::format("warp {} left the kernel without reaching barrier {}", missing, barrier);
  for (unsigned other = 0; other < BlockBarriers::count; ++other) {
    if (other == barrier || (barriers.waiting(other) >> missing & 1U) == 0) continue;
    return fmt::format("warp {} waits at barrier {}, others of its block at barrier {}", missing, other, barrier);
  }
  return "";
}

}  // namespace

std::string describe_instruction(const Launch& launch, std::uint32_t pc) {
  for (const Instruction& instruction : launch.kernel->code) {
    if (instruction.pc == pc) return fmt::format("{:#06x}  {}", pc, to_text(instruction));
  }
  return fmt::format("{:#06x}", pc);
}

BarrierReport describe_barriers(const Launch& launch, BlockIndex block, const BlockBarriers& barriers,
                                std::span<const BarrierWarp> warps) {
  BarrierReport report;
  for (unsigned barrier = 0; barrier < BlockBarriers::count; ++barrier) {
    const LaneMask waiting = barriers.waiting(barrier);
    if (waiting == 0) continue;
    const LaneMask present = barriers.present(barrier);
    report.lines.push_back(fmt::format("{}  barrier {}:  {} of {} warps arrived", describe_block(launch, block),
                                       barrier, std::popcount(present), warps.size()));
    report.lines.push_back(
        fmt::format("   arrived {}  at {}", list_warps(present),
                    describe_instruction(launch, warps[static_cast<unsigned>(std::countr_zero(waiting))].pc)));
    for (unsigned i = 0; i < warps.size(); ++i) {
      if ((present >> i & 1U) != 0) continue;
      const BarrierWarp& warp = warps[i];
      std::string line = fmt::format("   missing  w{}  {} {}", i, warp.finished ? "finished at" : "last issued",
                                     describe_instruction(launch, warp.pc));
      if (!warp.condition.empty()) line += ", " + warp.condition;
      report.lines.push_back(std::move(line));
      if (report.cause.empty()) report.cause = cause_of(barriers, barrier, i, warp);
    }
  }
  return report;
}

}  // namespace teslasim
