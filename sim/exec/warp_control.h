// SPDX-License-Identifier: Apache-2.0
// Control flow of one warp: program counter, active lanes, and the divergence stack.
//
// Stands for the branch unit's view of a warp: one program counter, a mask of active lanes, a stack of entries
// {address, type, lane mask}, and two bits per lane that say whether it runs, has left by break, by return, or has
// exited (US patents 7,353,369 and 8,667,256; envytools documentation). The hardware keeps the top of the stack on chip
// and spills the rest; here it is one array of fixed capacity. A limited call (`call.lim`) does nothing when the stack
// already holds as many limited calls as the driver allows (envytools, table of the G80 family). Addresses are
// positions in Kernel::code. Errors are returned as ControlFault; the caller, which knows the place, words the message.
// Not modelled: the time that spilling takes.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/types.h"

namespace teslasim {

enum class ControlFault : std::uint8_t {
  none,
  overflow,     ///< the divergence stack is full
  underflow,    ///< a join, break or quadpop without its entry
  mismatch,     ///< an entry of another type than the instruction takes
  bad_address,  ///< a jump to a place that is not the start of an instruction, or past the end of the code
};

struct StackEntry {
  enum class Type : std::uint8_t { branch, call, limited_call, brk, quadon, joinat };
  std::uint32_t index = 0;
  LaneMask mask = 0;
  Type type = Type::branch;
};

class WarpControl {
 public:
  /// What a stack can hold: entries of all kinds, and limited calls among them.
  struct Limits {
    unsigned entries = 0;
    unsigned limited_calls = 0;
  };

  /// `stack` has room for `limits.entries` and outlives the warp.
  void start(LaneMask launched, StackEntry* stack, Limits limits);
  void clear() { *this = WarpControl{}; }

  [[nodiscard]] std::uint32_t index() const { return index_; }
  [[nodiscard]] LaneMask active() const { return active_; }
  [[nodiscard]] LaneMask exited() const { return exited_; }
  [[nodiscard]] bool finished() const { return active_ == 0; }
  /// True when the join flag of the instruction at `index()` has not popped its entry yet.
  [[nodiscard]] bool join_pending() const { return !joined_; }
  [[nodiscard]] unsigned depth() const { return depth_; }
  /// The top last.
  [[nodiscard]] std::span<const StackEntry> entries() const { return {stack_, depth_}; }

  /// To the next instruction in memory.
  void advance() {
    ++index_;
    joined_ = false;
  }
  void jump(std::uint32_t target) {
    index_ = target;
    joined_ = false;
  }
  /// The join flag: pops one entry. A parked branch path runs first; else the flagged instruction goes on for all.
  [[nodiscard]] ControlFault join();
  /// `taken` of the active lanes go to `target`; a split parks the others on the stack.
  [[nodiscard]] ControlFault branch(LaneMask taken, std::uint32_t target);
  [[nodiscard]] ControlFault push_join(std::uint32_t target) {
    return push_and_advance(StackEntry::Type::joinat, target);
  }
  [[nodiscard]] ControlFault push_break(std::uint32_t target) {
    return push_and_advance(StackEntry::Type::brk, target);
  }
  [[nodiscard]] ControlFault call(std::uint32_t target);
  /// A call, or nothing when too many limited calls are active.
  [[nodiscard]] ControlFault limited_call(std::uint32_t target);
  /// `lanes` wait for the end of the loop.
  [[nodiscard]] ControlFault leave_loop(LaneMask lanes);
  /// `lanes` wait for the end of the function; outside of any they exit.
  [[nodiscard]] ControlFault leave_function(LaneMask lanes);
  /// `lanes` end here, the others go on with the next instruction.
  [[nodiscard]] ControlFault exit(LaneMask lanes);
  [[nodiscard]] ControlFault enable_quads();
  [[nodiscard]] ControlFault restore_quads();

 private:
  [[nodiscard]] ControlFault enter(StackEntry::Type type, std::uint32_t target);
  [[nodiscard]] ControlFault push(StackEntry::Type type, std::uint32_t index, LaneMask mask);
  [[nodiscard]] ControlFault push_and_advance(StackEntry::Type type, std::uint32_t target);
  [[nodiscard]] StackEntry pop();
  [[nodiscard]] LaneMask running(LaneMask mask) const { return mask & ~(broken_ | returned_ | exited_); }
  [[nodiscard]] ControlFault remove(LaneMask lanes);
  /// No active lane is left: pops until an entry has lanes that can run.
  [[nodiscard]] ControlFault unwind();
  [[nodiscard]] LaneMask resume(const StackEntry& entry);

  StackEntry* stack_ = nullptr;
  Limits limits_;
  unsigned depth_ = 0;
  unsigned calls_ = 0;          ///< of both kinds
  unsigned limited_calls_ = 0;  ///< calls by call.lim among them
  std::uint32_t index_ = 0;
  LaneMask active_ = 0;
  LaneMask broken_ = 0, returned_ = 0, exited_ = 0;
  bool joined_ = false;
};

}  // namespace teslasim
