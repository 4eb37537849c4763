// SPDX-License-Identifier: Apache-2.0
// Operands of PTX instructions as values: registers, constants, special registers, addresses of variables.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "frontend/compiler/ir_builder.h"
#include "frontend/compiler/module_layout.h"
#include "frontend/compiler/ssa_builder.h"
#include "frontend/ptx/ptx_symbols.h"

namespace teslasim::compiler {

/// Textures are handled by numbers above this one; no address is as high.
inline constexpr std::uint32_t texture_handle = 0xffff0000U;

/// The names of a function, scope by scope. Module and function must outlive it.
class ScopeNames {
 public:
  ScopeNames(const ptx::PtxModule& module, const ptx::PtxFunction& function);
  [[nodiscard]] const ptx::PtxNames& of(const ptx::PtxScope* scope) const { return scopes_.at(scope); }

 private:
  void add(const ptx::PtxScope& scope, ptx::PtxNames names);
  std::unordered_map<const ptx::PtxScope*, ptx::PtxNames> scopes_{};
};

class PtxValues {
 public:
  /// `demote`: f64 is held as f32 in the first word.
  PtxValues(IrBuilder& ir, SsaBuilder& ssa, const ModuleLayout& module, const KernelLayout& kernel, bool demote)
      : ir_(ir), ssa_(ssa), module_(module), kernel_(kernel), demote_(demote) {}

  /// Names are looked up here from now on; registers belong to this copy of the function.
  void enter(const ptx::PtxNames& names, unsigned instance) {
    names_ = &names;
    instance_ = instance;
  }

  [[nodiscard]] IrArgument read(const ptx::PtxOperand& operand);
  [[nodiscard]] IrPair read_pair(const ptx::PtxOperand& operand);
  [[nodiscard]] IrArgument read_predicate(const ptx::PtxOperand& operand);
  /// With 8 and 16 bits brought to 32.
  [[nodiscard]] IrArgument read_extended(const ptx::PtxOperand& operand, ptx::PtxType type);
  [[nodiscard]] IrArgument extend(const IrArgument& value, ptx::PtxType type);
  void write(const ptx::PtxOperand& operand, const IrArgument& value);
  void write_pair(const ptx::PtxOperand& operand, const IrPair& value);

  /// A word of a register, or of a parameter of a call.
  [[nodiscard]] IrArgument read_word(const ptx::PtxSymbol& symbol, unsigned instance, unsigned element, unsigned word);
  void write_word(const ptx::PtxSymbol& symbol, unsigned instance, unsigned element, unsigned word,
                  const IrArgument& value);

  /// The carry of add.cc and its kin, 0 or 1.
  [[nodiscard]] IrArgument read_carry();
  void write_carry(const IrArgument& value);

  [[nodiscard]] ptx::PtxSymbol symbol(const std::string& name) const;
  [[nodiscard]] const ptx::PtxNames& names() const { return *names_; }
  [[nodiscard]] unsigned instance() const { return instance_; }
  /// Address of a variable: byte in its space, or a texture handle.
  [[nodiscard]] IrArgument address_of(const ptx::PtxVariable& variable, std::int64_t offset);
  /// Declared type of a register; none of anything else.
  [[nodiscard]] ptx::PtxType declared_type(const ptx::PtxOperand& operand) const;
  [[nodiscard]] bool demotes() const { return demote_; }
  [[nodiscard]] const KernelLayout& kernel() const { return kernel_; }

 private:
  [[nodiscard]] IrArgument special(const ptx::PtxOperand& operand);
  [[nodiscard]] IrArgument lane();
  [[nodiscard]] IrArgument launch_word(std::uint32_t byte, ValueType type);
  [[nodiscard]] IrArgument dimension(std::uint32_t base, char component);
  [[nodiscard]] IrArgument thread(char component);
  [[nodiscard]] IrArgument special_node(std::uint32_t number);

  IrBuilder& ir_;
  SsaBuilder& ssa_;
  const ModuleLayout& module_;
  const KernelLayout& kernel_;
  bool demote_;
  const ptx::PtxNames* names_ = nullptr;
  unsigned instance_ = 0;
  struct Key {
    const ptx::PtxVariable* variable;
    std::uint32_t number;
    unsigned instance, element, word;
    friend bool operator<(const Key& left, const Key& right) {
      return std::tie(left.variable, left.number, left.instance, left.element, left.word) <
             std::tie(right.variable, right.number, right.instance, right.element, right.word);
    }
  };
  std::map<Key, VariableIndex> variables_{};
};

}  // namespace teslasim::compiler
