// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/machine_liveness.h"

namespace teslasim::compiler {

bool LiveSet::insert(const LiveSet& other) {
  bool added = false;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    const std::uint64_t before = words_[word];
    words_[word] |= other.words_[word];
    added = added || words_[word] != before;
  }
  return added;
}

void step_back(LiveSet& live, const MachineInstruction& instruction) {
  if (!instruction.keeps_result()) {
    for_each_write(instruction, [&](VirtualRegister one) { live.remove(one); });
  } else {
    for_each_write(instruction, [&](VirtualRegister one) { live.insert(one); });
  }
  for_each_read(instruction, [&](VirtualRegister one) { live.insert(one); });
}

std::vector<LiveSet> live_at_ends(const MachineFunction& function) {
  const std::size_t registers = function.registers.size();
  std::vector<LiveSet> ends(function.blocks.size(), LiveSet(registers)), starts = ends;
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto block = static_cast<BlockIndex>(function.blocks.size()); block-- > 0;) {
      for (const BlockIndex next : function.successors(block)) ends[block].insert(starts[next]);
      LiveSet live = ends[block];
      if (function.blocks[block].end.guard != no_register) live.insert(function.blocks[block].end.guard);
      const std::vector<MachineInstruction>& code = function.blocks[block].code;
      for (auto at = code.rbegin(); at != code.rend(); ++at) step_back(live, *at);
      changed = starts[block].insert(live) || changed;
    }
  }
  return ends;
}

}  // namespace teslasim::compiler
