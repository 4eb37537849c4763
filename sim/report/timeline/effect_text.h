// SPDX-License-Identifier: Apache-2.0
// What follows the bar in the lines of the instruction log: words and KEY=VALUE, parted by blanks.
#pragma once

#include <string>

#include "sim/base/pipeline_events.h"

namespace teslasim {

/// "$r1=0x0+0x4*lane $p0=z:0000000f,s:00000000,c:00000000,o:00000000 s[0x20]=0x7": what the lanes of the instruction
/// wrote, and words for what else there is to know.
[[nodiscard]] std::string effect_text(const PipelineEvents::Instruction& one, const InstructionEffects& effects);
/// "unit=SP replays=104,108 operands=106 written=130", in SP cycles.
[[nodiscard]] std::string issue_text(const PipelineEvents::Instruction& one);
/// "global load bytes=4 transactions=64@0x1000,64@0x1040 written=730"
[[nodiscard]] std::string access_text(const PipelineEvents::Instruction& one, const LaneAccess& access);

}  // namespace teslasim
