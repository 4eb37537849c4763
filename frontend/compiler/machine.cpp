// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

FlowGraph MachineFunction::graph() const {
  FlowGraph result(blocks.size());
  for (BlockIndex block = 0; block < blocks.size(); ++block) {
    for (const BlockIndex next : successors(block)) result.connect(block, next);
  }
  return result;
}

std::vector<unsigned> MachineFunction::definitions() const {
  std::vector<unsigned> result(registers.size());
  for (const MachineBlock& block : blocks) {
    for (const MachineInstruction& one : block.code)
      for_each_write(one, [&result](VirtualRegister written) { ++result[written]; });
  }
  return result;
}

std::vector<unsigned> MachineFunction::uses() const {
  std::vector<unsigned> result(registers.size());
  for (const MachineBlock& block : blocks) {
    for (const MachineInstruction& one : block.code)
      for_each_read(one, [&result](VirtualRegister read) { ++result[read]; });
    if (block.end.guard != no_register) ++result[block.end.guard];
    if (block.end.returned != no_register) ++result[block.end.returned];
  }
  return result;
}

void append_code(MachineBlock& block, const MachineInstruction& one) {
  auto at = block.code.end();
  while (at != block.code.begin() && (at - 1)->instruction.form == Form::control_form) --at;
  block.code.insert(at, one);
}

MachineInstruction copy_of(VirtualRegister result, VirtualRegister source) {
  MachineInstruction move;
  move.instruction.opcode = Opcode::mov;
  move.instruction.destination[0].kind = Operand::Kind::gpr;
  move.instruction.source[0].kind = Operand::Kind::gpr;
  move.source[0] = RegisterTuple(source);
  move.result = RegisterTuple(result);
  return move;
}

MachineInstruction constant_move(VirtualRegister result, std::uint32_t constant) {
  MachineInstruction move;
  Instruction& i = move.instruction;
  i.opcode = Opcode::mov;
  i.form = Form::immediate_form;
  i.destination[0].kind = Operand::Kind::gpr;
  i.source[0].kind = Operand::Kind::immediate;
  i.source[0].immediate = constant;
  move.result = RegisterTuple(result);
  return move;
}

bool is_copy(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  return i.opcode == Opcode::mov && i.source[0].kind == Operand::Kind::gpr && i.source[0].half == Operand::Half::full &&
         i.destination[0].kind == Operand::Kind::gpr && one.flag_result == no_register && one.guard == no_register &&
         i.type == ValueType::b32;
}

}  // namespace teslasim::compiler
