// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/machine_cleanup.h"

#include <algorithm>

#include "isa/forms.h"

namespace teslasim::compiler {
namespace {

bool has_effect(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  if (i.form == Form::control_form || i.store_target.kind != Operand::Kind::none) return true;
  if (i.lock || one.steps_memory) return true;
  return i.opcode == Opcode::atom || i.opcode == Opcode::nop || i.opcode == Opcode::pmevent;
}

class Cleanup {
 public:
  explicit Cleanup(MachineFunction& function) : function_(function) {}

  bool run() {
    reads_ = function_.uses();
    bool changed = false;
    for (MachineBlock& block : function_.blocks) {
      for (MachineInstruction& one : block.code) changed = drop_results(one) || changed;
      const auto useless = [this](const MachineInstruction& one) { return is_useless(one); };
      changed = std::erase_if(block.code, useless) != 0 || changed;
    }
    return changed;
  }

 private:
  [[nodiscard]] bool unread(const RegisterTuple& tuple) const {
    return std::all_of(tuple.begin(), tuple.end(), [this](VirtualRegister one) { return reads_[one] == 0; });
  }

  bool drop_results(MachineInstruction& one) const {
    bool changed = false;
    const bool always = form_row(one.instruction.opcode).flags == FlagField::always_flags || one.instruction.lock;
    if (one.flag_result != no_register && reads_[one.flag_result] == 0 && !always) {
      one.flag_result = no_register;
      one.instruction.flag_destination = -1;
      changed = true;
    }
    const bool discards = form_row(one.instruction.opcode).result == ResultField::gpr_or_discard;
    if (one.flag_result != no_register && discards && !one.result.empty() && one.result.size() == 1 &&
        unread(one.result)) {
      one.result = RegisterTuple();
      one.instruction.destination[0].kind = Operand::Kind::discard;
      changed = true;
    }
    return changed;
  }

  [[nodiscard]] bool is_useless(const MachineInstruction& one) const {
    if (has_effect(one)) return false;
    if (one.flag_result != no_register && reads_[one.flag_result] != 0) return false;
    return unread(one.result);
  }

  MachineFunction& function_;
  std::vector<unsigned> reads_{};
};

}  // namespace

void remove_unread_results(MachineFunction& function) {
  Cleanup cleanup(function);
  while (cleanup.run()) {
  }
}

}  // namespace teslasim::compiler
