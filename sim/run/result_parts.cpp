// SPDX-License-Identifier: Apache-2.0
#include "sim/run/result_parts.h"

#include "isa/disassembler.h"

namespace teslasim {

std::vector<ListingLine> listing_of(const Kernel& kernel) {
  std::vector<ListingLine> lines;
  lines.reserve(kernel.code.size());
  for (const Instruction& instruction : kernel.code) {
    lines.push_back({instruction.pc, instruction.bytes, instruction.source_line, to_text(instruction, &kernel), {}});
    if (has_target(instruction.opcode)) lines.back().target = instruction.branch().target;
  }
  return lines;
}

MachineFacts facts_of(const MachineSpec& spec) {
  MachineFacts facts;
  facts.name = spec.name;
  if (!spec.preset.empty()) facts.preset = spec.preset + "@" + spec.preset_version;
  facts.arch = spec.arch;
  facts.sms = spec.sms();
  facts.shader_mhz = spec.clock.shader_mhz;
  facts.peak_gbs_dram = spec.derived.peak_gbs_dram;
  return facts;
}

}  // namespace teslasim
