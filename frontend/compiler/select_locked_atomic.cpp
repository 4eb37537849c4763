// SPDX-License-Identifier: Apache-2.0
// Atomic operations on shared memory: read with a lock, compute, write and unlock, again where another thread was
// first.
//
// Threads that did not get the lock must not branch before the others have stored: branches run the threads that take
// them first. So the winners compute and store under their guard, and the branch back comes last (envytools, Mesa).
#include <utility>

#include "frontend/compiler/select_memory.h"

namespace teslasim::compiler {
namespace {

using Kind = Operand::Kind;

/// After a locked load the sign flag says that the lock was taken.
constexpr std::uint8_t lock_taken = 1;
constexpr std::uint8_t lock_missed = 6;

class LockedAtomic {
 public:
  LockedAtomic(const SelectionContext& context, const IrNode& node) : c_(context), node_(node) {}

  void run() {
    for (std::size_t k = 1; k < node_.arguments.size(); ++k)
      operands_.push_back(c_.operands.in_register(node_.arguments[k]));
    place_.kind = Kind::shared;
    place_.type = ValueType::b32;
    c_.operands.set_address(store_, place_, node_.arguments[0], node_.offset, 0xffff);
    MachineFunction& machine = c_.builder.machine();
    const BlockIndex before = c_.builder.block();
    const auto loop = static_cast<BlockIndex>(machine.blocks.size());
    const BlockIndex after = loop + 1;
    machine.blocks.resize(machine.blocks.size() + 2);
    machine.blocks[loop].depth = machine.blocks[before].depth + 1;
    machine.blocks[after].depth = machine.blocks[before].depth;
    machine.blocks[after].joins = true;
    announce(after);
    machine.blocks[before].end.kind = MachineEnd::Kind::jump;
    machine.blocks[before].end.target[0] = loop;
    c_.builder.begin_block(loop);
    old_ = c_.builder.register_of(node_.results[0]);
    flags_ = c_.builder.new_register(RegisterClass::flags);
    load();
    compute();
    store();
    MachineEnd& end = machine.blocks[loop].end;
    end.kind = MachineEnd::Kind::branch;
    end.guard = flags_;
    end.target = {loop, after};
    end.condition = lock_missed;
    c_.builder.begin_block(after);
  }

 private:
  void announce(BlockIndex after) {
    MachineInstruction join;
    join.instruction.opcode = Opcode::joinat;
    join.instruction.form = Form::control_form;
    join.target = after;
    c_.builder.append(join);
  }

  void load() {
    MachineInstruction one;
    one.instruction.opcode = Opcode::load_shared;
    one.instruction.lock = true;
    one.instruction.flag_destination = 0;
    one.instruction.destination[0].kind = Kind::gpr;
    one.instruction.source[0] = place_;
    one.memory = store_.memory;
    one.result = RegisterTuple(old_);
    one.flag_result = flags_;
    c_.builder.append(one);
  }

  /// An instruction that only the owners of a lock execute.
  MachineInstruction guarded(Opcode opcode, ValueType type, VirtualRegister result) {
    MachineInstruction one;
    one.instruction.opcode = opcode;
    one.instruction.type = type;
    one.instruction.condition = lock_taken;
    one.instruction.destination[0].kind = Kind::gpr;
    one.guard = flags_;
    one.result = RegisterTuple(result);
    return one;
  }
  static void read(MachineInstruction& one, std::size_t position, VirtualRegister source) {
    one.instruction.source[position].kind = Kind::gpr;
    one.source[position] = RegisterTuple(source);
  }

  void binary(Opcode opcode, ValueType type) {
    MachineInstruction one = guarded(opcode, type, new_);
    read(one, 0, old_);
    read(one, 1, operands_[0]);
    c_.builder.append(one);
  }

  void compute() {
    new_ = c_.builder.new_register();
    switch (node_.atomic) {
      case AtomicOperation::add:
        return binary(Opcode::add, ValueType::u32);
      case AtomicOperation::max:
        return binary(Opcode::max, node_.type);
      case AtomicOperation::min:
        return binary(Opcode::min, node_.type);
      case AtomicOperation::logic_and:
        return binary(Opcode::logic_and, ValueType::b32);
      case AtomicOperation::logic_or:
        return binary(Opcode::logic_or, ValueType::b32);
      case AtomicOperation::logic_xor:
        return binary(Opcode::logic_xor, ValueType::b32);
      case AtomicOperation::exch:
        new_ = operands_[0];
        return;
      case AtomicOperation::cas:
        return exchange_if_equal();
      case AtomicOperation::inc:
      case AtomicOperation::dec:
        return wrap();
    }
  }

  /// mask & (a ^ b) ^ b: a where the mask is set, without further flags.
  void choose(VirtualRegister mask, VirtualRegister taken, VirtualRegister other) {
    const VirtualRegister difference = combined(Opcode::logic_xor, taken, other);
    const VirtualRegister masked = combined(Opcode::logic_and, difference, mask);
    new_ = combined(Opcode::logic_xor, masked, other);
  }
  VirtualRegister combined(Opcode opcode, VirtualRegister left, VirtualRegister right, ValueType type = ValueType::b32,
                           Relations compare = Relations::no_relation) {
    const VirtualRegister result = c_.builder.new_register();
    MachineInstruction one;
    one.instruction.opcode = opcode;
    one.instruction.type = type;
    one.instruction.compare = compare;
    one.instruction.destination[0].kind = Kind::gpr;
    read(one, 0, left);
    read(one, 1, right);
    one.result = RegisterTuple(result);
    c_.builder.append(one);
    return result;
  }

  void exchange_if_equal() {
    const VirtualRegister equal = combined(Opcode::set, old_, operands_[0], ValueType::u32, Relations::equal);
    choose(equal, operands_[1], old_);
  }

  /// inc: old >= limit ? 0 : old + 1; dec: old == 0 or old > limit ? limit : old - 1.
  void wrap() {
    const bool up = node_.atomic == AtomicOperation::inc;
    const VirtualRegister one = c_.builder.materialise(1);
    const VirtualRegister next = combined(up ? Opcode::add : Opcode::sub, old_, one, ValueType::u32);
    if (up) {
      const VirtualRegister below = combined(Opcode::set, old_, operands_[0], ValueType::u32, Relations::less);
      new_ = combined(Opcode::logic_and, next, below);
      return;
    }
    // old - 1 of 0 is the largest number, so one comparison says both.
    const VirtualRegister below = combined(Opcode::set, next, operands_[0], ValueType::u32, Relations::less);
    choose(below, next, operands_[0]);
  }

  void store() {
    store_.instruction.opcode = Opcode::store_shared;
    store_.instruction.lock = true;
    store_.instruction.store_target = place_;
    store_.instruction.condition = lock_taken;
    store_.guard = flags_;
    store_.instruction.source[0].kind = Kind::gpr;
    store_.source[0] = RegisterTuple(new_);
    c_.builder.append(store_);
  }

  const SelectionContext& c_;
  const IrNode& node_;
  std::vector<VirtualRegister> operands_{};
  MachineInstruction store_{};
  Operand place_{};
  VirtualRegister old_ = no_register, new_ = no_register, flags_ = no_register;
};

}  // namespace

void select_locked_atomic(const SelectionContext& c, const IrNode& node) {
  LockedAtomic(c, node).run();
}

}  // namespace teslasim::compiler
