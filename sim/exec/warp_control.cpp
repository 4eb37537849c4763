// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/warp_control.h"

#include "isa/instruction.h"

namespace teslasim {
namespace {

using Type = StackEntry::Type;

bool is_call(Type type) {
  return type == Type::call || type == Type::limited_call;
}

}  // namespace

void WarpControl::start(LaneMask launched, StackEntry* stack, Limits limits) {
  *this = WarpControl{};
  stack_ = stack;
  limits_ = limits;
  active_ = launched;
}

ControlFault WarpControl::push(StackEntry::Type type, std::uint32_t index, LaneMask mask) {
  if (depth_ == limits_.entries) return ControlFault::overflow;
  stack_[depth_++] = {index, mask, type};
  if (is_call(type)) ++calls_;
  if (type == Type::limited_call) ++limited_calls_;
  return ControlFault::none;
}

StackEntry WarpControl::pop() {
  const StackEntry entry = stack_[--depth_];
  if (is_call(entry.type)) --calls_;
  if (entry.type == Type::limited_call) --limited_calls_;
  return entry;
}

ControlFault WarpControl::push_and_advance(StackEntry::Type type, std::uint32_t target) {
  if (target == no_index) return ControlFault::bad_address;
  const ControlFault fault = push(type, target, active_);
  if (fault == ControlFault::none) advance();
  return fault;
}

ControlFault WarpControl::join() {
  if (depth_ == 0) return ControlFault::underflow;
  const Type type = stack_[depth_ - 1].type;
  if (type != Type::branch && type != Type::joinat) return ControlFault::mismatch;
  const StackEntry entry = pop();
  active_ = running(entry.mask);
  if (active_ == 0) return unwind();
  if (type == Type::branch) {
    jump(entry.index);
  } else {
    joined_ = true;
  }
  return ControlFault::none;
}

ControlFault WarpControl::branch(LaneMask taken, std::uint32_t target) {
  if (taken == 0) {
    advance();
    return ControlFault::none;
  }
  if (target == no_index) return ControlFault::bad_address;
  if (taken != active_) {
    const ControlFault fault = push(Type::branch, index_ + 1, active_ & ~taken);
    if (fault != ControlFault::none) return fault;
    active_ = taken;
  }
  jump(target);
  return ControlFault::none;
}

ControlFault WarpControl::enter(StackEntry::Type type, std::uint32_t target) {
  if (target == no_index) return ControlFault::bad_address;
  const ControlFault fault = push(type, index_ + 1, active_);
  if (fault == ControlFault::none) jump(target);
  return fault;
}

ControlFault WarpControl::call(std::uint32_t target) {
  return enter(Type::call, target);
}

ControlFault WarpControl::limited_call(std::uint32_t target) {
  if (limited_calls_ < limits_.limited_calls) return enter(Type::limited_call, target);
  advance();
  return ControlFault::none;
}

ControlFault WarpControl::leave_loop(LaneMask lanes) {
  broken_ |= lanes;
  return remove(lanes);
}

ControlFault WarpControl::leave_function(LaneMask lanes) {
  (calls_ == 0 ? exited_ : returned_) |= lanes;
  return remove(lanes);
}

ControlFault WarpControl::exit(LaneMask lanes) {
  exited_ |= lanes;
  return remove(lanes);
}

ControlFault WarpControl::remove(LaneMask lanes) {
  active_ &= ~lanes;
  if (active_ == 0) return unwind();
  advance();
  return ControlFault::none;
}

LaneMask WarpControl::resume(const StackEntry& entry) {
  if (entry.type == Type::brk) broken_ &= ~entry.mask;
  if (is_call(entry.type)) returned_ &= ~entry.mask;
  return running(entry.mask);
}

ControlFault WarpControl::unwind() {
  while (depth_ != 0) {
    const StackEntry entry = pop();
    active_ = resume(entry);
    if (entry.type == Type::quadon) active_ = 0;
    if (active_ == 0) continue;
    jump(entry.index);
    // The entry of a join has just been consumed: the flagged instruction must not pop another one.
    joined_ = entry.type == Type::joinat;
    return ControlFault::none;
  }
  // Lanes that wait for the end of a loop or function that no lane entered.
  return (broken_ | returned_) == 0 ? ControlFault::none : ControlFault::underflow;
}

ControlFault WarpControl::enable_quads() {
  const ControlFault fault = push(Type::quadon, index_, active_);
  if (fault != ControlFault::none) return fault;
  constexpr LaneMask first_of_quads = 0x11111111U;
  const LaneMask any = (active_ | active_ >> 1U | active_ >> 2U | active_ >> 3U) & first_of_quads;
  active_ = any * 0xfU;
  advance();
  return ControlFault::none;
}

ControlFault WarpControl::restore_quads() {
  if (depth_ == 0) return ControlFault::underflow;
  if (stack_[depth_ - 1].type != Type::quadon) return ControlFault::mismatch;
  active_ = running(pop().mask);
  if (active_ == 0) return unwind();
  advance();
  return ControlFault::none;
}

}  // namespace teslasim
