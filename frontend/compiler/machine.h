// SPDX-License-Identifier: Apache-2.0
// A kernel as instructions of the chip on registers without number: what the selector makes, the allocator numbers and
// the emitter writes out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "frontend/compiler/flow_graph.h"
#include "isa/instruction.h"

namespace teslasim::compiler {

enum class RegisterClass : std::uint8_t { general, flags, address };
using VirtualRegister = std::uint32_t;
inline constexpr VirtualRegister no_register = ~VirtualRegister{0};

/// Up to four registers that stand side by side.
class RegisterTuple {
 public:
  RegisterTuple() = default;
  explicit RegisterTuple(VirtualRegister one) { add(one); }
  void add(VirtualRegister one) { words_[size_++] = one; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] VirtualRegister operator[](std::size_t word) const { return words_[word]; }
  [[nodiscard]] VirtualRegister& operator[](std::size_t word) { return words_[word]; }
  [[nodiscard]] const VirtualRegister* begin() const { return words_.data(); }
  [[nodiscard]] const VirtualRegister* end() const { return words_.data() + size_; }
  [[nodiscard]] VirtualRegister* begin() { return words_.data(); }
  [[nodiscard]] VirtualRegister* end() { return words_.data() + size_; }

 private:
  std::array<VirtualRegister, 4> words_{no_register, no_register, no_register, no_register};
  std::uint8_t size_ = 0;
};

/// `instruction` says everything but register numbers.
struct MachineInstruction {
  Instruction instruction{};
  RegisterTuple result{};                 ///< of the destination operand
  std::array<RegisterTuple, 3> source{};  ///< of source operands that are registers
  VirtualRegister memory = no_register;   ///< of the address in the one memory operand that has one
  VirtualRegister flag_result = no_register;
  VirtualRegister guard = no_register;  ///< also the carry, and what vote reads
  BlockIndex target = no_block;         ///< of joinat and call
  bool result_again = false;            ///< the last source must be the register of the result
  bool launch_word = false;             ///< s[] of a launch: nobody writes it
  bool ordered = false;                 ///< volatile: keeps its place among accesses to memory
  bool order_only = false;              ///< a fence for schedulers: no instruction of the chip
  bool fresh_result = false;            ///< nobody reads the result where the guard says no
  bool steps_memory = false;            ///< the access adds its offset to the register of its address

  /// The old value of the result stays where the guard says no.
  [[nodiscard]] bool keeps_result() const { return guard != no_register && instruction.predicated() && !fresh_result; }
};

[[nodiscard]] MachineInstruction copy_of(VirtualRegister result, VirtualRegister source);
/// A constant to a register.
[[nodiscard]] MachineInstruction constant_move(VirtualRegister result, std::uint32_t constant);
/// A register move that the allocator may make superfluous.
[[nodiscard]] bool is_copy(const MachineInstruction& instruction);

struct MachineEnd {
  enum class Kind : std::uint8_t { jump, branch, exit, back };
  Kind kind = Kind::exit;
  VirtualRegister guard = no_register;
  std::uint8_t condition = 5;  ///< code under which the first target is taken
  std::array<BlockIndex, 2> target{no_block, no_block};
  bool uniform = false;             ///< parts no threads
  std::uint8_t first = either_way;  ///< the target whose threads go on first
  std::uint32_t line = 0;
  VirtualRegister returned = no_register;  ///< back, to the caller of a routine: what that reads
};

struct MachineBlock {
  std::vector<MachineInstruction> code{};
  MachineEnd end{};
  bool joins = false;
  unsigned depth = 0;  ///< loops around it
};

/// Code that a kernel calls: one block, which nothing leads to.
struct MachineRoutine {
  std::uint32_t number = 0;
  BlockIndex block = no_block;
  std::array<VirtualRegister, 2> operand{no_register, no_register};  ///< the first one comes back as the result
};

struct MachineFunction {
  std::vector<MachineBlock> blocks{};
  std::vector<MachineRoutine> routines{};
  std::vector<RegisterClass> registers{};
  std::vector<std::uint32_t> literals{};       ///< words of bank 1
  VirtualRegister thread_index = no_register;  ///< in $r0 when the kernel starts
  std::uint32_t local_bytes = 0;

  [[nodiscard]] VirtualRegister add_register(RegisterClass kind) {
    registers.push_back(kind);
    return static_cast<VirtualRegister>(registers.size() - 1);
  }
  [[nodiscard]] std::span<const BlockIndex> successors(BlockIndex block) const {
    const MachineEnd& end = blocks[block].end;
    return {end.target.data(), end.kind == MachineEnd::Kind::branch ? 2U
                               : end.kind == MachineEnd::Kind::jump ? 1U
                                                                    : 0U};
  }
  [[nodiscard]] FlowGraph graph() const;
  /// How many instructions write each register.
  [[nodiscard]] std::vector<unsigned> definitions() const;
  /// How many instructions and ends of blocks read each register.
  [[nodiscard]] std::vector<unsigned> uses() const;
  [[nodiscard]] static bool calls(const MachineInstruction& one) { return one.instruction.opcode == Opcode::call; }
  /// Calls `function` with every register that the routine in `block` writes: its callers have nothing else there.
  template <typename Function>
  void for_each_overwritten(BlockIndex block, const Function& function) const;
};

/// At the end of the block, before the places to meet, which are announced last.
void append_code(MachineBlock& block, const MachineInstruction& one);

/// Calls `function` with every register that the instruction reads, and with every one that it writes.
template <typename Function>
void for_each_read(MachineInstruction& one, const Function& function) {
  for (RegisterTuple& tuple : one.source) {
    for (VirtualRegister& word : tuple) function(word);
  }
  if (one.memory != no_register) function(one.memory);
  if (one.guard != no_register) function(one.guard);
}
template <typename Function>
void for_each_write(MachineInstruction& one, const Function& function) {
  for (VirtualRegister& word : one.result) function(word);
  if (one.flag_result != no_register) function(one.flag_result);
  if (one.steps_memory) function(one.memory);
}
/// Each field that names a register, once: what is read and written stands in one field.
template <typename Function>
void for_each_name(MachineInstruction& one, const Function& function) {
  for_each_read(one, function);
  for (VirtualRegister& word : one.result) function(word);
  if (one.flag_result != no_register) function(one.flag_result);
}
template <typename Function>
void for_each_read(const MachineInstruction& one, const Function& function) {
  for (const RegisterTuple& tuple : one.source) {
    for (const VirtualRegister word : tuple) function(word);
  }
  if (one.memory != no_register) function(one.memory);
  if (one.guard != no_register) function(one.guard);
}
template <typename Function>
void for_each_write(const MachineInstruction& one, const Function& function) {
  for (const VirtualRegister word : one.result) function(word);
  if (one.flag_result != no_register) function(one.flag_result);
  if (one.steps_memory) function(one.memory);
}

template <typename Function>
void MachineFunction::for_each_overwritten(BlockIndex block, const Function& function) const {
  for (const MachineInstruction& one : blocks[block].code) for_each_write(one, function);
}

}  // namespace teslasim::compiler
