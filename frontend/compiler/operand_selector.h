// SPDX-License-Identifier: Apache-2.0
// Where the operands of an instruction come from: registers, s[], c[] or the instruction itself.
//
// Words of s[] and c[] are not loaded where an instruction can read them in place: the first source may be s[], one of
// the others c[]. What is read from memory that may change is only folded into a single reader behind which nothing is
// written.
#pragma once

#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/machine_builder.h"

namespace teslasim::compiler {

class OperandSelector {
 public:
  /// `far_loads`: there is an instruction that loads from any address in s[] (sm_11).
  OperandSelector(const IrFunction& function, MachineBuilder& builder, bool far_loads);

  /// May the value stay in memory until its readers are selected?
  [[nodiscard]] bool is_deferred(NodeIndex node) const { return deferred_.contains(node); }

  /// Chooses the form and fills sources 0 to n-1 from `arguments`; the first two may change places where the operation
  /// allows it.
  void set_sources(MachineInstruction& one, std::vector<IrArgument> arguments, bool commutes);
  /// A single source from a register.
  void set_register(MachineInstruction& one, std::size_t position, const IrArgument& argument);
  /// Words of one wide source, from registers.
  void set_words(MachineInstruction& one, std::size_t position, const std::vector<IrArgument>& words);
  [[nodiscard]] VirtualRegister in_register(const IrArgument& argument);
  /// Flags of a truth value, and whether they mean the opposite.
  [[nodiscard]] std::pair<VirtualRegister, bool> flags_of(const IrArgument& condition);
  /// Puts an instruction that is appended next under the guard of an access, if that has one.
  void set_guard(MachineInstruction& one, const IrNode& access);
  /// Base and offset of an access to s[], c[] or l[]; `reach` is the largest offset that the instruction can say.
  /// The operand has its type already.
  void set_address(MachineInstruction& one, Operand& operand, const IrArgument& base, std::uint32_t offset,
                   std::uint32_t reach);

  /// Would the argument be read from s[] as first source?
  [[nodiscard]] bool is_shared_operand(const IrArgument& argument) const;

 private:
  void find_deferred();
  [[nodiscard]] bool fits_immediate_form(const IrArgument& argument) const;
  [[nodiscard]] bool can_wait(BlockIndex block, std::size_t position) const;
  [[nodiscard]] bool is_constant_operand(const IrArgument& argument) const;
  void set_source(MachineInstruction& one, std::size_t position, const IrArgument& argument);
  void set_shared(MachineInstruction& one, const IrNode& node, std::uint32_t reach);
  [[nodiscard]] std::optional<std::vector<ChainLink>> chain_of(const IrArgument& truth) const;
  /// An address as a value and a constant.
  struct Base {
    IrArgument value{};
    std::uint32_t offset = 0;
  };
  [[nodiscard]] Base base_of(IrArgument at, std::uint32_t offset) const;
  [[nodiscard]] bool is_near(const IrArgument& argument) const;
  [[nodiscard]] const IrNode* guarded_source(const IrArgument& argument) const;
  void set_constant(MachineInstruction& one, std::size_t position, const IrNode& node);

  const IrFunction& function_;
  MachineBuilder& builder_;
  bool far_loads_;
  std::vector<std::uint32_t> uses_;
  std::unordered_set<NodeIndex> deferred_{}, read_in_large_blocks_{};
};

}  // namespace teslasim::compiler
