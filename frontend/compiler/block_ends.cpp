// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/block_ends.h"

#include <algorithm>

namespace teslasim::compiler {
bool ends_threads(const MachineFunction& function, BlockIndex block) {
  const MachineEnd& end = function.blocks[block].end;
  if (end.kind == MachineEnd::Kind::exit) return true;
  if (end.kind != MachineEnd::Kind::jump) return false;
  const MachineBlock& next = function.blocks[end.target[0]];
  return next.end.kind == MachineEnd::Kind::exit && !next.joins && next.code.empty();
}

bool can_join(const Instruction& instruction) {
  return instruction.form == Form::long_form;
}

bool can_exit(const Instruction& i) {
  return i.form == Form::long_form && !i.predicated() && !i.exit && !i.join && i.opcode != Opcode::nop && !i.lock;
}

BlockOrder with_good_ends(const MachineFunction& function, BlockIndex block, const Dependences& dependences,
                          BlockOrder order) {
  const std::vector<MachineInstruction>& code = function.blocks[block].code;
  // Moves usually vanish, and fences always do.
  const auto stays = [&](InstructionIndex one) { return !code[one].order_only && !is_copy(code[one]); };
  if (function.blocks[block].joins) {
    const auto first = std::find_if(order.begin(), order.end(), stays);
    const auto better = std::find_if(order.begin(), order.end(), [&](InstructionIndex one) {
      return stays(one) && can_join(code[one].instruction) && dependences.predecessors(one).empty();
    });
    if (first != order.end() && better != order.end() && !can_join(code[*first].instruction))
      std::rotate(order.begin(), better, better + 1);
  }
  if (ends_threads(function, block)) {
    const auto last = std::find_if(order.rbegin(), order.rend(), stays);
    const auto better = std::find_if(order.rbegin(), order.rend(), [&](InstructionIndex one) {
      return stays(one) && can_exit(code[one].instruction) && dependences.successors(one).empty();
    });
    if (last != order.rend() && better != order.rend() && !can_exit(code[*last].instruction))
      std::rotate(order.rbegin(), better, better + 1);
  }
  return order;
}

}  // namespace teslasim::compiler
