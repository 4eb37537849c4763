// SPDX-License-Identifier: Apache-2.0
// How types, condition codes, comparisons, rounding modes and atomic operations are spelt in assembly text.
// Used by the assembler, the disassembler and the reference tables, so that they cannot disagree.
// Source: decuda (van der Laan 2008), float comparisons as in the envytools documentation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/instruction.h"

namespace teslasim {

[[nodiscard]] std::string_view type_name(ValueType type);
[[nodiscard]] std::optional<ValueType> parse_type(std::string_view word);

/// Condition codes 0..31 tested on a flag register; unused codes are spelt as numbers.
[[nodiscard]] std::string_view condition_name(unsigned code);
[[nodiscard]] std::optional<std::uint8_t> parse_condition(std::string_view word);

/// The 16 float comparisons by mask: bit 0 less, 1 equal, 2 greater, 3 unordered.
inline constexpr std::array<std::string_view, 16> float_comparisons{
    "fl", "lt", "eq", "le", "gt", "ne", "ge", "leg", "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "tr"};
/// The 8 integer comparisons by mask.
inline constexpr std::array<std::string_view, 8> integer_comparisons{"fl", "lt", "eq", "le", "gt", "ne", "ge", "tr"};

[[nodiscard]] std::string_view rounding_name(Rounding rounding);
[[nodiscard]] std::optional<Rounding> parse_rounding(std::string_view word);

[[nodiscard]] std::string_view atomic_name(AtomicOperation operation);
[[nodiscard]] std::optional<AtomicOperation> parse_atomic(std::string_view word);

/// Launch header words of s[] (u16) and special registers, by the name after '%'.
struct SpecialName {
  std::string_view name;
  Operand::Kind kind;  ///< shared (index = byte offset) or special (index = number)
  std::uint8_t index;
};
inline constexpr std::array<SpecialName, 14> special_names{{
    {"ntid.x", Operand::Kind::shared, 2},
    {"ntid.y", Operand::Kind::shared, 4},
    {"ntid.z", Operand::Kind::shared, 6},
    {"nctaid.x", Operand::Kind::shared, 8},
    {"nctaid.y", Operand::Kind::shared, 10},
    {"ctaid.x", Operand::Kind::shared, 12},
    {"ctaid.y", Operand::Kind::shared, 14},
    {"physid", Operand::Kind::special, 0},
    {"clock", Operand::Kind::special, 1},
    {"pm0", Operand::Kind::special, 4},
    {"pm1", Operand::Kind::special, 5},
    {"pm2", Operand::Kind::special, 6},
    {"pm3", Operand::Kind::special, 7},
    {"gridid", Operand::Kind::shared, 0},
}};

}  // namespace teslasim
