// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/numbered_code.h"

#include "isa/forms.h"

namespace teslasim::compiler {

using Kind = Operand::Kind;

Instruction numbered(const MachineInstruction& one, const RegisterAllocation& allocation) {
  const auto number = [&](VirtualRegister of) { return allocation.number[of]; };
  Instruction i = one.instruction;
  if (MachineFunction::calls(one)) return i;  // the routine knows its registers
  if (!one.result.empty()) i.destination[0].index = number(one.result[0]);
  for (std::size_t k = 0; k < one.source.size(); ++k) {
    if (!one.source[k].empty()) i.source[k].index = number(one.source[k][0]);
  }
  if (i.opcode == Opcode::add_address && one.source[0].empty()) i.source[0].index = 0;
  if (one.memory != no_register) {
    for (Operand* operand : {&i.source[0], &i.store_target}) {
      if (operand->kind == Kind::global) operand->index = number(one.memory);
      const bool has_address =
          operand->kind == Kind::shared || operand->kind == Kind::local || operand->kind == Kind::constant;
      if (has_address) operand->address_register = number(one.memory);
    }
  }
  if (one.flag_result != no_register) i.flag_destination = static_cast<std::int8_t>(number(one.flag_result));
  if (one.guard != no_register) i.guard_flags = number(one.guard);
  return i;
}

bool is_superfluous(const MachineInstruction& one, const RegisterAllocation& allocation) {
  return is_copy(one) && allocation.number[one.result[0]] == allocation.number[one.source[0][0]];
}

bool fits_short(Instruction i) {
  if (i.form != Form::long_form || i.join || i.exit || i.predicated() || i.flag_destination >= 0) return false;
  if (!has_form(i.opcode, Form::short_form) || i.opcode == Opcode::tex) return false;
  // Short sums take their carry from the first flag register only.
  if (i.reads_carry()) return false;
  make_short(i);
  finish(i);
  return !encoding_problem(i).has_value();
}

void make_short(Instruction& instruction) {
  instruction.form = Form::short_form;
  instruction.bytes = 4;
}

}  // namespace teslasim::compiler
