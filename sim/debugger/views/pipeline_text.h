// SPDX-License-Identifier: Apache-2.0
// Units of an SM as text, and what an instruction has done.
#pragma once

#include <string>

#include "isa/program.h"
#include "sim/debugger/sm_events.h"

namespace teslasim {

class Sm;

/// What the units do behind the cycles before `now`. Cycles are SP cycles.
[[nodiscard]] std::string pipeline_text(const Sm& sm, const SmEvents& events, const Kernel& kernel, SmCycle now);
/// "cycle 106  warp 2 (block 0)  0x0010  add.u32 ...  ffffffff | $r3=0x0+0x4*lane", with a line end.
[[nodiscard]] std::string issue_line(const SmEvents::Issue& issue, const Kernel& kernel);

}  // namespace teslasim
