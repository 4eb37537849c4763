// SPDX-License-Identifier: Apache-2.0
// Blocks of any machine instructions, and a machine that runs them on symbols.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "frontend/compiler/register_allocator.h"
#include "tests/frontend/compiler/small_machine.h"

namespace teslasim::compiler::testing {

using Digest = std::uint64_t;
inline Digest mix(Digest left, Digest right) {
  const Digest x = (left ^ (right + 0x9e3779b97f4a7c15ULL + (left << 6) + (left >> 2))) * 0xff51afd7ed558ccdULL;
  return x ^ (x >> 32);
}

/// Runs the blocks of a function one after the other. What is computed is a digest of the instruction, known by its
/// line, and of all that it depends on; moves, constants and local memory that the function did not have at first are
/// what they are. With an allocation it runs on the registers of the chip.
class SymbolicRun {
 public:
  explicit SymbolicRun(const MachineFunction& function, const RegisterAllocation* allocation = nullptr,
                       std::uint32_t local_bytes = ~0U)
      : function_(function), allocation_(allocation), local_bytes_(local_bytes) {
    registers_[key(function.thread_index)] = 1;
    for (const MachineBlock& block : function.blocks) {
      for (const MachineInstruction& one : block.code) run(one);
    }
  }
  /// What the stores have left, in their order.
  [[nodiscard]] Digest memory() const {
    Digest all = fences_;
    for (const auto& [kind, space] : spaces_) all = mix(mix(all, static_cast<Digest>(kind)), whole(space));
    return all;
  }

 private:
  using Kind = Operand::Kind;
  struct Space {
    Digest pointers = 0;  ///< stores through pointers
    std::map<std::int32_t, Digest> words{{0, 0}, {4, 0}, {8, 0}};
  };

  [[nodiscard]] std::uint32_t key(VirtualRegister one) const {
    if (allocation_ == nullptr) return one;
    return 256 * static_cast<std::uint32_t>(function_.registers[one]) + allocation_->number[one];
  }
  static Digest whole(const Space& space) {
    Digest all = space.pointers;
    for (const auto& [offset, word] : space.words) all = mix(mix(all, static_cast<Digest>(offset)), word);
    return all;
  }

  void run(const MachineInstruction& one) {
    if (is_spill_code(one)) return;
    const Instruction& i = one.instruction;
    const Digest identity = i.source_line;
    Digest seen = identity;
    for_each_read(one, [&](VirtualRegister read) { seen = mix(seen, registers_[key(read)]); });
    if (i.opcode == Opcode::mov_from_special) seen = mix(seen, executed_);
    if (i.opcode == Opcode::bar || one.ordered) fences_ = mix(fences_, mix(identity, memory()));
    visit_memory(one, seen);
    for_each_write(one, [&](VirtualRegister written) {
      registers_[key(written)] = one.keeps_result() ? mix(registers_[key(written)], seen) : mix(seen, 3);
    });
    executed_ ^= mix(identity, 7);
  }

  bool is_spill_code(const MachineInstruction& one) {
    const Instruction& i = one.instruction;
    if (is_copy(one)) {
      registers_[key(one.result[0])] = registers_[key(one.source[0][0])];
    } else if (i.opcode == Opcode::mov && i.source[0].kind == Kind::immediate) {
      registers_[key(one.result[0])] = i.source[0].immediate;
    } else if (i.opcode == Opcode::load_local && is_new(i.source[0])) {
      registers_[key(one.result[0])] = spilled_[i.source[0].offset];
    } else if (i.opcode == Opcode::store_local && is_new(i.store_target)) {
      spilled_[i.store_target.offset] = registers_[key(one.source[0][0])];
    } else {
      return false;
    }
    return true;
  }
  [[nodiscard]] bool is_new(const Operand& place) const {
    return place.kind == Kind::local && static_cast<std::uint32_t>(place.offset) >= local_bytes_;
  }

  void visit_memory(const MachineInstruction& one, Digest& seen) {
    const Operand& target = one.instruction.store_target;
    const bool stores = target.kind != Kind::none;
    const Operand& operand = stores ? target : one.instruction.source[0];
    if (operand.kind != Kind::shared && operand.kind != Kind::local && operand.kind != Kind::global) return;
    Space& space = spaces_.at(operand.kind);
    seen = mix(seen, fences_);
    const bool fixed = one.memory == no_register;
    if (!stores) {
      seen = mix(seen, fixed ? mix(space.pointers, space.words.at(operand.offset)) : whole(space));
    } else if (fixed) {
      space.words[operand.offset] = mix(seen, space.pointers);
    } else {
      space.pointers = mix(whole(space), seen);
    }
  }

  const MachineFunction& function_;
  const RegisterAllocation* allocation_;
  std::uint32_t local_bytes_;
  std::map<std::uint32_t, Digest> registers_{};
  std::map<std::int32_t, Digest> spilled_{};
  std::map<Kind, Space> spaces_{{Kind::shared, {}}, {Kind::local, {}}, {Kind::global, {}}};
  Digest fences_ = 0, executed_ = 0;
};

/// A block of any instructions: few registers, written again and again, some under guards, and constants; behind it a
/// block that stores what is left.
class RandomBlock {
 public:
  /// Its place in the function: behind a block that sets registers and before one that reads them.
  static constexpr BlockIndex place = 1;

