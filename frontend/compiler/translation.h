// SPDX-License-Identifier: Apache-2.0
// PTX to the intermediate form: what the translators of single instructions share, and those translators.
#pragma once

#include <string>
#include <vector>

#include "frontend/compiler/compile_options.h"
#include "frontend/compiler/ptx_values.h"
#include "frontend/ptx/ptx_operations.h"

namespace teslasim::compiler {

/// Functions of the runtime library that instructions without counterpart on the chip call.
class RuntimeCalls {
 public:
  virtual ~RuntimeCalls() = default;
  /// Words in, words out; the code stands inline.
  [[nodiscard]] virtual std::vector<IrArgument> call(const std::string& function,
                                                     const std::vector<IrArgument>& arguments) = 0;
};

/// One instruction and all that it may touch.
struct Translation {
  IrBuilder& ir;
  PtxValues& values;
  RuntimeCalls& runtime;
  const CompileOptions& options;
  std::vector<ptx::PtxMistake>& mistakes;
  std::vector<ptx::PtxMistake>& warnings;
  const ptx::PtxInstruction& instruction;
  const ptx::PtxForm& form;

  [[nodiscard]] const ptx::PtxOperand& operand(std::size_t position) const { return instruction.operands[position]; }
  [[nodiscard]] ptx::PtxType type() const { return form.types[0]; }
  [[nodiscard]] bool has(std::string_view modifier) const;
  [[nodiscard]] Rounding rounding() const;
  void unsupported(std::string message, std::string help = "") const;
  /// Says once for the whole module.
  void warn(std::string code, std::string message, std::string help = "") const;
};

[[nodiscard]] bool is_wide(ptx::PtxType type);
[[nodiscard]] bool is_float(ptx::PtxType type);
[[nodiscard]] bool is_signed_type(ptx::PtxType type);
/// u32 or s32.
[[nodiscard]] ValueType word_type(ptx::PtxType type);
/// "lt" and its kin, for floats also "ltu"; ordered comparisons of floats leave out `unordered`.
[[nodiscard]] Relations relations_of(const Translation& t);

// Each translates the instructions of one kind.
void translate_integer(const Translation& t);
void translate_wide_integer(const Translation& t);
/// Does it read or write the carry?
[[nodiscard]] bool hands_carry_on(const Translation& t);
void translate_carry(const Translation& t);
void translate_bits(const Translation& t);
void translate_float(const Translation& t);
void translate_double(const Translation& t);
void translate_comparison(const Translation& t);
void translate_move(const Translation& t);
void translate_conversion(const Translation& t);
void translate_memory(const Translation& t);
void translate_atomic(const Translation& t);
void translate_texture(const Translation& t);
void translate_system(const Translation& t);

/// f64 that is held as f32, to and from the 64 bits that memory has.
[[nodiscard]] IrPair widen_demoted(const Translation& t, const IrArgument& single);
[[nodiscard]] IrArgument narrow_demoted(const Translation& t, const IrPair& bits);

}  // namespace teslasim::compiler
