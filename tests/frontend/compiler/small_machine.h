// SPDX-License-Identifier: Apache-2.0
// Blocks of a few machine instructions for tests of orders and registers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler::testing {

struct SmallMachine {
  MachineFunction function{};

  SmallMachine() {
    function.thread_index = general();
    function.blocks.resize(1);
  }
  VirtualRegister general() { return function.add_register(RegisterClass::general); }
  [[nodiscard]] std::vector<MachineInstruction>& code(BlockIndex block = 0) { return function.blocks[block].code; }
  MachineInstruction& append(const MachineInstruction& one) {
    code().push_back(one);
    return code().back();
  }

  static Operand operand(Operand::Kind kind, std::int32_t offset = 0) {
    Operand operand;
    operand.kind = kind;
    operand.offset = offset;
    operand.type = ValueType::b32;
    return operand;
  }
  static void read(MachineInstruction& one, std::size_t position, VirtualRegister source) {
    one.instruction.source[position] = operand(Operand::Kind::gpr);
    one.source[position] = RegisterTuple(source);
  }
  static MachineInstruction with_result(Opcode opcode, VirtualRegister result) {
    MachineInstruction one;
    one.instruction.opcode = opcode;
    one.instruction.destination[0] = operand(Operand::Kind::gpr);
    one.result = RegisterTuple(result);
    return one;
  }

  VirtualRegister load(VirtualRegister address) {
    MachineInstruction one = with_result(Opcode::load_global, general());
    one.instruction.source[0] = operand(Operand::Kind::global);
    one.memory = address;
    return append(one).result[0];
  }
  MachineInstruction load_shared(VirtualRegister address) {
    MachineInstruction one = with_result(Opcode::load_shared, general());
    one.instruction.source[0] = operand(Operand::Kind::shared);
    one.memory = address;
    return append(one);
  }
  static MachineInstruction stored(VirtualRegister address, VirtualRegister value) {
    MachineInstruction one;
    one.instruction.opcode = Opcode::store_global;
    one.instruction.store_target = operand(Operand::Kind::global);
    one.memory = address;
    read(one, 0, value);
    return one;
  }
  void store(VirtualRegister address, VirtualRegister value) { append(stored(address, value)); }
  VirtualRegister add(VirtualRegister left, VirtualRegister right) {
    MachineInstruction one = with_result(Opcode::add, general());
    read(one, 0, left);
    read(one, 1, right);
    return append(one).result[0];
  }
  VirtualRegister add_constant(VirtualRegister left, std::uint32_t constant) {
    MachineInstruction one = with_result(Opcode::add, general());
    one.instruction.form = Form::immediate_form;
    read(one, 0, left);
    one.instruction.source[1].kind = Operand::Kind::immediate;
    one.instruction.source[1].immediate = constant;
    return append(one).result[0];
  }
  VirtualRegister constant(std::uint32_t value) { return append(constant_move(general(), value)).result[0]; }
};

inline std::ptrdiff_t count(const MachineFunction& function, Opcode opcode) {
  std::ptrdiff_t found = 0;
  for (const MachineBlock& block : function.blocks) {
    found += std::count_if(block.code.begin(), block.code.end(),
                           [&](const MachineInstruction& one) { return one.instruction.opcode == opcode; });
  }
  return found;
}

/// `values` are loaded, then summed up from the first to the last.
inline SmallMachine many_loaded_values(unsigned values) {
  SmallMachine machine;
  const VirtualRegister thread = machine.function.thread_index;
  std::vector<VirtualRegister> loaded;
  for (unsigned k = 0; k < values; ++k) loaded.push_back(machine.load(thread));
  VirtualRegister sum = thread;
  for (const VirtualRegister one : loaded) sum = machine.add(sum, one);
  machine.store(sum, sum);
  return machine;
}

}  // namespace teslasim::compiler::testing