  explicit RandomBlock(std::size_t registers = 8, int most = 60) {
    MachineFunction& function = machine_.function;
    function.local_bytes = 12;
    for (std::size_t k = 0; k < registers; ++k) general_.push_back(machine_.load(function.thread_index));
    const auto carried = static_cast<std::size_t>(*rc::gen::inRange(0, 4));
    for (std::size_t k = 0; k < carried; ++k) add_address();
    carried_ = addresses_;
    function.blocks.resize(3);
    function.blocks[0].end = {MachineEnd::Kind::jump, no_register, 5, {1, no_block}};
    std::swap(function.blocks[0].code, function.blocks[2].code);
    constants_ = general_;
    const auto length = *rc::gen::inRange(1, most);
    for (int k = 0; k < length; ++k) add();
    std::swap(function.blocks[0].code, function.blocks[1].code);
    std::swap(function.blocks[0].code, function.blocks[2].code);
    function.blocks[1].end = {MachineEnd::Kind::jump, no_register, 5, {2, no_block}};
    if (!flags_.empty()) function.blocks[1].end = {MachineEnd::Kind::branch, flags_.front(), 5, {2, 2}};
    for (std::size_t k = 0; k < general_.size(); k += 2) {
      MachineInstruction store;
      store.instruction.opcode = Opcode::store_global;
      const bool shared = k / 2 < carried;
      store.instruction.store_target = SmallMachine::operand(shared ? Kind::shared : Kind::global);
      store.memory = shared ? carried_[k / 2] : general_[0];
      SmallMachine::read(store, 0, general_[k]);
      function.blocks[2].code.push_back(store);
    }
    std::uint32_t line = 0;
    for (MachineBlock& block : function.blocks) {
      for (MachineInstruction& one : block.code) one.instruction.source_line = ++line;
    }
  }
  [[nodiscard]] const MachineFunction& function() const { return machine_.function; }

 private:
  using Kind = Operand::Kind;

  [[nodiscard]] VirtualRegister any() const { return *rc::gen::elementOf(general_); }
  [[nodiscard]] VirtualRegister any_source() const { return *rc::gen::elementOf(constants_); }
  void memory(MachineInstruction& one, Operand& operand) {
    const Kind kind = *rc::gen::element(Kind::shared, Kind::local, Kind::global);
    operand = SmallMachine::operand(kind, 4 * *rc::gen::inRange(0, 3));
    if (kind == Kind::global) {
      operand.offset = 0;
      one.memory = any_source();
    } else if (!addresses_.empty() && *rc::gen::inRange(0, 2) == 0) {
      one.memory = *rc::gen::elementOf(addresses_);
    }
    one.ordered = *rc::gen::inRange(0, 10) == 0;
  }
  void add() {
    switch (*rc::gen::inRange(0, 10)) {
      case 0:
      case 1:
        return add_load();
      case 2:
        return add_store();
      case 3:
        return *rc::gen::arbitrary<bool>() ? add_barrier() : add_clock();
      case 4:
        return add_address();
      case 5:
        return add_flags();
      case 6:
        constants_.push_back(machine_.constant(static_cast<std::uint32_t>(1000 + constants_.size())));
        return;
      default:
        return add_sum();
    }
  }
  void add_load() {
    MachineInstruction one = SmallMachine::with_result(Opcode::load_global, any());
    memory(one, one.instruction.source[0]);
    if (one.instruction.source[0].kind == Kind::local) one.instruction.opcode = Opcode::load_local;
    machine_.append(one);
  }
  void add_store() {
    MachineInstruction one;
    one.instruction.opcode = Opcode::store_global;
    SmallMachine::read(one, 0, any_source());
    memory(one, one.instruction.store_target);
    machine_.append(one);
  }
  void add_barrier() {
    MachineInstruction one;
    one.instruction.opcode = Opcode::bar;
    one.instruction.form = Form::control_form;
    machine_.append(one);
  }
  void add_clock() {
    MachineInstruction one = SmallMachine::with_result(Opcode::mov_from_special, any());
    one.instruction.source[0] = SmallMachine::operand(Kind::special);
    one.instruction.source[0].index = 1;
    machine_.append(one);
  }
  void add_address() {
    if (addresses_.size() == most_address_registers - 1) addresses_ = carried_;
    addresses_.push_back(machine_.function.add_register(RegisterClass::address));
    MachineInstruction one = SmallMachine::with_result(Opcode::shift_to_address, addresses_.back());
    SmallMachine::read(one, 0, constants_.empty() ? any() : any_source());
    machine_.append(one);
  }
  void add_flags() {
    if (flags_.size() == most_flag_registers - 1) flags_.clear();
    flags_.push_back(machine_.function.add_register(RegisterClass::flags));
    MachineInstruction one = SmallMachine::with_result(Opcode::set, any());
    SmallMachine::read(one, 0, any_source());
    one.flag_result = flags_.back();
    machine_.append(one);
  }
  void add_sum() {
    MachineInstruction one = SmallMachine::with_result(Opcode::add, any());
    SmallMachine::read(one, 0, any_source());
    SmallMachine::read(one, 1, any_source());
    if (!flags_.empty() && *rc::gen::inRange(0, 3) == 0) {
      one.guard = *rc::gen::elementOf(flags_);
      one.instruction.condition = 5;
    }
    machine_.append(one);
  }

  SmallMachine machine_{};
  std::vector<VirtualRegister> general_{}, constants_{}, flags_{}, addresses_{}, carried_{};
};

}  // namespace teslasim::compiler::testing
