// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/translation.h"

#include <algorithm>
#include <array>
#include <utility>

namespace teslasim::compiler {

using ptx::PtxType;

bool Translation::has(std::string_view modifier) const {
  return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) != instruction.modifiers.end();
}

Rounding Translation::rounding() const {
  for (const std::string& word : instruction.modifiers) {
    if (word == "rz" || word == "rzi") return Rounding::zero;
    if (word == "rm" || word == "rmi") return Rounding::down;
    if (word == "rp" || word == "rpi") return Rounding::up;
  }
  return Rounding::nearest;
}

void Translation::unsupported(std::string message, std::string help) const {
  mistakes.push_back({instruction.place, "PTX-UNSUPPORTED", std::move(message), std::move(help)});
}

void Translation::warn(std::string code, std::string message, std::string help) const {
  const bool said = std::any_of(warnings.begin(), warnings.end(),
                                [&](const ptx::PtxMistake& one) { return one.code == code && one.message == message; });
  if (!said) warnings.push_back({instruction.place, std::move(code), std::move(message), std::move(help)});
}

bool is_wide(PtxType type) {
  return bits_of(type) == 64;
}

bool is_float(PtxType type) {
  return kind_of(type) == ptx::PtxTypeKind::floating;
}

bool is_signed_type(PtxType type) {
  return type == PtxType::s8 || type == PtxType::s16 || type == PtxType::s32 || type == PtxType::s64;
}

ValueType word_type(PtxType type) {
  return is_signed_type(type) ? ValueType::s32 : ValueType::u32;
}

Relations relations_of(const Translation& t) {
  struct Word {
    std::string_view word;
    unsigned relations;
  };
  constexpr auto words = std::to_array<Word>({{"eq", 2},
                                              {"ne", 5},
                                              {"lt", 1},
                                              {"le", 3},
                                              {"gt", 4},
                                              {"ge", 6},
                                              {"lo", 1},
                                              {"ls", 3},
                                              {"hi", 4},
                                              {"hs", 6},
                                              {"equ", 10},
                                              {"neu", 13},
                                              {"ltu", 9},
                                              {"leu", 11},
                                              {"gtu", 12},
                                              {"geu", 14},
                                              {"num", 7},
                                              {"nan", 8}});
  for (const Word& one : words) {
    if (t.instruction.modifiers[0] == one.word) return static_cast<Relations>(one.relations);
  }
  return Relations::no_relation;
}

}  // namespace teslasim::compiler
