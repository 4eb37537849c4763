// SPDX-License-Identifier: Apache-2.0
// The instructions of PTX: one row for each form, from which the checks are derived.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

enum class PtxOpcode : std::uint8_t {
  absolute,
  add,
  add_with_carry,
  atomic,
  barrier,
  bit_and,
  bit_field_extract,
  bit_field_insert,
  bit_not,
  bit_or,
  bit_reverse,
  bit_xor,
  branch,
  breakpoint,
  call,
  convert,
  convert_address,
  cosine,
  count_leading_zeros,
  count_ones,
  divide,
  exit,
  find_leading_bit,
  fused_multiply_add,
  load,
  load_uniform,
  logarithm,
  logical_not,
  maximum,
  memory_barrier,
  minimum,
  move,
  multiply,
  multiply_24,
  multiply_add,
  multiply_add_24,
  multiply_add_with_carry,
  negate,
  performance_event,
  permute,
  power,
  prefetch,
  reciprocal,
  reciprocal_root,
  reduction,
  remainder,
  return_,
  select,
  select_by_sign,
  set,
  set_predicate,
  shift_left,
  shift_right,
  sine,
  square_root,
  store,
  subtract,
  subtract_with_borrow,
  sum_of_differences,
  texture,
  trap,
  vote,
};

/// A set of types.
class PtxTypes {
 public:
  constexpr PtxTypes() = default;
  constexpr PtxTypes(std::initializer_list<PtxType> types) {
    for (const PtxType type : types) bits_ |= 1U << static_cast<unsigned>(type);
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool has(PtxType type) const { return (bits_ >> static_cast<unsigned>(type) & 1U) != 0; }
  friend constexpr PtxTypes operator|(PtxTypes left, PtxTypes right) {
    left.bits_ |= right.bits_;
    return left;
  }

 private:
  std::uint32_t bits_ = 0;
};

/// What an operand may be. T is the first type of the instruction, S the second.
enum class PtxRole : std::uint8_t {
  result,            ///< register of T
  result_wide,       ///< register twice as wide as T
  result_word,       ///< register of 32 bits, whatever T
  result_predicate,  ///< one, or two: p|q
  result_loose,      ///< register of T or wider
  result_loaded,     ///< the same, as many as the instruction's .v2 or .v4 says
  result_texel,      ///< four registers of T
  result_moved,      ///< register of T, or a vector that has T's width together
  source,            ///< register of T, or constant
  source_wide,       ///< twice as wide as T
  source_second,     ///< of S
  source_loose,      ///< of S, or wider
  source_stored,     ///< of T or wider, as many as the instruction's .v2 or .v4 says; addresses of variables
  source_moved,      ///< of T; special register, address of a variable, or a vector that has T's width together
  source_count,      ///< register of 32 bits, or constant
  source_predicate,  ///< may be negated
  address,           ///< [register + offset], [variable + offset], [offset]
  texture,           ///< [texture, coordinates of S]
  label,
  callee,  ///< all operands of a call
};

struct PtxOperation {
  PtxOpcode opcode;
  std::string_view name;
  /// Groups that may stand between name and types, in this order; '|' between the words of one, '!' before a group that
  /// must not be left out.
  std::string_view modifiers;
  PtxTypes first{}, second{};  ///< empty: no such type is written
  std::array<PtxRole, 5> roles{};
  std::uint8_t fewest = 0, most = 0;  ///< operands
};

[[nodiscard]] std::span<const PtxOperation> ptx_operations();

/// An instruction whose row is found.
struct PtxForm {
  const PtxOperation* operation = nullptr;
  std::array<PtxType, 2> types{};
  PtxSpace space = PtxSpace::none;  ///< of memory accesses; none: generic
  std::uint8_t vector = 1;          ///< elements of a load, store or texture fetch

  [[nodiscard]] PtxOpcode opcode() const { return operation->opcode; }
};

struct PtxFormMatch {
  std::optional<PtxForm> form{};
  PtxMistake mistake{};  ///< why there is none: PTX-OPERATION
};

/// By name, modifiers and types; operands are not looked at.
[[nodiscard]] PtxFormMatch match_form(const PtxInstruction& instruction);

}  // namespace teslasim::ptx
