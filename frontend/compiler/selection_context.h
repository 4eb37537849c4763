// SPDX-License-Identifier: Apache-2.0
// What the selectors of single operations share.
#pragma once

#include <utility>
#include <vector>

#include "frontend/compiler/compile_options.h"
#include "frontend/compiler/operand_selector.h"

namespace teslasim::compiler {

struct SelectionContext {
  const IrFunction& function;
  MachineBuilder& builder;
  OperandSelector& operands;
  const CompileOptions& options;
  std::vector<std::uint32_t> uses;

  /// Flags of a truth value, and whether they mean the opposite.
  [[nodiscard]] std::pair<VirtualRegister, bool> flags_of(const IrArgument& condition) const {
    return operands.flags_of(condition);
  }
  /// An instruction with one result in the register of the node's first value.
  [[nodiscard]] MachineInstruction with_result(const IrNode& node, Opcode opcode) const {
    MachineInstruction one;
    one.instruction.opcode = opcode;
    one.instruction.destination[0].kind = Operand::Kind::gpr;
    one.result = RegisterTuple(builder.register_of(node.results[0]));
    return one;
  }
};

}  // namespace teslasim::compiler
