// SPDX-License-Identifier: Apache-2.0
// One instruction of PTX in a kernel that has all it could name, from its name, modifiers and types alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "frontend/compiler/compile.h"
#include "frontend/ptx/ptx_names.h"
#include "frontend/ptx/ptx_operations.h"
#include "frontend/ptx/ptx_reader.h"
#include "frontend/ptx/ptx_symbols.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler::sample {

using ptx::PtxForm;
using ptx::PtxRole;
using ptx::PtxSpace;
using ptx::PtxType;

inline constexpr std::uint32_t instruction_line = 24;

/// Around the instruction, which stands in `instruction_line`; the result is stored, so that it is not dead.
inline std::string kernel_of(const std::string& instruction, const std::string& stores) {
  std::string text =
      ".version 3.2\n.target sm_20\n.address_size 64\n.global .texref image;\n.const .align 16 .b8 table[64];\n"
      ".global .align 16 .b8 values[64];\n.shared .align 16 .b8 tile[64];\n"
      ".func (.reg .f32 %result) half (.reg .f32 %number)\n{ mul.f32 %result, %number, 0f3f000000; ret; }\n"
      ".visible .entry k(.param .align 16 .b8 given[32], .param .u64 out)\n{\n.local .align 16 .b8 stack[64];\n"
      ".reg .pred %pred_a, %pred_z;\n.reg .u64 %at;\n";
  for (const char* type : {"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f16", "f32", "f64"})
    text += std::string(".reg .") + type + " %" + type + "_a, %" + type + "_z;" + (type[1] == '6' ? "\n" : " ");
  text += "ld.param.u64 %at, [out];\n";
  while (std::count(text.begin(), text.end(), '\n') + 1 < instruction_line) text += "\n";
  return text + instruction + "\n" + stores + "DONE: ret;\n}\n";
}

/// A register for what the role takes: small types stand in larger ones.
inline std::string register_of(PtxType type, char which) {
  const bool small = bits_of(type) == 8;
  const std::string word = type == PtxType::pred ? "pred" : small ? "u16" : std::string(word_of(type));
  return "%" + word + "_" + which;
}

inline std::string vector_of(const std::string& element, unsigned count) {
  std::string text = element;
  for (unsigned i = 1; i < count; ++i) text += ", " + element;
  return count == 1 ? text : "{" + text + "}";
}

inline std::string address_of(PtxSpace space) {
  switch (space) {
    case PtxSpace::constant:
      return "[table+16]";
    case PtxSpace::shared:
      return "[tile+16]";
    case PtxSpace::param:
      return "[given+16]";
    case PtxSpace::local:
      return "[stack+16]";
    case PtxSpace::global:
      return "[values+16]";
    default:
      return "[%at+16]";
  }
}

inline PtxType doubled(PtxType type) {
  using enum PtxType;
  return type == u16 ? u32 : type == s16 ? s32 : type == u32 ? u64 : s64;
}

inline std::string operand_of(PtxRole role, const PtxForm& form) {
  const PtxType type = form.types[0], second = form.types[1];
  switch (role) {
    case PtxRole::result:
    case PtxRole::result_loose:
    case PtxRole::result_moved:
      return register_of(type, 'z');
    case PtxRole::result_wide:
      return register_of(doubled(type), 'z');
    case PtxRole::result_word:
      return register_of(PtxType::u32, 'z');
    case PtxRole::result_predicate:
      return "%pred_z";
    case PtxRole::result_loaded:
      return vector_of(register_of(type, 'z'), form.vector);
    case PtxRole::result_texel:
      return vector_of(register_of(type, 'z'), 4);
    case PtxRole::source:
    case PtxRole::source_moved:
      return register_of(type, 'a');
    case PtxRole::source_wide:
      return register_of(doubled(type), 'a');
    case PtxRole::source_second:
    case PtxRole::source_loose:
      return register_of(second, 'a');
    case PtxRole::source_stored:
      return vector_of(register_of(type, 'a'), form.vector);
    case PtxRole::source_count:
      return "3";
    case PtxRole::source_predicate:
      return "%pred_a";
    case PtxRole::address:
      return address_of(form.space);
    case PtxRole::texture:
      return "[image, " + vector_of(register_of(second, 'a'), 4) + "]";
    case PtxRole::label:
      return "DONE";
    case PtxRole::callee:
      return "";
  }
  return "";
}

inline std::string store_of(PtxRole role, const PtxForm& form) {
  PtxType type = form.types[0];
  if (role == PtxRole::result_wide) type = doubled(type);
  if (role == PtxRole::result_word) type = PtxType::u32;
  if (role == PtxRole::result_predicate || type == PtxType::pred)
    return "selp.u32 %u32_z, 1, 2, %pred_z;\nst.global.u32 [%at], %u32_z;\n";
  if (role > PtxRole::result_moved) return "";
  const std::string value = register_of(type, 'z');
  if (bits_of(type) == 8) return "st.global.u16 [%at], " + value + ";\n";
  return "st.global." + std::string(word_of(type == PtxType::f16 ? PtxType::b16 : type)) + " [%at], " + value + ";\n";
}

/// "add.s32" as a whole kernel; "" when there is no such instruction.
inline std::string kernel_with_instruction(const std::string& name) {
  if (name.starts_with("call")) return kernel_of(name + " (%f32_z), half, (%f32_a);", "st.global.f32 [%at], %f32_z;\n");
  ptx::PtxInstruction instruction;
  std::size_t at = name.find('.');
  instruction.opcode = name.substr(0, at);
  while (at != std::string::npos) {
    const std::size_t next = name.find('.', at + 1);
    instruction.modifiers.push_back(name.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    instruction.modifier_places.emplace_back();
    at = next;
  }
  const ptx::PtxFormMatch match = match_form(instruction);
  if (!match.form) return "";
  std::string operands;
  for (unsigned i = 0; i < match.form->operation->fewest; ++i)
    operands += (i == 0 ? " " : ", ") + operand_of(match.form->operation->roles[i], *match.form);
  const bool writes = match.form->operation->fewest != 0;
  return kernel_of(name + operands + ";", writes ? store_of(match.form->operation->roles[0], *match.form) : "");
}

struct Outcome {
  std::vector<Diagnostic> errors{};
  std::size_t warnings = 0;
  Module module{};
};

inline Outcome compile_text(const std::string& text, std::uint8_t sm, unsigned optimization = 3) {
  CompileOptions options;
  options.sm = sm;
  options.optimization = optimization;
  Outcome outcome;
  try {
    outcome.module = compile_ptx(ptx::read_checked_ptx(text, "k.ptx"), "k.ptx", options, text).module;
    outcome.warnings = outcome.module.warnings.size();
  } catch (const InputError& error) {
    outcome.errors = error.diagnostics();
  } catch (const InternalError& error) {
    ADD_FAILURE() << error.what() << "\n" << text;
  }
  return outcome;
}

}  // namespace teslasim::compiler::sample
