// SPDX-License-Identifier: Apache-2.0
// Operands of one instruction against its row: number, kinds, widths.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/ptx/ptx_operations.h"
#include "frontend/ptx/ptx_symbols.h"

namespace teslasim::ptx {

class PtxOperandChecker {
 public:
  PtxOperandChecker(const PtxNames& names, std::vector<PtxMistake>& mistakes) : names_(names), mistakes_(mistakes) {}

  /// In a new function an undeclared name is reported again.
  void begin_function() { missing_.clear(); }
  void check_guard(const PtxInstruction& instruction);
  void check(const PtxInstruction& instruction, const PtxForm& form);
  /// Nothing, and a mistake at the first place, when the name is not declared.
  [[nodiscard]] std::optional<PtxSymbol> find(const std::string& name, const PtxPlace& place);

 private:
  enum class Width : std::uint8_t { exact, at_least };

  void check_role(PtxRole role, const PtxOperand& operand, const PtxInstruction& instruction, const PtxForm& form);
  void check_result(PtxRole role, const PtxOperand& operand, const PtxForm& form);
  void check_source(PtxRole role, const PtxOperand& operand, const PtxForm& form);
  void expect_register(const PtxOperand& operand, PtxType type, Width width);
  void expect_value(const PtxOperand& operand, PtxType type, Width width);
  void expect_moved(const PtxOperand& operand, PtxType type);
  void expect_special(const PtxOperand& operand, const PtxSpecialRegister& special, PtxType type, Width width);
  void expect_predicate(const PtxOperand& operand);
  void expect_elements(const PtxOperand& operand, PtxType type, unsigned count, PtxRole role);
  void expect_constant(const PtxOperand& operand, PtxType type);
  void expect_address(const PtxOperand& operand, const PtxForm& form);
  void expect_texture(const PtxOperand& operand, const PtxInstruction& instruction, const PtxForm& form);
  void expect_label(const PtxOperand& operand);
  void check_call(const PtxInstruction& instruction);
  void check_arguments(const PtxOperand* list, std::size_t wanted, const PtxInstruction& instruction,
                       const std::string& what);
  void expect_fit(const PtxOperand& operand, PtxType has, PtxType type, Width width);
  void complain(const PtxPlace& place, std::string code, std::string message, std::string help = "");

  const PtxNames& names_;
  std::vector<PtxMistake>& mistakes_;
  std::unordered_set<std::string> missing_;
};

/// Does an integer fit into that many bits, with or without a sign?
[[nodiscard]] bool fits_into(std::uint64_t value, unsigned bits);

}  // namespace teslasim::ptx
