// SPDX-License-Identifier: Apache-2.0
// The fields of instruction words that name registers are shorter in the immediate form, and halves are numbered twice
// as high.
#include <algorithm>
#include <utility>

#include "frontend/compiler/register_groups.h"

namespace teslasim::compiler {
namespace {

constexpr unsigned immediate_reach = 64;

unsigned reach_of(const Instruction& instruction, const Operand& operand, bool is_result) {
  const bool immediate = instruction.form == Form::immediate_form && !(is_result && instruction.opcode == Opcode::mov);
  const unsigned whole = immediate ? immediate_reach : all_registers;
  return operand.half == Operand::Half::full ? whole : whole / 2;
}

bool is_narrow(const MachineInstruction& one) {
  return one.instruction.form == Form::immediate_form && one.instruction.opcode != Opcode::mov;
}

bool names(const MachineInstruction& one, const RegisterGroups& groups, GroupIndex group) {
  bool found = false;
  // Registers that were made since have no place yet.
  const auto look = [&](VirtualRegister named) {
    found = found || (named < groups.places.size() && groups.places[named].group == group);
  };
  for_each_read(one, look);
  for_each_write(one, look);
  return found;
}

}  // namespace

std::vector<unsigned> register_reaches(const MachineFunction& function) {
  std::vector<unsigned> reaches(function.registers.size(), all_registers);
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInstruction& one : block.code) {
      const Instruction& i = one.instruction;
      for (const VirtualRegister result : one.result)
        reaches[result] = std::min(reaches[result], reach_of(i, i.destination[0], true));
      for (std::size_t k = 0; k < one.source.size(); ++k) {
        for (const VirtualRegister source : one.source[k])
          reaches[source] = std::min(reaches[source], reach_of(i, i.source[k], false));
      }
    }
  }
  return reaches;
}

bool widen_immediates(MachineFunction& function, const RegisterGroups& groups, GroupIndex group) {
  if (groups.groups[group].reach == all_registers) return false;
  bool changed = false;
  for (MachineBlock& block : function.blocks) {
    std::vector<MachineInstruction> code;
    for (MachineInstruction& one : block.code) {
      if (is_narrow(one) && names(one, groups, group)) {
        const VirtualRegister fresh = function.add_register(RegisterClass::general);
        code.push_back(constant_move(fresh, one.instruction.source[1].immediate));
        code.back().instruction.source_line = one.instruction.source_line;
        const bool half =
            one.instruction.source_type[1] == ValueType::u16 || one.instruction.source_type[1] == ValueType::s16;
        Operand source;
        source.kind = Operand::Kind::gpr;
        source.half = half ? Operand::Half::low : Operand::Half::full;
        one.instruction.source[1] = source;
        one.instruction.form = Form::long_form;
        one.source[1] = RegisterTuple(fresh);
        changed = true;
      }
      code.push_back(one);
    }
    block.code = std::move(code);
  }
  return changed;
}

}  // namespace teslasim::compiler
